//! `kiebitz-lab train`: follows a recipe to a network.

pub(crate) mod curves;
mod dashboard;
pub(crate) mod device;
pub(crate) mod display;
pub(crate) mod report;
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
use kiebitz_compute::Device;
use kiebitz_trainer::{Event, Recipe, Run};

use self::device::{DeviceChoice, with_device};
use self::display::Display;

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
    /// Print events as JSON lines instead of a dashboard.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A run's folder holds the recipe, log.jsonl (one event a line), checkpoints in parts of 15 MB, and in the end the network
with its certificate and report.html with the curves. On a terminal a dashboard shows losses, learning rate, speed and time left. Recipe and data decide the network bit for bit, on any number of threads, also after --resume.

Exit code: 0 when the network is written, 1 if something failed; a stopped run goes on with --resume.

The recipes in runs/ need their data first: runs/regions.toml has the commands, and those that name training.start need that run, too.

Examples:
  kiebitz-lab train runs/small-walks.toml
  kiebitz-lab train runs/small.toml --device cuda --threads 16
  kiebitz-lab train runs/small.toml --resume --json";

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
    let mut display = (!arguments.json).then(Display::open);
    let mut failed = None;
    let mut told = |event: &Event| {
        match &mut display {
            Some(display) => display.show(event),
            None => {
                let line = serde_json::to_string(event).map_err(anyhow::Error::from);
                failed = line.and_then(|line| Ok(writeln!(out, "{line}")?)).err();
            }
        }
        let goes_on = failed.is_none() && !stop.load(Ordering::Relaxed);
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let result = run.train(&mut told);
    if let Some(display) = display {
        display.close();
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let network = result?;
    let report = folder.join("report.html");
    report::write(folder, &report)?;
    if !arguments.json {
        writeln!(out, "{}", network.display())?;
        writeln!(out, "{}", report.display())?;
    }
    Ok(ExitCode::SUCCESS)
}
