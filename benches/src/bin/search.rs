//! The engine against Stockfish and Ethereal, in one run: `make bench-search`.
//!
//! - *nodes per second*: every position is searched for a while, with one thread;
//! - *time to depth*: every position is searched to the same depth with one thread, time to the last report of that depth;
//! - *speed-up over threads*: nodes per second, and time to depth, with 1, 2, 4 … threads against one.
//!
//! Rounds are interleaved and the best one of each contestant counts, because shared machines are noisy. Nodes are counted by
//! each engine in its own way, and depths are its own too: the ratios compare speed, not strength. Ours takes part twice: its
//! hand-crafted evaluation is what compares with Debian's Ethereal, its network with Stockfish.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use kiebitz_chess::GameHistory;
use kiebitz_uci::{Engine, EngineCommand, Go, Limits};

/// Openings, middle games and endings, quiet and wild.
const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PPB2PPP/RNBQK2R b KQkq - 1 7",
    "2rq1rk1/pb1n1ppp/1p2pn2/3p4/3P4/1PN1PN2/PB3PPP/2RQ1RK1 w - - 0 14",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r2k1/1p3ppp/2pq4/p1n5/P6P/1P6/1PB2QP1/1K2R3 w - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
];

/// Megabytes of table for everybody.
const HASH: &str = "64";
/// No search takes longer than this, whatever its depth.
const LONGEST: Duration = Duration::from_secs(120);

struct Arguments {
    kiebitz: PathBuf,
    rounds: u32,
    move_time: Duration,
    depth: u32,
    threads: usize,
}

const USAGE: &str = "usage: search KIEBITZ [--rounds N] [--milliseconds MS] [--depth N] [--threads N]\n\n\
    KIEBITZ         the program to measure\n  \
    --rounds        rounds, of which the best counts (3)\n  \
    --milliseconds  time for each position when nodes are counted (300)\n  \
    --depth         plies for the time to depth (13)\n  \
    --threads       most threads (all processors)";

fn arguments() -> Result<Arguments> {
    let mut words = std::env::args().skip(1);
    let kiebitz = words.next().filter(|word| !word.starts_with('-')).context(USAGE)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut read = Arguments {
        kiebitz: kiebitz.into(),
        rounds: 3,
        move_time: Duration::from_millis(300),
        depth: 13,
        threads: processors,
    };
    while let Some(word) = words.next() {
        let value = words.next().context(USAGE)?;
        let number = || {
            value
                .parse::<u64>()
                .ok()
                .filter(|&number| number > 0)
                .with_context(|| format!("{word} {value}: not a number above zero"))
        };
        match word.as_str() {
            "--rounds" => read.rounds = u32::try_from(number()?)?,
            "--milliseconds" => read.move_time = Duration::from_millis(number()?),
            "--depth" => read.depth = u32::try_from(number()?)?,
            "--threads" => read.threads = usize::try_from(number()?)?,
            _ => bail!("{USAGE}"),
        }
    }
    Ok(read)
}

/// An engine, and its best figures by number of threads.
struct Contestant {
    name: &'static str,
    engine: Engine,
    figures: BTreeMap<usize, Figures>,
}

#[derive(Clone, Copy)]
struct Figures {
    /// Nodes per second over all positions.
    speed: f64,
    /// Seconds to the depth, over all positions.
    to_depth: f64,
}

impl Contestant {
    fn start(name: &'static str, program: &Path, evaluation: Option<&str>) -> Result<Self> {
        let mut command = EngineCommand::new(program).option("Hash", HASH);
        if let Some(evaluation) = evaluation {
            command = command.option("Evaluation", evaluation);
        }
        let engine =
            Engine::start(command, Limits::default()).with_context(|| format!("cannot use {}", program.display()))?;
        Ok(Self { name, engine, figures: BTreeMap::new() })
    }

