//! `kiebitz-lab data show`: samples as boards.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use kiebitz_chess::{CastlingForm, Color, Piece, Rank, Square};
use kiebitz_dataset::{Chain, Sample};
use serde::Serialize;

use super::open;

/// What to show.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of samples.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file's format, where the ending does not say it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// The number of the first sample, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// How many samples.
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// One JSON object a sample and line.
    #[arg(long)]
    json: bool,
}

/// A sample for machines; score and clock are the mover's.
#[derive(Serialize)]
struct Line {
    number: u64,
    fen: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    san: Option<String>,
    score: Option<i16>,
    result: Option<String>,
    ratings: [Option<u16>; 2],
    /// Hundredths of a second.
    clock: Option<u32>,
    ply: u32,
}

impl Line {
    fn new(number: u64, sample: &Sample<'_>) -> Self {
        let (position, link) = (sample.position, sample.link);
        Self {
            number,
            fen: position.to_string(),
            mv: link.mv.map(|mv| position.uci(mv, CastlingForm::KingMove)),
            san: link.mv.map(|mv| position.san(mv).to_string()),
            score: link.score,
            result: sample.head.result.map(|result| result.to_string()),
            ratings: sample.head.ratings,
            clock: link.clock,
            ply: sample.ply(),
        }
    }
}

const EXAMPLES: &str = "\
Exit code: 0 when the samples could be read, 1 otherwise.

Examples:
  kiebitz-lab data show training.kbz
  kiebitz-lab data show training.binpack --first 1000 --count 3
  kiebitz-lab data show training.kbz --count 100 --json";

/// Shows.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let mut source = open(&arguments.file, arguments.from.as_deref())?;
    let mut chain = Chain::default();
    let mut number = 0;
    let end = arguments.first.saturating_add(arguments.count);
    while number < end && source.next_chain(&mut chain)? {
        let mut outcome = Ok(());
        chain.visit(|position, link| {
            if link.kept {
                if (arguments.first..end).contains(&number) && outcome.is_ok() {
                    let sample = Sample { head: &chain.head, position, link };
                    outcome = match arguments.json {
                        true => tell(number, &sample, output),
                        false => show(number, &sample, output),
                    };
                }
                number += 1;
            }
        });
        outcome?;
    }
    if number <= arguments.first {
        bail!("{} has only {number} samples", arguments.file.display());
    }
    Ok(())
}

fn tell(number: u64, sample: &Sample<'_>, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{}", serde_json::to_string(&Line::new(number, sample))?)
}

fn show(number: u64, sample: &Sample<'_>, output: &mut impl Write) -> io::Result<()> {
    let (position, link) = (sample.position, sample.link);
    writeln!(output, "sample {number}: {position}")?;
    for rank in Rank::ALL.into_iter().rev() {
        let squares = Square::ALL.into_iter().filter(|square| square.rank() == rank);
        let letter = |square| position.piece_at(square).map_or('.', Piece::to_char).to_string();
        writeln!(output, "  {} {}", rank.to_char(), squares.map(letter).collect::<Vec<_>>().join(" "))?;
    }
    writeln!(output, "    a b c d e f g h")?;
    if let Some(mv) = link.mv {
        writeln!(output, "  move    {}", position.san(mv))?;
    }
    if let Some(score) = link.score {
        writeln!(output, "  score   {score} for {}", position.side_to_move())?;
    }
    if let Some(result) = sample.head.result {
        writeln!(output, "  result  {result}")?;
    }
    for color in Color::ALL {
        if let Some(rating) = sample.head.ratings[color as usize] {
            writeln!(output, "  rating  {rating} ({color})")?;
        }
    }
    if let Some(clock) = link.clock {
        writeln!(output, "  clock   {:.1} s", f64::from(clock) / 100.0)?;
    }
    Ok(())
}
