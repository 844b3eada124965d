//! `kiebitz-lab data convert`: from any format to any other.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use kiebitz_dataset::{
    ConversionReport, ConversionRules, Counts, Description, Format, IntakeOutput, MANIFEST_VERSION, Manifest,
    ManifestFile, Removals, convert_files,
};
use serde::Serialize;

use super::filter_arguments::FilterArguments;
use super::part_arguments::PartArguments;
use super::progress::FileBars;
use super::{format_of, keep_apart, print_files, reason_name};

/// What to convert.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of samples.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where the samples go.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The inputs' format, where the ending does not say it: kiebitz, binpack, viriformat, bulletformat, plain, text,
    /// epd, npy, parquet.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// The output's format, where the ending does not say it.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Multiply every score with this, to bring the scores of different teachers to one unit.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    score_factor: f64,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    parts: PartArguments,
}

const EXAMPLES: &str = "\
Files that are cut off are used as far as they go, with a warning. Into shards or parts, a conversion that was interrupted goes on
when it is called again. A manifest beside the output (.json) says where it comes from. Exit code: 0 when the output is complete, 1 otherwise.

Examples:
  kiebitz-lab data convert training.binpack --output training.kbz
  kiebitz-lab data convert a.kbz b.kbz --output quiet.bf --no-check --no-captures --max-score 2000
  kiebitz-lab data convert games.vf --output games.plain --json
  kiebitz-lab data convert moves.kbz --output train.npy --part-samples 1000000
  kiebitz-lab data convert part-*.kbz --output whole.kbz
  kiebitz-lab data convert stockfish.binpack --output same-unit.kbz --score-factor 1.9";

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    counts: Counts,
    removed: Removals,
    files: Vec<ManifestFile>,
}

/// Converts.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let format = format_of(&arguments.output, arguments.to.as_deref())?;
    keep_apart(&arguments.inputs, &[&arguments.output])?;
    ensure!(
        arguments.score_factor.is_finite() && arguments.score_factor != 0.0,
        "the score factor is {}, which leaves nothing of any score",
        arguments.score_factor
    );
    let sources: Vec<String> = arguments.inputs.iter().map(|path| path.display().to_string()).collect();
    let description = Description { sources: sources.clone(), ..Description::default() };
    let (filter, score_factor) = (arguments.filter.filter(), arguments.score_factor);
    let rules = ConversionRules { filter, score_factor, most_samples: None };
    let inputs: Vec<(PathBuf, Format)> = arguments
        .inputs
        .iter()
        .map(|path| Ok((path.clone(), format_of(path, arguments.from.as_deref())?)))
        .collect::<Result<_>>()?;
    let (limit, fate) = (arguments.parts.limit(), arguments.parts.fate(format));
    let into = IntakeOutput { path: &arguments.output, format, description, limit, fate };
    let mut bars = FileBars::default();
    let result = convert_files(&inputs, &rules, &into, &mut |progress| {
        bars.show(&progress);
        ControlFlow::Continue(())
    });
    bars.finish();
    let (ConversionReport { counts, removed, cut_off }, files) = result?;
    for warning in &cut_off {
        writeln!(io::stderr(), "warning: {warning}")?;
    }
    if counts.samples == 0 {
        writeln!(io::stderr(), "warning: no sample is left; the inputs are empty, or the filters remove everything")?;
    }
    let report = Report { counts, removed, files };
    Manifest {
        version: MANIFEST_VERSION,
        made_by: "convert".to_owned(),
        files: report.files.clone(),
        sources,
        rules: serde_json::to_value(&rules.filter)?,
        removed: report.removed.clone(),
    }
    .write(&Manifest::path_of(&arguments.output))?;
    print(arguments.json, &report, output)
}

fn print(json: bool, report: &Report, output: &mut impl Write) -> Result<()> {
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    let Counts { chains, positions, samples } = report.counts;
    writeln!(output, "{chains} chains, {positions} positions, {samples} samples")?;
    for (reason, count) in &report.removed {
        writeln!(output, "  {count} removed: {}", reason_name(reason))?;
    }
    print_files(&report.files, output)
}
