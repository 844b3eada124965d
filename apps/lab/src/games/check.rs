//! `kiebitz-lab games check`: are these files sound?
//!
//! Every move of every variation is played by the rules. Broken games go to the report, unreadable files to the
//! standard error; both are told apart by the exit code.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_chess::{Move, Outcome, Position};
use kiebitz_pgn::{BrokenGame, Chunk, Chunks, Source, SourceError, Tags, Visitor, Want, read_parallel};
use serde::Serialize;

/// A game of a file was broken.
const EXIT_BROKEN: u8 = 1;
/// A file could not be read, or not to its end.
const EXIT_UNREADABLE: u8 = 2;

/// What to check, and how to say it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// PGN files: plain, .zst, .bz2 or .gz; - is the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How many threads to use [default: one for each CPU].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// How many broken games to describe; all are counted.
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_errors: usize,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Exit code: 0 if every game is sound, 1 if games are broken, 2 if a file cannot be read.

Examples:
  kiebitz-lab games check lichess_db_standard_rated_2013-01.pgn.zst
  kiebitz-lab games check --threads 4 --max-errors 1000 twic*.pgn
  kiebitz-lab games check --json games.pgn.bz2 > report.json
  unzip -p twic1500g.zip | kiebitz-lab games check -";

/// Everything found out, as text and JSON show it.
#[derive(Default, Serialize)]
struct Report {
    files: usize,
    games: u64,
    /// Positions reached by a move, those of variations included.
    positions: u64,
    broken_games: u64,
    /// How many games are broken, by kind of fault.
    broken_by_kind: BTreeMap<String, u64>,
    /// The first of them.
    broken: Vec<Broken>,
    unreadable: Vec<String>,
    /// Size of the decompressed text.
    bytes: u64,
    seconds: f64,
    megabytes_per_second: f64,
}

#[derive(Serialize)]
struct Broken {
    file: String,
    game: u64,
    line: u64,
    headline: String,
    kind: String,
    reason: String,
}

impl From<BrokenGame> for Broken {
    fn from(game: BrokenGame) -> Self {
        Self {
            kind: game.reason.kind().to_string(),
            reason: game.reason.to_string(),
            file: game.file,
            game: game.number,
            line: game.line,
            headline: game.headline,
        }
    }
}

/// What a worker finds in one chunk.
struct Tally {
    games: u64,
    positions: u64,
    bytes: u64,
    broken: Vec<BrokenGame>,
    broken_by_kind: BTreeMap<String, u64>,
    /// How many broken games to keep.
    keep: usize,
    /// Positions of the game being read: they count only once it is found sound.
    current: u64,
}

impl Tally {
    fn of(chunk: &Chunk, keep: usize) -> Self {
        let mut tally = Self {
            games: chunk.len() as u64,
            positions: 0,
            bytes: chunk.text_bytes() as u64,
            broken: Vec::new(),
            broken_by_kind: BTreeMap::new(),
            keep,
            current: 0,
        };
        chunk.visit(&mut tally);
        tally
    }
}

impl Visitor for Tally {
    fn begin(&mut self, _tags: &Tags, _start: &Position) -> Want {
        self.current = 0;
        Want::Everything
    }

    fn play(&mut self, _before: &Position, _mv: Move) {
        self.current += 1;
    }

    fn end(&mut self, _end: &Position, _outcome: Option<Outcome>) {
        self.positions += self.current;
    }

    fn broken(&mut self, game: BrokenGame) {
        *self.broken_by_kind.entry(game.reason.kind().to_string()).or_default() += 1;
        if self.broken.len() < self.keep {
            self.broken.push(game);
        }
    }
}

/// Checks the files and writes the report.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let start = Instant::now();
    let mut report = Report::default();
    for path in &arguments.files {
        report.files += 1;
        let result = Source::open(path).and_then(|source| check(source, threads, arguments.max_errors, &mut report));
        if let Err(error) = result {
            writeln!(io::stderr(), "error: {error}")?;
            report.unreadable.push(error.to_string());
        }
    }
    report.seconds = start.elapsed().as_secs_f64();
    report.megabytes_per_second = report.bytes as f64 / 1e6 / report.seconds;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        print(&report, output)?;
    }
    Ok(match (report.unreadable.is_empty(), report.broken_games) {
        (false, _) => ExitCode::from(EXIT_UNREADABLE),
        (true, 0) => ExitCode::SUCCESS,
        (true, _) => ExitCode::from(EXIT_BROKEN),
    })
}

