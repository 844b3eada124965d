//! Perft against other move generators, in one run: `make bench-perft [-- --rounds N]`.
//!
//! Two columns. *Bulk*: the last ply is counted, not played, as all libraries allow. *Every leaf*: each last
//! move is played, which is what a searcher pays. Everybody's recursion has the shape of cozy-chess's own example, is
//! compiled with the same flags, and is kept from being optimised away by the same means. Rounds are interleaved and the best
//! one of each contestant counts, because shared machines are noisy.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use shakmaty::Position as _;

/// A position with the depths that take about a quarter of a second.
struct Case {
    name: &'static str,
    fen: &'static str,
    bulk: (u32, u64),
    every_leaf: (u32, u64),
}

const CASES: [Case; 3] = [
    Case {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        bulk: (6, 119_060_324),
        every_leaf: (5, 4_865_609),
    },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        bulk: (5, 193_690_690),
        every_leaf: (4, 4_085_603),
    },
    Case {
        name: "end game",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        bulk: (7, 178_633_661),
        every_leaf: (6, 11_030_083),
    },
];

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Bulk,
    EveryLeaf,
}

fn kiebitz(position: &kiebitz_chess::Position, depth: u32, mode: Mode) -> u64 {
    match mode {
        Mode::Bulk => kiebitz_chess::perft::perft(position, depth),
        Mode::EveryLeaf => kiebitz_chess::perft::perft_by_playing(position, depth),
    }
}

fn cozy<const BULK: bool>(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    match depth {
        1 if BULK => {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        }
        1 => {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    black_box(&next);
                    nodes += 1;
                }
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    nodes += cozy::<BULK>(&next, depth - 1);
                }
                false
            });
        }
    }
    nodes
}

fn shakmaty<const BULK: bool>(position: &shakmaty::Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    match depth {
        1 if BULK => moves.len() as u64,
        1 => {
            for &mv in &moves {
                let mut next = position.clone();
                next.play_unchecked(mv);
                black_box(&next);
            }
            moves.len() as u64
        }
        _ => moves
            .iter()
            .map(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                shakmaty::<BULK>(&next, depth - 1)
            })
            .sum(),
    }
}

/// Debian's Stockfish as a child process; it counts in bulk only.
struct Stockfish {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Stockfish {
    fn start() -> Option<Self> {
        ["stockfish", "/usr/games/stockfish"].into_iter().find_map(|program| {
            let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
            let answers = BufReader::new(child.stdout.take()?);
            Some(Self { child, answers })
        })
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64> {
        let input = self.child.stdin.as_mut().context("stockfish has no input")?;
        writeln!(input, "position fen {fen}\ngo perft {depth}")?;
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.answers.read_line(&mut line)? > 0, "stockfish stopped");
            if let Some(count) = line.strip_prefix("Nodes searched: ") {
                return Ok(count.trim().parse()?);
            }
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // Nothing can be done about an engine that will not end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A contestant's best round.
struct Contestant {
    name: &'static str,
    best: Duration,
}

fn time(contestant: &mut Contestant, expected: u64, work: impl FnOnce() -> Result<u64>) -> Result<()> {
    let start = Instant::now();
    let nodes = work()?;
    contestant.best = contestant.best.min(start.elapsed());
    ensure!(nodes == expected, "{} counted {nodes} instead of {expected}", contestant.name);
    Ok(())
}

fn rounds() -> Result<u32> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => Ok(8),
        (Some("--rounds"), Some(number)) => number.parse().context("--rounds takes a number"),
        _ => anyhow::bail!("usage: perft [--rounds N]"),
    }
}

fn main() -> Result<()> {
    let rounds = rounds()?;
    let mut stockfish = Stockfish::start();
    if stockfish.is_none() {
        println!("skipped: stockfish is not installed");
    }
    let mut worst = [f64::INFINITY; 2];
    for case in &CASES {
        for mode in [Mode::Bulk, Mode::EveryLeaf] {
            let (title, (depth, expected)) = match mode {
                Mode::Bulk => ("bulk", case.bulk),
                Mode::EveryLeaf => ("every leaf", case.every_leaf),
            };
            let ours: kiebitz_chess::Position = case.fen.parse()?;
            let board: cozy_chess::Board = case.fen.parse().map_err(|_| anyhow::anyhow!("cozy-chess: bad FEN"))?;
            let chess: shakmaty::Chess = case
                .fen
                .parse::<shakmaty::fen::Fen>()?
                .into_position(shakmaty::CastlingMode::Standard)
                .map_err(|error| anyhow::anyhow!("shakmaty: {error}"))?;
            let names = ["kiebitz", "cozy-chess", "shakmaty", "stockfish"];
            let mut field = names.map(|name| Contestant { name, best: Duration::MAX });
            for _ in 0..rounds {
                time(&mut field[0], expected, || Ok(kiebitz(&ours, depth, mode)))?;
                let (cozy, shakmaty): (fn(&_, u32) -> u64, fn(&_, u32) -> u64) = match mode {
                    Mode::Bulk => (cozy::<true>, shakmaty::<true>),
                    Mode::EveryLeaf => (cozy::<false>, shakmaty::<false>),
                };
                time(&mut field[1], expected, || Ok(cozy(&board, depth)))?;
                time(&mut field[2], expected, || Ok(shakmaty(&chess, depth)))?;
                if let (Mode::Bulk, Some(engine)) = (mode, &mut stockfish) {
                    time(&mut field[3], expected, || engine.perft(case.fen, depth))?;
                }
            }
            println!("\n{}, depth {depth}, {title}: {expected} nodes", case.name);
            let own = field[0].best.as_secs_f64();
            for contestant in field.iter().filter(|contestant| contestant.best < Duration::MAX) {
                let seconds = contestant.best.as_secs_f64();
                let speed = expected as f64 / seconds / 1e6;
                println!("  {:<11} {speed:>7.1} Mnps   we are {:.2} times as fast", contestant.name, seconds / own);
                if contestant.name != names[0] {
                    worst[mode as usize] = worst[mode as usize].min(seconds / own);
                }
            }
        }
    }
    println!("\nsmallest ratio to any of them: {:.2} bulk, {:.2} every leaf", worst[0], worst[1]);
    Ok(())
}
