//! `kiebitz-lab net bench`: how fast is this network on this machine?

use std::hint::black_box;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_chess::{FenMode, Position};
use kiebitz_features::BoardDelta;
use kiebitz_inference::{Evaluator, InstructionSet, Network};
use serde::Serialize;

/// Which network, and how long.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, or Stockfish's .nnue; .zst files are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How long every figure is measured, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 500)]
    milliseconds: u64,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
One core; every instruction set this CPU has. Exit code: 0, or 1 if the file is no network.

Examples:
  kiebitz-lab net bench nn-62ef826d1a6d.nnue
  kiebitz-lab net bench --json --milliseconds 3000 kiebitz.knet";

/// Positions of openings, middle games and endings; all their moves are tried.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
];

/// Evaluations a second for one instruction set.
#[derive(Serialize)]
struct Rates {
    instruction_set: &'static str,
    /// A move is played, the accumulators follow, the value is formed, the move is taken back.
    step: f64,
    /// The accumulators are ready, only the layers are computed.
    value: f64,
}

/// Measures and reports.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let file = super::read(&arguments.file)?;
    let time = Duration::from_millis(arguments.milliseconds);
    let positions = POSITIONS
        .iter()
        .map(|fen| Position::from_fen(fen, FenMode::Strict).context("a position of the bench"))
        .collect::<Result<Vec<_>>>()?;
    let mut all = Vec::new();
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let mut evaluator = Evaluator::new(&Network::with_instruction_set(&file, set)?);
        let step = rate(time, || positions.iter().map(|position| steps(&mut evaluator, position)).sum());
        let value = rate(time, || positions.iter().map(|position| values(&mut evaluator, position)).sum());
        all.push(Rates { instruction_set: set.word(), step, value });
    }
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &all).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    writeln!(output, "million a second   move and value   value alone")?;
    for rates in all {
        let (step, value) = (rates.step / 1e6, rates.value / 1e6);
        writeln!(output, "{:<18} {step:>14.2} {value:>13.2}", rates.instruction_set)?;
    }
    Ok(())
}

/// Repeats `round`, which tells how much it did, and gives the rate a second.
fn rate(time: Duration, mut round: impl FnMut() -> u64) -> f64 {
    round();
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < time {
        done += round();
    }
    done as f64 / start.elapsed().as_secs_f64()
}

fn steps(evaluator: &mut Evaluator, position: &Position) -> u64 {
    evaluator.reset(position);
    black_box(evaluator.evaluate(position));
    let moves = position.legal_moves();
    let mut next = position.clone();
    for mv in &moves {
        let mut delta = BoardDelta::default();
        position.play_into(mv, &mut next, &mut delta);
        evaluator.push(&delta);
        black_box(evaluator.evaluate(&next));
        evaluator.pop();
    }
    moves.len() as u64
}

fn values(evaluator: &mut Evaluator, position: &Position) -> u64 {
    const REPEATS: u64 = 100;
    evaluator.reset(position);
    for _ in 0..REPEATS {
        black_box(evaluator.evaluate(black_box(position)));
    }
    REPEATS
}
