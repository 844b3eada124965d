//! `kiebitz-lab net bench`: how fast is this network on this machine?

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use kiebitz_forge::Pace;
use kiebitz_inference::{InstructionSet, Network};
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
    let mut all = Vec::new();
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let Pace { step, value } = Pace::of(&Network::with_instruction_set(&file, set)?, time);
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
