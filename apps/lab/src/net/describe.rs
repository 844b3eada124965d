//! `kiebitz-lab net describe`: a network, layer by layer.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kiebitz_network::{NetworkSpec, QuantisedWeights};
use serde::Serialize;

/// Which file.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, or Stockfish's .nnue; .zst files are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Exit code: 0, or 1 if the file is no network.

Examples:
  kiebitz-lab net describe nn-62ef826d1a6d.nnue";

/// One group of weights.
#[derive(Serialize)]
struct Part {
    part: String,
    inputs: usize,
    outputs: usize,
    smallest: i64,
    largest: i64,
    /// The share of weights that are zero.
    zero: f64,
}

/// Describes every group of weights.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let file = super::read(&arguments.file)?;
    let parts = parts(file.spec(), &file.weights);
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &parts).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    writeln!(
        output,
        "{:<22} {:>9} {:>8} {:>9} {:>9} {:>8}",
        "part", "inputs", "outputs", "smallest", "largest", "zero"
    )?;
    for Part { part, inputs, outputs, smallest, largest, zero } in parts {
        writeln!(output, "{part:<22} {inputs:>9} {outputs:>8} {smallest:>9} {largest:>9} {:>6.1} %", 100.0 * zero)?;
    }
    Ok(())
}

fn parts(spec: &NetworkSpec, weights: &QuantisedWeights) -> Vec<Part> {
    let rows = spec.features().count() as usize;
    let wide = |values: &[i16]| values.iter().map(|&value| i64::from(value)).collect::<Vec<_>>();
    let mut parts = vec![part("accumulator", rows, spec.accumulated().width, &wide(&weights.accumulator_weights))];
    if spec.accumulated().shortcut {
        let values: Vec<i64> = weights.shortcut_weights.iter().map(|&value| i64::from(value)).collect();
        parts.push(part("shortcut", rows, spec.buckets.count, &values));
    }
    for (bucket, stack) in weights.stacks.iter().enumerate() {
        for (number, layer) in stack.iter().enumerate() {
            let name = format!("bucket {bucket}, layer {}", number + 1);
            parts.push(part(&name, layer.inputs, layer.outputs, &wide(&layer.weights)));
        }
    }
    parts
}

fn part(name: &str, inputs: usize, outputs: usize, values: &[i64]) -> Part {
    let zeros = values.iter().filter(|&&value| value == 0).count();
    Part {
        part: name.to_owned(),
        inputs,
        outputs,
        smallest: values.iter().copied().min().unwrap_or(0),
        largest: values.iter().copied().max().unwrap_or(0),
        zero: zeros as f64 / values.len().max(1) as f64,
    }
}
