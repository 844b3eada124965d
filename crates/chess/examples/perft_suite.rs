//! Counts whole perft suites on all cores, and goes on where it was stopped.
//!
//! `cargo run --release -p kiebitz-chess --example perft_suite -- --depth 6 --threads 2 --state FILE SUITE…`
//!
//! A suite is a file, or a folder whose `*.epd` and `*.perft` are taken. The state file gets one line for every
//! finished position, `suite index depth count`; killed at any moment, the program loses only the positions it
//! was just counting. Each position is counted at the deepest depth its suite knows, up to `--depth`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/support/perft_suite.rs"]
mod suite_format;

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal as _, Read, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kiebitz_chess::Position;
use kiebitz_chess::perft::{PerftTable, perft, perft_remembering};
use suite_format::{Case, Suite};

const USAGE: &str = "usage: perft_suite [--depth N] [--threads N] [--hash MIB] [--state FILE] SUITE…

  --depth N      count no deeper than this (6)
  --threads N    positions counted at once (all cores)
  --hash MIB     memory of each thread for positions met before; 0 counts everything anew (0)
  --state FILE   remember finished positions here, and skip those it names

A SUITE is a file, or a folder whose *.epd and *.perft are taken.";

/// How often the progress line is renewed.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

struct Arguments {
    depth: u32,
    threads: usize,
    hash_bytes: usize,
    state: Option<PathBuf>,
    suites: Vec<PathBuf>,
}

/// One position to be counted.
struct Job {
    /// Suite and number, as the state file writes them.
    name: (String, usize),
    label: String,
    position: Position,
    depth: u32,
    expected: u64,
}

/// The jobs that are done: suite, number and depth with the count.
type Finished = HashMap<(String, usize, u32), u64>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match parse_arguments(&arguments).and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(problem) => {
            eprintln!("perft_suite: {problem}");
            ExitCode::from(2)
        }
    }
}

fn parse_arguments(arguments: &[String]) -> Result<Arguments, String> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut parsed = Arguments { depth: 6, threads: cores, hash_bytes: 0, state: None, suites: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: &String| {
            text.parse::<u32>()
                .ok()
                .filter(|&n| n > 0)
                .ok_or_else(|| format!("{argument} needs a number, not '{text}'"))
        };
        match argument.as_str() {
            "--depth" => parsed.depth = number(value()?)?,
            "--threads" => parsed.threads = number(value()?)? as usize,
            "--hash" => {
                let mebibytes: usize = value()?.parse().map_err(|_| "--hash needs a number of MiB".to_owned())?;
                parsed.hash_bytes = mebibytes.saturating_mul(1 << 20);
            }
            "--state" => parsed.state = Some(PathBuf::from(value()?)),
            option if option.starts_with('-') => return Err(format!("there is no option {option}\n{USAGE}")),
            suite => parsed.suites.push(PathBuf::from(suite)),
        }
    }
    if parsed.suites.is_empty() { Err(format!("no suite given\n{USAGE}")) } else { Ok(parsed) }
}

/// Counts everything; whether every count was as expected.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut jobs = jobs(&read_suites(&arguments.suites)?, arguments.depth)?;
    let (finished, log) = match &arguments.state {
        Some(path) => {
            let (finished, file) = open_state(path).map_err(|error| format!("{}: {error}", path.display()))?;
            (finished, Some(file))
        }
        None => (Finished::new(), None),
    };
    let mut tally = Tally::new(log);
    let mut known = 0;
    jobs.retain(|job| {
        let Some(&counted) = finished.get(&(job.name.0.clone(), job.name.1, job.depth)) else { return true };
        known += 1;
        tally.judge(job, counted);
        false
    });
    // The largest first, so that no core is left alone with a long one at the end.
    jobs.sort_by_key(|job| std::cmp::Reverse(job.expected));
    tally.left = jobs.iter().map(|job| job.expected).sum();
    tally.positions_left = jobs.len();
    println!("{} positions to count, {known} known from before, {} leaves", jobs.len(), tally.left);

    let tally = Mutex::new(tally);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let progress = scope.spawn(|| show_progress(&tally, &stop));
        count_all(&jobs, arguments, &tally);
        stop.store(true, Ordering::Relaxed);
        progress.thread().unpark();
    });
    let tally = tally.into_inner().map_err(|_| "a counting thread panicked")?;
    if let Some(problem) = tally.broken_log {
        return Err(format!("the state file could not be written: {problem}"));
    }
    let seconds = tally.begin.elapsed().as_secs_f64();
    println!("{} leaves counted in {seconds:.1} s, {} mismatches", tally.counted, tally.mismatches);
    Ok(tally.mismatches == 0)
}

