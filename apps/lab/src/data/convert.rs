//! `kiebitz-lab data convert`: from any format to any other.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kiebitz_dataset::{Chain, Counts, Description, Filter, Removals, WrittenFile};
use serde::Serialize;

use super::filter_arguments::FilterArguments;
use super::progress::bytes_bar;
use super::{forgive_truncation, format_of, open, reason_name};

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
    /// The inputs' format, where the ending does not say it: kiebitz, binpack, viriformat, bulletformat, plain, text, epd.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// The output's format, where the ending does not say it.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArguments,
}

const EXAMPLES: &str = "\
Files that are cut off are used as far as they go, with a warning. Exit code: 0 when the output is complete, 1 otherwise.

Examples:
  kiebitz-lab data convert training.binpack --output training.kbz
  kiebitz-lab data convert a.kbz b.kbz --output quiet.bf --no-check --no-captures --max-score 2000
  kiebitz-lab data convert games.vf --output games.plain --json";

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    counts: Counts,
    removed: Removals,
    #[serde(flatten)]
    written: WrittenFile,
}

/// Converts.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let format = format_of(&arguments.output, arguments.to.as_deref())?;
    let sources = arguments.inputs.iter().map(|path| path.display().to_string()).collect();
    let mut sink = format.create(&arguments.output, &Description { sources, ..Description::default() })?;
    let filter = arguments.filter.filter();
    let filtering = filter != Filter::default();
    let (mut counts, mut removed) = (Counts::default(), Removals::new());
    for path in &arguments.inputs {
        let mut source = open(path, arguments.from.as_deref())?;
        let bar = bytes_bar(std::fs::metadata(path)?.len(), &path.display().to_string());
        let mut chain = Chain::default();
        let result = loop {
            match source.next_chain(&mut chain) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            if filtering {
                filter.apply(&mut chain, &mut removed);
            }
            counts += Counts { chains: 1, positions: chain.links.len() as u64, samples: chain.samples() as u64 };
            sink.write(&chain)?;
            bar.set_position(source.consumed());
        };
        bar.finish_and_clear();
        forgive_truncation(result, &mut io::stderr())?;
    }
    let report = Report { counts, removed, written: sink.finish()? };
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    let Counts { chains, positions, samples } = report.counts;
    writeln!(output, "{chains} chains, {positions} positions, {samples} samples")?;
    for (reason, count) in &report.removed {
        writeln!(output, "  {count} removed: {}", reason_name(reason))?;
    }
    let per_sample = report.written.bytes as f64 / samples.max(1) as f64;
    writeln!(output, "{}: {} bytes, {per_sample:.3} a sample", report.written.file, report.written.bytes)?;
    Ok(())
}
