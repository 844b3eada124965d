//! `kiebitz-lab data convert`: from any format to any other.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kiebitz_dataset::{Chain, Counts, Description, Filter, MANIFEST_VERSION, Manifest, ManifestFile, Parts, Removals};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::filter_arguments::FilterArguments;
use super::part_arguments::PartArguments;
use super::progress::bytes_bar;
use super::{forgive_truncation, format_of, inputs_with_sizes, open, reason_name};

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

/// How far a conversion has come, as it stands in the state of its output.
#[derive(Default, Serialize, Deserialize)]
struct Reached {
    counts: Counts,
    removed: Removals,
}

/// Converts.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let format = format_of(&arguments.output, arguments.to.as_deref())?;
    let sources: Vec<String> = arguments.inputs.iter().map(|path| path.display().to_string()).collect();
    let description = Description { sources: sources.clone(), ..Description::default() };
    let filter = arguments.filter.filter();
    let filtering = filter != Filter::default();
    let limit = arguments.parts.limit();
    let job = json!({
        "files": inputs_with_sizes(&arguments.inputs),
        "filter": filter,
        "part": [limit.bytes, limit.samples],
        "score_factor": arguments.score_factor,
    });
    let fate = arguments.parts.fate(format);
    let mut parts = Parts::open(format, &arguments.output, &description, limit, fate, job)?;
    let Reached { mut counts, mut removed } = serde_json::from_value(parts.note().clone()).unwrap_or_default();
    let before = parts.consumed();
    let mut number = 0;
    for path in &arguments.inputs {
        let mut source = open(path, arguments.from.as_deref())?;
        let bar = bytes_bar(std::fs::metadata(path).map_or(0, |data| data.len()), &path.display().to_string());
        let mut chain = Chain::default();
        let result = loop {
            match source.next_chain(&mut chain) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            number += 1;
            if number <= before {
                continue;
            }
            multiply_scores(&mut chain, arguments.score_factor);
            if filtering {
                filter.apply(&mut chain, &mut removed);
            }
            counts += Counts { chains: 1, positions: chain.links.len() as u64, samples: chain.samples() as u64 };
            parts.write(&chain)?;
            parts.unit_done(number, || json!(Reached { counts, removed: removed.clone() }))?;
            bar.set_position(source.consumed());
        };
        bar.finish_and_clear();
        forgive_truncation(result, &mut io::stderr())?;
    }
    let report = Report { counts, removed, files: parts.finish()? };
    Manifest {
        version: MANIFEST_VERSION,
        made_by: "convert".to_owned(),
        files: report.files.clone(),
        sources,
        rules: serde_json::to_value(&filter)?,
        removed: report.removed.clone(),
    }
    .write(&Manifest::path_of(&arguments.output))?;
    print(arguments.json, &report, output)
}

/// Scores that leave the range of an i16 become its ends.
fn multiply_scores(chain: &mut Chain, factor: f64) {
    if factor == 1.0 {
        return;
    }
    for score in chain.links.iter_mut().filter_map(|link| link.score.as_mut()) {
        *score = (f64::from(*score) * factor).round() as i16;
    }
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
    for ManifestFile { written, counts } in &report.files {
        let per_sample = written.bytes as f64 / counts.samples.max(1) as f64;
        writeln!(output, "{}: {} bytes, {per_sample:.3} a sample", written.file, written.bytes)?;
    }
    Ok(())
}
