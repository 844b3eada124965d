//! `kiebitz-lab data walk`: random walks away from games, scored by a network at a glance.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use kiebitz_dataset::{
    Counts, Description, Format, IntakeOutput, MANIFEST_VERSION, Manifest, ManifestFile, Removals, WrittenFile,
};
use kiebitz_inference::Network;
use kiebitz_selfplay::{WalkRules, Wandering, WanderingProgress};
use serde_json::json;

use super::part_arguments::PartArguments;
use super::progress::bytes_bar;
use super::{format_of, keep_apart};

/// Where to walk.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of samples with moves.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The shard for the walks.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The network that scores, ours or Stockfish's .nnue.
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// Walks from each sample.
    #[arg(long, value_name = "N", default_value_t = 1)]
    walks: u32,
    /// Moves of a walk.
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    plies: u32,
    /// Decides the moves.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// The inputs' format, where the ending does not say it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Threads [default: one for each CPU].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    parts: PartArguments,
}

const EXAMPLES: &str = "\
A search asks about positions that no game reaches. From every sample, walks of a few random moves lead to such positions; moves that give
material away are drawn seldom. Where the side to move is not in check and no capture or promotion wins material, the position becomes a
sample, with what the network says without any search; it has no result. The same seed gives the same bytes, on any number of threads, and a
job that was interrupted goes on when it is called again. Exit code: 0 when the output is complete, 1 otherwise.

Examples:
  kiebitz-lab data walk games.kbz --net nn-62ef826d1a6d.nnue --output walks.kbz
  kiebitz-lab data walk games/*.kbz --net best.net --walks 8 --plies 4 --seed 3 --output walks.kbz --part-size 500";

/// Walks.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let start = Instant::now();
    if arguments.walks == 0 || arguments.plies == 0 || arguments.plies > 100 {
        bail!("a position has at least one walk, and a walk 1 to 100 moves");
    }
    let format = format_of(&arguments.output, None)?;
    if format != Format::Kiebitz {
        bail!("walks go into a shard of our own (.kbz); `kiebitz-lab data convert` turns it into anything else");
    }
    keep_apart(&arguments.inputs, &[&arguments.output])?;
    let WrittenFile { file, crc32, .. } = WrittenFile::of(&arguments.net)?;
    let named = || arguments.net.display().to_string();
    let network = Network::new(&crate::net::read(&arguments.net)?).with_context(named)?;
    let inputs: Vec<(PathBuf, Format)> = arguments
        .inputs
        .iter()
        .map(|path| Ok((path.clone(), format_of(path, arguments.from.as_deref())?)))
        .collect::<Result<_>>()?;
    let rules = WalkRules { seed: arguments.seed, walks: arguments.walks, plies: arguments.plies };
    let sources: Vec<String> = arguments.inputs.iter().map(|path| path.display().to_string()).collect();
    let description = Description {
        score_unit: format!("centipawns of {file} without search"),
        sources: sources.clone(),
        ..Description::default()
    };
    let (limit, fate) = (arguments.parts.limit(), arguments.parts.fate(format));
    let into = IntakeOutput { path: &arguments.output, format, description, limit, fate };
    let mut size = 0;
    for (path, _) in &inputs {
        size += fs::metadata(path).with_context(|| path.display().to_string())?.len();
    }
    let bar = bytes_bar(size, "walking");
    let stop = Arc::new(AtomicBool::new(false));
    let request = stop.clone();
    // Without a handler an interrupt ends the program at once; finished parts are safe either way.
    let _ = ctrlc::set_handler(move || request.store(true, Ordering::Relaxed));
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let job = Wandering { rules, network: &network, scored_by: format!("{file} {crc32}"), inputs };
    let files = job.run(&into, threads, |progress| {
        match progress {
            WanderingProgress::Walking { consumed, counts } => {
                bar.set_position(consumed);
                bar.set_message(format!("{} samples", counts.samples));
            }
            WanderingProgress::Joining { done, all } => {
                bar.set_length(all);
                bar.set_position(done);
                bar.set_message("joining parts");
            }
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let files = files?;
    let mut counts = Counts::default();
    files.iter().for_each(|file| counts += file.counts);
    Manifest {
        version: MANIFEST_VERSION,
        made_by: "walk".to_owned(),
        files: files.clone(),
        sources,
        rules: json!({ "walk": rules, "network": file, "network_crc32": crc32 }),
        removed: Removals::new(),
    }
    .write(&Manifest::path_of(&arguments.output))?;
    print(arguments.json, counts, &files, start.elapsed().as_secs_f64(), output)
}

fn print(json: bool, counts: Counts, files: &[ManifestFile], seconds: f64, output: &mut impl Write) -> Result<()> {
    if json {
        let report = json!({ "counts": counts, "files": files, "seconds": seconds });
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    let Counts { chains, positions, samples } = counts;
    let bytes: u64 = files.iter().map(|file| file.written.bytes).sum();
    writeln!(output, "{chains} walks, {positions} positions, {samples} samples")?;
    writeln!(output, "{bytes} bytes, {:.3} a sample", bytes as f64 / samples.max(1) as f64)?;
    writeln!(output, "{seconds:.1} s, {:.0} samples a second", samples as f64 / seconds.max(1e-9))?;
    Ok(())
}
