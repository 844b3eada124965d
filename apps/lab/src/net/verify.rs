//! `kiebitz-lab net verify`: can any integer of this network overflow?

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kiebitz_network::{Agreement, Bounds, Certificate, RoundingReport};
use serde::Serialize;

/// Some step may overflow for all that is known, or the stored certificate is wrong.
const EXIT_UNPROVED: u8 = 1;

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
Bounds are proved again. The distance to the floats is shown as it is stored, for a file has the integers alone.
Exit code: 0 if every step is proved and a stored certificate says the same, 1 otherwise.

Examples:
  kiebitz-lab net verify kiebitz.knet
  kiebitz-lab net verify --json nn-62ef826d1a6d.nnue";

#[derive(Serialize)]
struct Report {
    file: String,
    proved: bool,
    /// Whether the stored certificate says the same; nothing if there is none.
    certificate_agrees: Option<bool>,
    /// Steps that the stored certificate lacks because an older program wrote it.
    steps_not_stored: usize,
    bounds: Vec<Bounds>,
    /// Steps that vector instructions take in 16 bits; play goes around those that are not proved.
    vector_steps: Vec<Bounds>,
    /// As stored: it can only be measured where the float network is.
    rounding: Option<RoundingReport>,
}

/// Proves and compares.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let file = super::read(&arguments.file)?;
    let certificate = Certificate::new(file.spec(), &file.weights);
    let stored = file.header.certificate.as_ref();
    let agreement = stored.map(|stored| certificate.compared_with(stored));
    let report = Report {
        file: arguments.file.display().to_string(),
        proved: certificate.unproved().count() == 0,
        certificate_agrees: agreement.map(|agreement| agreement != Agreement::Different),
        steps_not_stored: match agreement {
            Some(Agreement::Older(missing)) => missing,
            _ => 0,
        },
        rounding: stored.and_then(|stored| stored.rounding.clone()),
        bounds: certificate.bounds,
        vector_steps: certificate.vector_steps,
    };
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        print(&report, output)?;
    }
    let sound = report.proved && report.certificate_agrees != Some(false);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(EXIT_UNPROVED) })
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let all = report.bounds.iter().map(|bounds| (bounds, "NOT PROVED"));
    let vectors = report.vector_steps.iter().map(|bounds| (bounds, "played without vectors"));
    for (bounds, unproved) in all.chain(vectors) {
        let Bounds { step, lowest, highest, limit } = bounds;
        let verdict = if bounds.is_proved() { "proved" } else { unproved };
        writeln!(output, "{step:<37} {lowest:>11} to {highest:>10}  of ±{limit:<10}  {verdict}")?;
    }
    match report.certificate_agrees {
        None => writeln!(output, "no certificate is stored")?,
        Some(true) if report.steps_not_stored > 0 => writeln!(
            output,
            "the stored certificate says the same, without {} of these steps: an older program wrote it",
            report.steps_not_stored
        )?,
        Some(true) => writeln!(output, "the stored certificate says the same")?,
        Some(false) => writeln!(output, "the stored certificate says something ELSE: do not trust this file")?,
    }
    if let Some(rounding) = &report.rounding {
        let RoundingReport { positions, mean_centipawns, largest_centipawns, changed_best_moves } = rounding;
        writeln!(
            output,
            "as stored, against its floats over {positions} positions: mean {mean_centipawns:.2} cp, largest \
             {largest_centipawns:.2} cp, another best move in {:.2} %; only where the floats are can this be measured again",
            100.0 * changed_best_moves
        )?;
    }
    let verdict = if report.proved { "no step can overflow" } else { "some steps may overflow for all that is known" };
    writeln!(output, "{}: {verdict}", report.file)
}
