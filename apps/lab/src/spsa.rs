//! `kiebitz-lab spsa`: tunes an engine's numbers by letting it play itself.

mod plot;
mod report;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_tournament::runner::{Event, MatchSettings, OpeningChoice};
use kiebitz_tournament::spsa::{
    Spsa, SpsaParameter, SpsaSettings, Step, Tuning, TuningEvent, TuningSettings, read_parameters,
};
use kiebitz_tournament::{DrawRule, ResignRule, ResignSides};

use crate::engine_arguments::option;
use crate::match_play::engine_text::{Defaults, contestant, read_margin};
use report::Report;

/// The run was stopped before its end.
const EXIT_STOPPED: u8 = 3;
/// Without a terminal the standing is told so often.
const QUIET: Duration = Duration::from_secs(10);
/// How often the plot is drawn while the run goes on.
const PLOT_INTERVAL: Duration = Duration::from_secs(30);

/// What is tuned, and by which games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The engine, with what belongs to it, as in a match: PROGRAM[,KEY=VALUE]…
    #[arg(value_name = "ENGINE")]
    engine: String,
    /// Keep the run here, so that it can be resumed after any interruption.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Go on with the run in --folder, or begin it if there is none.
    #[arg(long)]
    resume: bool,
    /// The numbers: lines 'name = 5 in 1..=10 step 1;' or JSON. Without it the engine is asked (ENGINE tunables --json).
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Tune only these numbers.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Openings, as in a match.
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Game pairs of the whole run.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Game pairs of one iteration.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pairs_per_iteration: u64,
    /// How much of its step a number follows a lead of one game at the end of the run.
    #[arg(long, value_name = "R", default_value_t = SpsaSettings::USUAL_LEARNING_RATE)]
    learning_rate: f64,
    /// Clock: TIME+INCREMENT in seconds.
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Positions to visit for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies to search for each move.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// What may be overstepped without losing on time, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "20")]
    margin: String,
    /// An option to set in the engine; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, Option<String>)>,
    /// Play every game to its end, instead of ending it when both sides see a decision or a draw.
    #[arg(long)]
    to_the_end: bool,
    /// Tosses the coins and draws the openings.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Every iteration moves all numbers at once, up or down by the toss of a coin, and lets the engine play the opposite moves.
Every number then goes a little the way of the winner: at the end of the run, a lead of one game moves it by --learning-rate
of its step. An engine of ours that can be tuned is built with: cargo build --release -p kiebitz --features tune

In --folder are: tuning.json (the state, replaced after every iteration), trajectory.jsonl (a line for every iteration),
trajectories.svg (a plot of them) and values.txt (the values as lines for parameters.rs).

Exit code: 0 if the run is over, 3 if it was stopped, 1 if something is wrong.

Examples:
  kiebitz-lab spsa ./kiebitz --nodes 5000 --book book.epd.zip --folder tuning --concurrency 2
  kiebitz-lab spsa ./kiebitz --tc 1+0.01 --book book.epd --folder tuning --only razoring_base,razoring_margin --pairs 20000
  kiebitz-lab spsa ./kiebitz --nodes 5000 --book book.epd.zip --folder tuning --concurrency 2 --resume
  kiebitz-lab spsa ./other-engine --parameters numbers.txt --tc 2+0.02 --book book.epd --folder other";

/// Plays the run and writes the report.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let settings = arguments.settings()?;
    let parameters = arguments.parameters(&settings.engine.command.program)?;
    let run = SpsaSettings {
        seed: arguments.seed,
        pairs: arguments.pairs,
        pairs_per_iteration: arguments.pairs_per_iteration,
        learning_rate: arguments.learning_rate,
    };
    let begun = Instant::now();
    let mut tuning = Tuning::prepare(settings, Spsa::new(run, parameters)?, &arguments.folder, arguments.resume)?;
    let played_before = tuning.spsa().played();
    let stop = Arc::new(AtomicBool::new(false));
    let request = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once; what is finished is on the disk either way.
    let _ = ctrlc::set_handler(move || request.store(true, Ordering::Relaxed));
    let mut display = Display::new(tuning.spsa());
    let mut steps = tuning.folder().trajectory()?;
    let mut plotted = Instant::now();
    let mut plot_failure = None;
    let finished = tuning.run(&stop, |event| match event {
        TuningEvent::Match(event) => display.game(event),
        TuningEvent::Learned { step, spsa } => {
            steps.push((*step).clone());
            display.learned(step, spsa);
            if plotted.elapsed() >= PLOT_INTERVAL && plot_failure.is_none() {
                plotted = Instant::now();
                plot_failure = write_results(&arguments.folder, spsa, &steps).err();
            }
        }
    });
    display.finish();
    let finished = finished?;
    plot_failure.map_or(Ok(()), Err)?;
    write_results(&arguments.folder, tuning.spsa(), &steps)?;
    let report = Report {
        finished,
        spsa: tuning.spsa(),
        steps: &steps,
        played_now: tuning.spsa().played() - played_before,
        trouble: tuning.trouble(),
        elapsed: begun.elapsed(),
    };
    if arguments.json {
        report.write_json(output)?
    } else {
        report.write_text(output)?
    }
    Ok(if finished { ExitCode::SUCCESS } else { ExitCode::from(EXIT_STOPPED) })
}