    /// One round over all positions.
    fn measure(&mut self, games: &[GameHistory], arguments: &Arguments, threads: usize) -> Result<()> {
        self.engine.set_option("Threads", Some(&threads.to_string()))?;
        let (mut nodes, mut seconds, mut to_depth) = (0, 0.0, 0.0);
        for game in games {
            self.engine.new_game()?;
            let milliseconds = u64::try_from(arguments.move_time.as_millis())?;
            let answer = self.engine.search(
                game,
                &Go { move_time_ms: Some(milliseconds), ..Go::default() },
                LONGEST,
                |_, _| {},
            )?;
            let info = answer.info.context("no report")?;
            // The engine's own clock: the last report may come some time before the answer.
            let time =
                info.time_ms.filter(|&time| time > 0).map_or(answer.elapsed.as_secs_f64(), |time| time as f64 / 1e3);
            nodes += info.nodes.with_context(|| format!("{} tells no nodes", self.name))?;
            seconds += time;
            self.engine.new_game()?;
            let begun = Instant::now();
            let go = Go { depth: Some(arguments.depth), ..Go::default() };
            let answer = self.engine.search(game, &go, LONGEST, |_, _| {})?;
            to_depth += begun.elapsed().min(answer.elapsed).as_secs_f64();
        }
        let now = Figures { speed: nodes as f64 / seconds, to_depth };
        let best = self.figures.entry(threads).or_insert(now);
        best.speed = best.speed.max(now.speed);
        best.to_depth = best.to_depth.min(now.to_depth);
        Ok(())
    }
}

fn installed(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).chain([PathBuf::from("/usr/games")]);
    let found = places.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file()));
    if found.is_none() {
        println!("skipped: {name} is not installed");
    }
    found
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    ensure!(arguments.kiebitz.is_file(), "there is no program {}", arguments.kiebitz.display());
    let own = |name, evaluation| Contestant::start(name, &arguments.kiebitz, Some(evaluation));
    let mut field = vec![own("hand-crafted", "handcrafted")?, own("network", "network")?];
    for name in ["stockfish", "ethereal-chess"] {
        if let Some(program) = installed(name) {
            field.push(Contestant::start(name, &program, None)?);
        }
    }
    let games: Vec<GameHistory> =
        POSITIONS.iter().map(|fen| Ok(GameHistory::new(fen.parse()?))).collect::<Result<_>>()?;
    let mut counts: Vec<usize> = std::iter::successors(Some(1), |count| Some(count * 2))
        .take_while(|&count| count < arguments.threads)
        .collect();
    counts.push(arguments.threads);
    for round in 1..=arguments.rounds {
        for &threads in &counts {
            for contestant in &mut field {
                eprintln!("round {round} of {}: {}, {threads} threads", arguments.rounds, contestant.name);
                contestant.measure(&games, &arguments, threads)?;
            }
        }
    }
    report(&field, &counts, &arguments);
    Ok(())
}

fn report(field: &[Contestant], counts: &[usize], arguments: &Arguments) {
    println!(
        "{} positions, {} ms each, {HASH} MB of table, best of {} rounds; ratios: our hand-crafted evaluation against them\n",
        POSITIONS.len(),
        arguments.move_time.as_millis(),
        arguments.rounds
    );
    println!(
        "{:<15} threads  nodes/s      ratio  speed-up   s to depth {:<3} ratio  speed-up",
        "engine", arguments.depth
    );
    for &threads in counts {
        for contestant in field {
            let figures = |contestant: &Contestant, threads| contestant.figures.get(&threads).copied();
            let (Some(own), Some(now), Some(alone)) =
                (figures(&field[0], threads), figures(contestant, threads), figures(contestant, 1))
            else {
                continue;
            };
            println!(
                "{:<15} {threads:>7}  {:>9.0}  {:>7.2}  {:>7.2}   {:>12.2}  {:>7.2}  {:>7.2}",
                contestant.name,
                now.speed,
                own.speed / now.speed,
                now.speed / alone.speed,
                now.to_depth,
                now.to_depth / own.to_depth,
                alone.to_depth / now.to_depth,
            );
        }
    }
}