fn check(source: Source<'_>, threads: NonZeroUsize, keep: usize, report: &mut Report) -> Result<(), SourceError> {
    let consumed = source.consumed();
    let bar = progress_bar(&source);
    let result = read_parallel(
        Chunks::new(source),
        threads,
        |chunk| Tally::of(chunk, keep),
        |tally| {
            report.games += tally.games;
            report.positions += tally.positions;
            report.bytes += tally.bytes;
            for (kind, count) in tally.broken_by_kind {
                report.broken_games += count;
                *report.broken_by_kind.entry(kind).or_default() += count;
            }
            let room = keep.saturating_sub(report.broken.len());
            report.broken.extend(tally.broken.into_iter().take(room).map(Broken::from));
            bar.set_position(consumed.load(Ordering::Relaxed));
            ControlFlow::Continue(())
        },
    );
    bar.finish_and_clear();
    result
}

/// Shows itself only on a terminal. Counts the bytes of the file as it is on the disk, for only those are known.
fn progress_bar(source: &Source<'_>) -> ProgressBar {
    let template = if source.size().is_some() {
        "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left"
    } else {
        "{msg} {spinner} {bytes} {bytes_per_sec}"
    };
    let bar = source.size().map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(source.name().to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    for game in &report.broken {
        writeln!(output, "{}: game {}, line {} ({}): {}", game.file, game.game, game.line, game.headline, game.reason)?;
    }
    let left_out = report.broken_games - report.broken.len() as u64;
    if left_out > 0 && !report.broken.is_empty() {
        writeln!(output, "… and {left_out} more (see --max-errors)")?;
    }
    if !report.broken.is_empty() {
        writeln!(output)?;
    }
    writeln!(output, "{:>14} games", thousands(report.games))?;
    writeln!(output, "{:>14} positions", thousands(report.positions))?;
    writeln!(output, "{:>14} broken games", thousands(report.broken_games))?;
    for (kind, count) in &report.broken_by_kind {
        writeln!(output, "{:>14}   {kind}", thousands(*count))?;
    }
    if !report.unreadable.is_empty() {
        writeln!(output, "{:>14} unreadable files", report.unreadable.len())?;
    }
    let (megabytes, seconds) = (report.bytes as f64 / 1e6, report.seconds);
    writeln!(output, "{megabytes:>14.1} MB in {seconds:.2} s, {:.0} MB/s", report.megabytes_per_second)
}

/// `1234567` as `1,234,567`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &[u8], max_errors: usize) -> (Report, String) {
        let mut report = Report::default();
        let source = Source::from_reader("test.pgn", text);
        check(source, NonZeroUsize::MIN, max_errors, &mut report).unwrap();
        let mut output = Vec::new();
        print(&report, &mut output).unwrap();
        (report, String::from_utf8(output).unwrap())
    }

    #[test]
    fn sound_and_broken_games_are_counted() {
        let text = b"1. e4 (1. d4) e5 *\n\n[White \"A\"]\n[Black \"B\"]\n\n1. e5 *\n\n[Variant \"Atomic\"]\n\n*\n";
        let (report, shown) = checked(text, 20);
        assert_eq!((report.games, report.positions, report.broken_games), (3, 3, 2));
        assert!(shown.contains("test.pgn: game 2, line 6 (A – B): move 1. e5 is not legal"), "{shown}");
        assert!(shown.contains("unsupported variant"), "{shown}");
        assert!(serde_json::to_string(&report).unwrap().contains("\"games\":3"));
    }

    #[test]
    fn the_list_of_broken_games_is_limited() {
        let (report, shown) = checked(&b"1. e5 *\n\n".repeat(5), 2);
        assert_eq!((report.broken.len(), report.broken_games), (2, 5));
        assert!(shown.contains("and 3 more"), "{shown}");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
