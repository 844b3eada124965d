//! `kiebitz-lab forge`: from games to a proved network.

mod display;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_compute::Device;
use kiebitz_dataset::LabelLimit;
use kiebitz_forge::{ContestSettings, DEFAULT_RECIPE, Forge, ForgeError, ForgeSettings, Forged, Teacher};
use kiebitz_tournament::TimeControl;
use kiebitz_trainer::{Recipe, RecipeError};

use self::display::Display;
use crate::engine_arguments::EngineArguments;
use crate::match_play::engine_text::find_program;
use crate::train;
use crate::train::device::DeviceChoice;

/// What to forge of what.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Games (.pgn, .pgn.zst, .pgn.gz, .pgn.bz2) or samples (.kbz, .binpack and others).
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Where the network goes; its card (.md, .json) and the curves of its training (.html) stand beside it, its
    /// stages in a folder (.forge).
    #[arg(long, short, value_name = "FILE.net")]
    out: PathBuf,
    /// Show the whole path in two minutes; the network is a toy.
    #[arg(long)]
    quick: bool,
    /// Decides everything that is left to chance.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The most samples that are taken [default: 2400000, quick: 80000].
    #[arg(long, value_name = "N")]
    samples: Option<u64>,
    /// Random positions of each game of a PGN file.
    #[arg(long, value_name = "N", default_value_t = 24)]
    per_game: usize,
    /// An engine that scores samples without a score, instead of our own: a program by path or name.
    #[arg(long, value_name = "PROGRAM")]
    teacher: Option<String>,
    #[command(flatten)]
    teacher_arguments: EngineArguments,
    /// Nodes of the teacher for each sample [default: 500, quick: 100].
    #[arg(long, value_name = "NODES")]
    nodes: Option<u64>,
    /// The share of games for validation.
    #[arg(long, value_name = "SHARE", default_value_t = 0.03)]
    validation: f64,
    /// A recipe for network, filter, loss, optimiser and length, as `kiebitz-lab train` takes it; its data are replaced.
    #[arg(long, value_name = "RUN.toml")]
    recipe: Option<PathBuf>,
    /// Positions that the network sees, instead of the recipe's [quick: 2000000].
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// A network to play against instead of the hand-crafted evaluation.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Games against each of the two opponents; 0 plays none [default: 200, quick: 20].
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// What limits thinking in these games: nodes=5000, 1+0.01 … [default: nodes=5000, quick: nodes=1000].
    #[arg(long, value_name = "LIMIT")]
    limit: Option<TimeControl>,
    /// The engine program that plays [default: kiebitz beside this program, or in PATH].
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// What trains.
    #[arg(long, value_enum, default_value_t = DeviceChoice::Cpu)]
    device: DeviceChoice,
    /// Threads for everything; 0 means one for each CPU.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Tell what happens as JSON lines, the card as the last one.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The stages: import and filter, label samples without a score (evaluations in comments are used), shuffle, split, train and
quantise, prove that nothing can overflow, play against the hand-crafted evaluation (or --against) and against material and
tables, write the card. What is finished stays finished: interrupted anywhere, also by kill -9, the same command goes on.
Inputs, options, seed and program decide the network's bytes. The defaults take about five minutes on two cores.

Exit code: 0 when the network is there, 1 if something failed, 3 when it was interrupted.

Examples:
  kiebitz-lab forge games.pgn.zst --out my.net
  kiebitz-lab forge games.pgn.zst --out toy.net --quick
  kiebitz-lab forge selfplay.binpack --out next.net --against my.net --device cuda --recipe runs/small-walks.toml
  kiebitz-lab forge games.pgn.zst --out my.net --teacher stockfish --option Hash=4 --nodes 2000";