impl Arguments {
    fn settings(&self) -> Result<TuningSettings> {
        let limits = [
            self.tc.as_ref().map(|text| format!("tc={text}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        let defaults = Defaults {
            limits: limits.into_iter().flatten().collect(),
            margin: Some(read_margin(&self.margin)?),
            options: self.options.clone(),
            ..Defaults::default()
        };
        let engine = contestant(&self.engine, &defaults)?;
        let mut games = MatchSettings::new(Vec::new(), 1);
        games.openings = OpeningChoice { book: Some(self.book.clone()), ..OpeningChoice::default() };
        games.concurrency = self.concurrency;
        if !self.to_the_end {
            games.adjudication.draw = Some(DrawRule { from_move: 40, moves: 8, score: 10 });
            games.adjudication.resign = Some(ResignRule { moves: 3, score: 600, sides: ResignSides::Both });
        }
        Ok(TuningSettings { engine, games })
    }

    /// The numbers to tune.
    fn parameters(&self, program: &Path) -> Result<Vec<SpsaParameter>> {
        let all = match &self.parameters {
            Some(path) => {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                read_parameters(&text).with_context(|| format!("{}", path.display()))?
            }
            None => ask(program)?,
        };
        if self.only.is_empty() {
            return Ok(all);
        }
        if let Some(unknown) = self.only.iter().find(|name| all.iter().all(|known| known.name != name.trim())) {
            let known: Vec<&str> = all.iter().map(|parameter| parameter.name.as_str()).collect();
            bail!("--only: there is no number '{unknown}'; there are {}", known.join(", "));
        }
        Ok(all.into_iter().filter(|parameter| self.only.iter().any(|name| name.trim() == parameter.name)).collect())
    }
}

/// Asks an engine of ours for its numbers.
fn ask(program: &Path) -> Result<Vec<SpsaParameter>> {
    let hint = "it does not list its numbers: give them with --parameters, or build it with --features tune";
    let answer = Command::new(program).args(["tunables", "--json"]).stdin(std::process::Stdio::null()).output();
    let answer = answer.with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(answer.status.success(), "{}: {hint}", program.display());
    let text = String::from_utf8_lossy(&answer.stdout);
    read_parameters(&text).with_context(|| format!("{}: {hint}", program.display()))
}

/// Writes the plot and the values.
fn write_results(folder: &Path, spsa: &Spsa, steps: &[Step]) -> Result<()> {
    let tuned: String = report::lines(spsa).iter().map(|line| format!("{line}\n")).collect();
    for (name, text) in [("trajectories.svg", plot::svg(spsa, steps)), ("values.txt", tuned)] {
        let path = folder.join(name);
        let temporary = folder.join(format!("{name}.part"));
        fs::write(&temporary, text)
            .and_then(|()| fs::rename(&temporary, &path))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A run while it goes on: a bar on a terminal, lines elsewhere.
struct Display {
    bar: Option<ProgressBar>,
    told: Instant,
    begun: Instant,
    games: u64,
}

impl Display {
    fn new(spsa: &Spsa) -> Self {
        let bar = io::stderr().is_terminal().then(|| ProgressBar::new(spsa.settings().pairs));
        if let Some(bar) = &bar {
            if let Ok(style) = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len} pairs, {eta} left") {
                bar.set_style(style);
            }
            bar.set_position(spsa.played());
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Self { bar, told: Instant::now(), begun: Instant::now(), games: 0 }
    }

    fn game(&mut self, event: &Event) {
        match event {
            Event::GameFinished { .. } => self.games += 1,
            Event::EngineRestarted { player, reason } => self.line(&format!("{player} is started again: {reason}")),
            _ => {}
        }
    }

    fn learned(&mut self, step: &Step, spsa: &Spsa) {
        let rate = self.games as f64 / self.begun.elapsed().as_secs_f64().max(1e-3) * 60.0;
        let text = format!(
            "{} pairs: +{} ={} -{}, {rate:.1} games a minute; farthest: {}",
            step.pairs,
            step.wins,
            step.draws,
            step.losses,
            report::farthest(spsa, 4).join(", ")
        );
        match &self.bar {
            Some(bar) => {
                bar.set_position(step.pairs);
                bar.set_message(text);
            }
            None if self.told.elapsed() >= QUIET => {
                self.told = Instant::now();
                self.line(&text);
            }
            None => {}
        }
    }

    /// A line for people; if nobody reads it, the run goes on.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(io::stderr(), "{text}");
            }
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
