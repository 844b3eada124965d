//! `kiebitz-lab net eval`: what does a network say about positions?

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_chess::{Color, FenMode, Position};
use kiebitz_network::{NetworkFile, reference};
use serde::Serialize;

/// A line was no position.
const EXIT_BROKEN: u8 = 1;

/// Which network, and which positions.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, or Stockfish's .nnue; .zst files are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A position; may be given several times.
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,
    /// A file with one position a line, - for the standard input; text behind a tab is ignored.
    #[arg(long, value_name = "LIST")]
    fens: Option<PathBuf>,
    /// One JSON object a line: fen, raw (internal units) and cp (centipawns), both as White sees them.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
All values are as White sees them. A line that is no position is reported and left out.
Exit code: 0, or 1 if a line is no position or something cannot be read.

Examples:
  kiebitz-lab net eval nn-62ef826d1a6d.nnue --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"
  kiebitz-lab net eval kiebitz.knet --fens positions.fen --json > values.jsonl";

#[derive(Serialize)]
struct Line<'a> {
    fen: &'a str,
    raw: i32,
    cp: i32,
    bucket: usize,
    /// The parts of `raw` that come from the shortcut and through the layers.
    shortcut: i32,
    positional: i32,
}

/// Evaluates and prints.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let file = super::read(&arguments.file)?;
    let mut broken = 0;
    for fen in &arguments.fen {
        broken += evaluate(&file, fen, arguments.json, output)?;
    }
    if let Some(path) = &arguments.fens {
        let reader: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).with_context(|| path.display().to_string())?))
        };
        for line in reader.lines() {
            let line = line?;
            let fen = line.split('\t').next().unwrap_or("").trim();
            if !fen.is_empty() {
                broken += evaluate(&file, fen, arguments.json, output)?;
            }
        }
    }
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_BROKEN) })
}

/// Prints one value; gives 1 if the text is no position.
fn evaluate(file: &NetworkFile, fen: &str, json: bool, output: &mut impl Write) -> Result<u64> {
    let position = match Position::from_fen(fen, FenMode::Lenient) {
        Ok(position) => position,
        Err(error) => {
            writeln!(io::stderr(), "error: {fen}: {error}")?;
            return Ok(1);
        }
    };
    let evaluation = reference::evaluate_integers(file.spec(), &file.weights, &position);
    let white = |value: i32| if position.side_to_move() == Color::White { value } else { -value };
    let line = Line {
        fen,
        raw: white(evaluation.units),
        cp: white(evaluation.centipawns(file.spec())),
        bucket: evaluation.bucket,
        shortcut: white(evaluation.shortcut),
        positional: white(evaluation.positional),
    };
    if json {
        writeln!(output, "{}", serde_json::to_string(&line)?)?;
    } else {
        writeln!(output, "{:>7} cp {:>7} units  {fen}", line.cp, line.raw)?;
    }
    Ok(0)
}