/// The exit code of a job that was interrupted.
const EXIT_INTERRUPTED: u8 = 3;

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<ExitCode> {
    let forge = Forge::new(arguments.settings()?)?;
    let threads = arguments.threads;
    let result = match arguments.device {
        DeviceChoice::Cpu => watch(arguments, &forge, || kiebitz_compute::Cpu::new(threads), out),
        #[cfg(feature = "cuda")]
        DeviceChoice::Cuda => watch(arguments, &forge, || kiebitz_compute::Cuda::open(0), out),
        #[cfg(not(feature = "cuda"))]
        DeviceChoice::Cuda => {
            anyhow::bail!("this program was built without CUDA; build it with --features cuda, or use --device cpu")
        }
    };
    let forged = match result {
        Err(error) if matches!(error.downcast_ref(), Some(ForgeError::Stopped(_))) => {
            writeln!(std::io::stderr(), "{error}")?;
            return Ok(ExitCode::from(EXIT_INTERRUPTED));
        }
        result => result?,
    };
    train::report::write(&forged.run, &arguments.out.with_extension("html"))?;
    if arguments.json {
        writeln!(out, "{}", serde_json::json!({ "event": "forged", "card": forged.card }))?;
    } else {
        writeln!(out, "{}", std::fs::read_to_string(&forged.text)?)?;
        writeln!(out, "{}", forged.network.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn watch<D: Device>(
    arguments: &Arguments,
    forge: &Forge,
    device: impl FnOnce() -> Result<D, kiebitz_compute::ComputeError>,
    out: &mut impl Write,
) -> Result<Forged> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once; what is finished is safe either way.
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
    let mut display = Display::new(arguments.json);
    let mut failed = None;
    let result = forge.run(device, &stop, &mut |event| {
        if let Err(error) = display.show(event, out) {
            failed = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    display.close();
    match failed {
        Some(error) => Err(error),
        None => Ok(result?),
    }
}

impl Arguments {
    fn settings(&self) -> Result<ForgeSettings> {
        let quick = |usual: u64, quick: u64| if self.quick { quick } else { usual };
        let nodes = self.nodes.unwrap_or(quick(500, 100));
        let teacher = match &self.teacher {
            None => Teacher::Own { nodes },
            Some(program) => Teacher::Engine {
                command: self.teacher_arguments.command(find_program(program)?),
                limit: LabelLimit { nodes: Some(nodes), ..LabelLimit::default() },
            },
        };
        let limit = match self.limit {
            Some(limit) => limit,
            None => format!("nodes={}", quick(5_000, 1_000)).parse()?,
        };
        anyhow::ensure!(
            (0.0..1.0).contains(&self.validation),
            "the share for validation is {}, but must lie between 0 and 1",
            self.validation
        );
        let threads = NonZeroUsize::new(self.threads)
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN);
        Ok(ForgeSettings {
            inputs: self.inputs.clone(),
            out: self.out.clone(),
            seed: self.seed,
            samples: self.samples.unwrap_or(quick(2_400_000, 80_000)),
            per_game: self.per_game.max(1),
            teacher,
            validation: self.validation,
            recipe: self.recipe()?,
            contest: ContestSettings {
                engine: engine_program(self.engine.as_deref())?,
                against: self.against.clone(),
                limit,
                games: self.games.unwrap_or(if self.quick { 20 } else { 200 }),
            },
            threads,
            program: concat!("kiebitz-lab ", env!("KIEBITZ_VERSION")).to_owned(),
        })
    }

    /// The recipe given or ours, shortened as asked.
    fn recipe(&self) -> Result<Recipe> {
        let mut recipe = match &self.recipe {
            None => Recipe::parse(DEFAULT_RECIPE)?,
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                let read: Result<Recipe, RecipeError> = Recipe::parse(&text);
                read.with_context(|| path.display().to_string())?
            }
        };
        if self.quick && self.recipe.is_none() {
            recipe.training.positions = 2_000_000;
            recipe.training.epoch = 400_000;
            recipe.training.validation = 5_000;
            recipe.training.batch = 2_048;
        }
        if let Some(positions) = self.positions {
            recipe.training.positions = positions;
        }
        recipe.check()?;
        Ok(recipe)
    }
}

/// The program that plays: what was named, or `kiebitz` where this program lies.
pub(crate) fn engine_program(named: Option<&str>) -> Result<PathBuf> {
    if let Some(name) = named {
        return find_program(name);
    }
    let name = format!("kiebitz{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name(&name));
    match beside.filter(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => find_program(&name)
            .context("the engine that plays the match is missing; build it, or name it with --engine"),
    }
}