fn read_suites(paths: &[PathBuf]) -> Result<Vec<Case>, String> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let is_suite = |path: &PathBuf| path.extension().is_some_and(|end| end == "epd" || end == "perft");
            let mut inside: Vec<PathBuf> =
                entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_suite).collect();
            inside.sort();
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().replace(' ', "_"));
        let Suite { cases: read, refused } = suite_format::parse(&name, &text)?;
        for (position, problem) in refused {
            println!("{name}, {position}: left out: {problem}");
        }
        for case in read {
            match &case.complaint {
                Some(problem) => println!("{name}, {}: left out: {problem}", case.name),
                None => cases.push(case),
            }
        }
    }
    Ok(cases)
}

/// One job for each different position.
fn jobs(cases: &[Case], depth_limit: u32) -> Result<Vec<Job>, String> {
    let job = |case: Case| {
        let known = case.counts.iter().filter(|&&(depth, _)| depth <= depth_limit);
        let &(depth, expected) = known.max_by_key(|&&(depth, _)| depth)?;
        Some(Job { name: (case.suite, case.index), label: case.name, position: case.position, depth, expected })
    };
    Ok(suite_format::without_twins(cases.to_vec())?.into_iter().filter_map(job).collect())
}

/// Reads what an earlier run has finished and opens the file to go on; a torn last line is cut off.
fn open_state(path: &Path) -> io::Result<(Finished, File)> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or(0, |newline| newline + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok((text[..whole].lines().filter_map(state_line).collect(), file))
}

fn state_line(line: &str) -> Option<((String, usize, u32), u64)> {
    let mut words = line.split(' ');
    let name = (words.next()?.to_owned(), words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let count = words.next()?.parse().ok()?;
    words.next().is_none().then_some((name, count))
}

/// What has been done so far.
struct Tally {
    begin: Instant,
    log: Option<File>,
    broken_log: Option<io::Error>,
    counted: u64,
    left: u64,
    positions_left: usize,
    mismatches: usize,
}

impl Tally {
    fn new(log: Option<File>) -> Self {
        Self { begin: Instant::now(), log, broken_log: None, counted: 0, left: 0, positions_left: 0, mismatches: 0 }
    }

    /// Says so if a count is wrong.
    fn judge(&mut self, job: &Job, counted: u64) {
        let Job { name: (suite, _), label, position, depth, expected } = job;
        if counted != *expected {
            self.mismatches += 1;
            println!("\rmismatch in {suite}, {label}: expected {expected}, got {counted} at depth {depth}: {position}");
        }
    }

    fn finish(&mut self, job: &Job, counted: u64) {
        self.judge(job, counted);
        self.counted += counted;
        self.left = self.left.saturating_sub(job.expected);
        self.positions_left -= 1;
        let (suite, index) = &job.name;
        // One write for the whole line: a killed process leaves it there or not.
        let line = format!("{suite} {index} {} {counted}\n", job.depth);
        if let Some(Err(error)) = self.log.as_mut().map(|log| log.write_all(line.as_bytes())) {
            self.broken_log = Some(error);
        }
    }

    fn progress(&self) -> String {
        let seconds = self.begin.elapsed().as_secs_f64();
        let rate = self.counted as f64 / seconds.max(0.001);
        let left = if rate > 0.0 { clock(self.left as f64 / rate) } else { "?".to_owned() };
        let (positions, million_a_second) = (self.positions_left, rate / 1e6);
        format!("{positions} positions left, {million_a_second:.0} M leaves/s, {} gone, {left} left", clock(seconds))
    }
}

/// Hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn count_all(jobs: &[Job], arguments: &Arguments, tally: &Mutex<Tally>) {
    let queue = Mutex::new(jobs.iter());
    thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                let mut table = (arguments.hash_bytes > 0).then(|| PerftTable::with_bytes(arguments.hash_bytes));
                while let Some(job) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                    let counted = match &mut table {
                        Some(table) => perft_remembering(&job.position, job.depth, table),
                        None => perft(&job.position, job.depth),
                    };
                    let Ok(mut tally) = tally.lock() else { break };
                    tally.finish(job, counted);
                }
            });
        }
    });
}

fn show_progress(tally: &Mutex<Tally>, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        thread::park_timeout(PROGRESS_INTERVAL);
        let Ok(tally) = tally.lock() else { break };
        if io::stderr().is_terminal() {
            eprint!("\r{:<78}", tally.progress());
        }
    }
    if io::stderr().is_terminal() {
        eprintln!();
    }
}
