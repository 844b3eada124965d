//! `kiebitz-lab data label`: scores from any UCI engine.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use kiebitz_dataset::{
    Chain, ChainSource, DatasetError, Format, LabelLimit, Labelled, Labelling, MANIFEST_VERSION, Manifest,
    ManifestFile, OldScores, Removals, ShardIndex,
};
use serde::Serialize;
use serde_json::json;

use super::progress::{bytes_bar, steps_bar};
use super::{forgive_truncation, format_of, keep_apart, open};
use crate::engine_arguments::EngineArguments;
use crate::match_play::engine_text::find_program;

/// What to label.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of samples.
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// Where the labelled samples go: a shard, .kbz.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The engine: a program by path or name.
    #[arg(long, value_name = "PROGRAM")]
    engine: String,
    #[command(flatten)]
    engine_arguments: EngineArguments,
    /// Search so many plies.
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Search so many nodes.
    #[arg(long, value_name = "NODES")]
    nodes: Option<u64>,
    /// Search so many milliseconds; scores then depend on the machine.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// So many engine processes at a time [default: one for each CPU].
    #[arg(long, value_name = "N")]
    processes: Option<NonZeroUsize>,
    /// The input's format, where the ending does not say it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Every sample gets the engine's score; old ones are replaced. Each game begins with a fresh engine, so that the result does not
depend on the number of processes. A killed engine is started again and repeats its game. A run that was interrupted goes on
when it is called again: the scores of finished games are in a journal beside the output (.labels).
Exit code: 0 when all samples are labelled, 1 after an error, 3 when it was interrupted.

Examples:
  kiebitz-lab data label positions.kbz --output labelled.kbz --engine stockfish --depth 9
  kiebitz-lab data label positions.kbz --output labelled.kbz --engine stockfish --nodes 5000 --option Hash=16 --processes 16";

/// The exit code of a run that was interrupted.
const EXIT_INTERRUPTED: u8 = 3;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    labelled: Labelled,
    seconds: f64,
    samples_per_second: f64,
}

/// Labels.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    if format_of(&arguments.output, None)? != Format::Kiebitz {
        bail!("labels go into shards (.kbz); `kiebitz-lab data convert` makes other formats of them");
    }
    keep_apart(std::slice::from_ref(&arguments.input), &[&arguments.output])?;
    let start = Instant::now();
    let labelling = Labelling {
        engine: arguments.engine_arguments.command(find_program(&arguments.engine)?),
        limit: LabelLimit { depth: arguments.depth, nodes: arguments.nodes, milliseconds: arguments.movetime },
        processes: arguments
            .processes
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
    };
    let format = format_of(&arguments.input, arguments.from.as_deref())?;
    let samples = count(&arguments.input, format)?;
    let stop = Arc::new(AtomicBool::new(false));
    let request = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once; the journal is safe either way.
    let _ = ctrlc::set_handler(move || request.store(true, Ordering::Relaxed));
    let bar = steps_bar(samples, "labelled");
    let sources = [arguments.input.display().to_string()];
    let open = || -> Result<Box<dyn ChainSource + Send>, DatasetError> { format.open(&arguments.input) };
    let labelled = labelling.run(&open, &sources, &arguments.output, OldScores::Replaced, &stop, |progress| {
        bar.set_position(progress.samples);
    });
    bar.finish_and_clear();
    let labelled = labelled?;
    let complete = write_manifest(arguments, &labelling, &labelled, &sources)?;
    let seconds = start.elapsed().as_secs_f64();
    let samples_per_second = labelled.progress.samples as f64 / seconds;
    print(arguments.json, &Report { labelled, seconds, samples_per_second }, output)?;
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(EXIT_INTERRUPTED) })
}

/// How many samples there are, for the bar; a file that is cut off is told of here, once.
fn count(path: &Path, format: Format) -> Result<u64> {
    if format == Format::Kiebitz {
        let index = ShardIndex::read(path)?;
        if let Some(at) = index.cut_at {
            forgive_truncation(Err(DatasetError::Truncated { file: path.to_owned(), at }), &mut io::stderr())?;
        }
        return Ok(index.counts().samples);
    }
    let mut source = open(path, Some(format.name()))?;
    let bar = bytes_bar(fs::metadata(path).map_or(0, |data| data.len()), "counting samples");
    let (mut chain, mut samples) = (Chain::default(), 0);
    let end = loop {
        match source.next_chain(&mut chain) {
            Ok(true) => {
                samples += chain.samples() as u64;
                bar.set_position(source.consumed());
            }
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    bar.finish_and_clear();
    forgive_truncation(end, &mut io::stderr())?;
    Ok(samples)
}

/// Writes the manifest of a finished output; `false` if it is not finished.
fn write_manifest(
    arguments: &Arguments,
    labelling: &Labelling,
    labelled: &Labelled,
    sources: &[String],
) -> Result<bool> {
    let Some(written) = &labelled.written else { return Ok(false) };
    Manifest {
        version: MANIFEST_VERSION,
        made_by: "label".to_owned(),
        files: vec![ManifestFile { written: written.clone(), counts: labelled.counts }],
        sources: sources.to_vec(),
        rules: json!({
            "engine": labelled.engine,
            "options": labelling.engine.options,
            "limit": labelling.limit,
            "program": format!("kiebitz-lab {}", env!("KIEBITZ_VERSION")),
        }),
        removed: Removals::new(),
    }
    .write(&Manifest::path_of(&arguments.output))?;
    Ok(true)
}

fn print(json: bool, report: &Report, output: &mut impl Write) -> Result<()> {
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(report)?)?;
        return Ok(());
    }
    let Labelled { progress, engine, written, .. } = &report.labelled;
    writeln!(output, "{engine}: {} games, {} samples", progress.games, progress.samples)?;
    if progress.found > 0 {
        writeln!(output, "  {} games were done before", progress.found)?;
    }
    if progress.restarts > 0 {
        writeln!(output, "  the engine had to be started again {} times", progress.restarts)?;
    }
    match written {
        Some(written) => writeln!(output, "{}: {} bytes", written.file, written.bytes)?,
        None => writeln!(output, "interrupted: the same command goes on")?,
    }
    writeln!(output, "{:.1} s, {:.0} samples a second", report.seconds, report.samples_per_second)?;
    Ok(())
}
