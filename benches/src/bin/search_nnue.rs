//! Nodes per second with a network, next to other engines with theirs, in one run: `make bench-search-nnue`.
//!
//! One thread, the same positions and the same time for everybody. Rounds are interleaved and the best one of each contestant
//! counts, because shared machines are noisy. Every engine counts nodes in its own way and searches with its own network
//! (ours here with Stockfish 13's): the ratios compare speed, not strength.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use kiebitz_chess::GameHistory;
use kiebitz_uci::{Engine, EngineCommand, Go, Limits};

/// Openings, middle games and endings, quiet and wild.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/ppnppn2/8/2PNP3/1PN1B3/P3BPPP/R2Q1RK1 w - - 0 12",
    "r4rk1/pp1q1ppp/2n1b3/3pP3/1b1P4/2N2N2/PPQB1PPP/R4RK1 b - - 4 14",
    "2r2rk1/1p1q1pp1/p2p1n1p/4p3/P3P3/1N1Q1P2/1PP3PP/R2R2K1 w - - 0 20",
    "8/1p3pk1/p1r3p1/3p3p/3R1P1P/2P1K1P1/PP6/8 w - - 0 32",
    "3k4/3p1p2/3P1P2/2K3p1/6P1/8/5B1n/8 w - - 0 1",
];

/// Megabytes of table for everybody.
const HASH: &str = "64";
/// No answer takes longer than this.
const LONGEST: Duration = Duration::from_secs(60);

struct Arguments {
    kiebitz: PathBuf,
    network: PathBuf,
    peers: Vec<(String, PathBuf)>,
    rounds: u32,
    milliseconds: u64,
}

const USAGE: &str = "usage: search_nnue KIEBITZ NETWORK [--peer NAME=PROGRAM]… [--rounds N] [--milliseconds MS]\n\n\
    KIEBITZ         the program to measure\n  \
    NETWORK         its network\n  \
    --peer          an engine to compare with; may be given several times\n  \
    --rounds        rounds, of which the best counts (3)\n  \
    --milliseconds  time for each position (1000)";

fn arguments() -> Result<Arguments> {
    let mut words = std::env::args().skip(1);
    let mut file = || words.next().filter(|word| !word.starts_with('-')).map(PathBuf::from).context(USAGE);
    let (kiebitz, network) = (file()?, file()?);
    let mut read = Arguments { kiebitz, network, peers: Vec::new(), rounds: 3, milliseconds: 1000 };
    while let Some(word) = words.next() {
        let value = words.next().context(USAGE)?;
        let wrong = || format!("{word} {value}: not a number above zero");
        let number = || value.parse::<u32>().ok().filter(|&number| number > 0).with_context(wrong);
        match word.as_str() {
            "--peer" => {
                let (name, program) = value.split_once('=').context(USAGE)?;
                read.peers.push((name.to_owned(), program.into()));
            }
            "--rounds" => read.rounds = number()?,
            "--milliseconds" => read.milliseconds = number()?.into(),
            _ => bail!("{USAGE}"),
        }
    }
    Ok(read)
}

/// An engine and the nodes per second of each of its rounds.
struct Contestant {
    name: String,
    engine: Engine,
    rounds: Vec<f64>,
}

impl Contestant {
    fn start(name: &str, program: &Path, network: Option<&Path>) -> Result<Self> {
        let mut command = EngineCommand::new(program).option("Hash", HASH).option("Threads", "1");
        if let Some(network) = network {
            command = command.option("EvalFile", network.to_str().context("a path that is no text")?);
        }
        let engine =
            Engine::start(command, Limits::default()).with_context(|| format!("cannot use {}", program.display()))?;
        Ok(Self { name: name.to_owned(), engine, rounds: Vec::new() })
    }

    /// One round over all positions.
    fn measure(&mut self, games: &[GameHistory], milliseconds: u64) -> Result<()> {
        let (mut nodes, mut seconds) = (0, 0.0);
        for game in games {
            self.engine.new_game()?;
            let go = Go { move_time_ms: Some(milliseconds), ..Go::default() };
            let answer = self.engine.search(game, &go, LONGEST, |_, _| {})?;
            let info = answer.info.context("no report")?;
            // The engine's own clock: the last report may come some time before the answer.
            let time = info.time_ms.filter(|&time| time > 0);
            seconds += time.map_or(answer.elapsed.as_secs_f64(), |time| time as f64 / 1e3);
            nodes += info.nodes.with_context(|| format!("{} tells no nodes", self.name))?;
        }
        self.rounds.push(nodes as f64 / seconds);
        Ok(())
    }

    fn best(&self) -> f64 {
        self.rounds.iter().copied().fold(0.0, f64::max)
    }
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    ensure!(arguments.network.is_file(), "there is no network {}", arguments.network.display());
    let mut field = vec![Contestant::start("kiebitz", &arguments.kiebitz, Some(&arguments.network))?];
    for (name, program) in &arguments.peers {
        if program.is_file() {
            field.push(Contestant::start(name, program, None)?);
        } else {
            println!("skipped: there is no program {}", program.display());
        }
    }
    let games: Vec<GameHistory> =
        POSITIONS.iter().map(|fen| Ok(GameHistory::new(fen.parse()?))).collect::<Result<_>>()?;
    for round in 1..=arguments.rounds {
        for contestant in &mut field {
            eprintln!("round {round} of {}: {}", arguments.rounds, contestant.name);
            contestant.measure(&games, arguments.milliseconds)?;
        }
    }
    println!(
        "{} positions, {} ms each, {HASH} MB of table, one thread; best of {} rounds; ratio: we against them\n",
        games.len(),
        arguments.milliseconds,
        arguments.rounds
    );
    println!("engine             nodes/s   ratio   slowest round");
    for contestant in &field {
        let slowest = contestant.rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let ratio = field[0].best() / contestant.best();
        println!("{:<16} {:>9.0} {ratio:>7.2} {slowest:>15.0}", contestant.name, contestant.best());
    }
    Ok(())
}
