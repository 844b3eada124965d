//! `kiebitz-lab train`: follows a recipe to a network.

pub(crate) mod device;
pub(crate) mod speed;

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_compute::Device;
use kiebitz_trainer::{Event, Recipe, Run};

use self::device::{DeviceChoice, with_device};

/// Which recipe, where, on what.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The recipe.
    #[arg(value_name = "RUN.toml")]
    recipe: PathBuf,
    /// The run's folder; by default workspace/runs/NAME.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Go on where the last checkpoint is.
    #[arg(long)]
    resume: bool,
    /// What computes.
    #[arg(long, value_enum, default_value_t = DeviceChoice::Cpu)]
    device: DeviceChoice,
    /// Threads that prepare batches, and compute with --device cpu; 0 means all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Print events as JSON lines instead of a progress bar.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A run's folder holds the recipe, log.jsonl (one event a line), checkpoints in parts of 15 MB, and in the end the network
with its certificate. Recipe and data decide the network bit for bit, on any number of threads, also after --resume.

Exit code: 0 when the network is written, 1 if something failed; a stopped run goes on with --resume.

Examples:
  kiebitz-lab train runs/halfkp.toml
  kiebitz-lab train runs/halfkp.toml --device cuda --threads 16
  kiebitz-lab train runs/halfkp.toml --resume --json";

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<ExitCode> {
    let name = arguments.recipe.display();
    let text = std::fs::read_to_string(&arguments.recipe).with_context(|| format!("{name}"))?;
    let recipe = Recipe::parse(&text).with_context(|| format!("{name}"))?;
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from("workspace/runs").join(&recipe.name));
    with_device!(arguments.device, arguments.threads, |device| train(arguments, &recipe, &folder, device, out))
}

/// How many threads prepare batches.
fn loader_threads(threads: usize) -> NonZeroUsize {
    let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(threads).unwrap_or(all)
}

fn train<D: Device>(
    arguments: &Arguments,
    recipe: &Recipe,
    folder: &std::path::Path,
    device: D,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // A second handler cannot be set; then Ctrl-C simply ends the program, and the last checkpoint stays.
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
    let made_by = concat!("kiebitz-lab ", env!("KIEBITZ_VERSION"));
    let threads = loader_threads(arguments.threads);
    let mut run = Run::open(recipe, folder, device, threads, arguments.resume, made_by)?;
    let bar = ProgressBar::new(recipe.steps() * recipe.training.batch as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} positions, {msg}, {eta} left") {
        bar.set_style(style);
    }
    let mut failed = None;
    let mut told = |event: &Event| {
        let result = match arguments.json {
            true => {
                serde_json::to_writer(&mut *out, event).map_err(anyhow::Error::from).and_then(|()| Ok(writeln!(out)?))
            }
            false => show(event, &bar, out),
        };
        failed = result.err();
        let goes_on = failed.is_none() && !stop.load(Ordering::Relaxed);
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let result = run.train(&mut told);
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error);
    }
    result?;
    Ok(ExitCode::SUCCESS)
}

fn show(event: &Event, bar: &ProgressBar, out: &mut impl Write) -> Result<()> {
    let mut line = None;
    match event {
        Event::Start { network, device, parameters, samples, step, .. } => {
            line = Some(format!("{network}{parameters} parameters on {device}; {samples} samples; {step} steps done"));
        }
        Event::Steps { positions, loss, speed, .. } => {
            bar.set_position(*positions);
            bar.set_message(format!("loss {loss:.6}, {:.2} M/s", speed / 1e6));
        }
        Event::Validation { positions, loss, .. } => {
            line = Some(format!("{positions:>12} positions: validation loss {loss:.6}"));
        }
        Event::Checkpoint { .. } => {}
        Event::End { file, checksum, seconds, .. } => {
            line = Some(format!("{file} in {seconds:.0} s, SHA-256 {}", &checksum[..16]));
        }
    }
    if let Some(line) = line {
        bar.suspend(|| writeln!(out, "{line}"))?;
    }
    Ok(())
}
