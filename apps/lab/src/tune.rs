//! `kiebitz-lab tune`: fits the numbers of the hand-crafted evaluation to labelled positions.

mod positions;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_handcrafted::tuner::{Losses, Provenance, Settings, Trace, Tuner, Weights};
use rayon::prelude::*;
use serde::Serialize;

/// What to learn from, and how.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Stockfish binpacks (.binpack) or tables of FEN, evaluation, result and move (.tsv.zst).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write the weights; without it nothing is written.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// The share of the game's result in the target, from 0 to 1; the rest is the teacher's.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f64,
    /// The first step in centipawns; it falls to a fiftieth.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1.0)]
    step: f64,
    /// Who evaluated the positions; named in the head of the written file.
    #[arg(long, value_name = "NAME", default_value = "an unnamed engine")]
    teacher: String,
    /// At most so many positions.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Decides which games are held back and the order of positions.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Only quiet positions are used: not in check, no capture or promotion next, no value beyond 20 pawns. One game in twenty
is held back, and its loss is the one to watch. The loss is the mean squared difference between predicted and real
score. The written file replaces crates/handcrafted/src/parameters.rs.

Exit code: 0 when done, 1 if a file could not be used.

Examples:
  kiebitz-lab tune selfplay/*.binpack --teacher \"Stockfish 15.1\" --output parameters.rs
  kiebitz-lab tune selfplay/*.binpack evals/lichess_evals_train.tsv.zst --epochs 60 --seed 7 --output parameters.rs
  kiebitz-lab tune sample.binpack --limit 200000 --epochs 5 --json";

/// Everything found out.
#[derive(Serialize)]
struct Report {
    training_positions: usize,
    validation_positions: usize,
    /// The curve from value to score, in centipawns.
    curve: f64,
    training_loss_before: f64,
    validation_loss_before: f64,
    training_loss_after: f64,
    validation_loss_after: f64,
    seconds: f64,
    output: Option<PathBuf>,
}

/// Tunes and writes weights and report.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    ensure!((0.0..=1.0).contains(&arguments.result_share), "--result-share must lie between 0 and 1");
    ensure!(arguments.step > 0.0, "--step must be positive");
    let begun = Instant::now();
    let settings = Settings {
        seed: arguments.seed,
        result_share: arguments.result_share,
        epochs: arguments.epochs,
        step: arguments.step,
        ..Settings::default()
    };
    let mut tuner = Tuner::new(settings, Weights::current());
    load(arguments, &mut tuner)?;
    let (training, validation) = tuner.counts();
    ensure!(training > 0 && validation > 0, "these files hold too few quiet positions to learn from");
    let curve = tuner.fit_curve();
    let before = tuner.losses();
    let after = learn(&mut tuner, arguments.epochs);
    let report = Report {
        training_positions: training,
        validation_positions: validation,
        curve,
        training_loss_before: before.training,
        validation_loss_before: before.validation,
        training_loss_after: after.training,
        validation_loss_after: after.validation,
        seconds: begun.elapsed().as_secs_f64(),
        output: arguments.output.clone(),
    };
    if let Some(path) = &arguments.output {
        write_weights(path, &tuner.weights().to_source(&provenance(arguments, &report)))?;
    }
    print(&report, arguments.json, output)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads every file and keeps the counts of its quiet positions.
fn load(arguments: &Arguments, tuner: &mut Tuner) -> Result<()> {
    let style = "reading {msg} {bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    let limit = arguments.limit.unwrap_or(usize::MAX);
    for (number, file) in arguments.files.iter().enumerate() {
        let size = std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len();
        let bar = ProgressBar::new(size).with_style(ProgressStyle::with_template(style)?);
        bar.set_message(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        positions::read(file, &mut |portion, bytes| {
            let traces: Vec<Option<(Trace, u64)>> = portion
                .par_iter()
                .map(|(example, game)| Trace::of(example).map(|trace| (trace, ((number as u64) << 40) + *game)))
                .collect();
            for (trace, game) in traces.into_iter().flatten() {
                tuner.add(&trace, game);
            }
            bar.inc(bytes);
            let (training, validation) = tuner.counts();
            training + validation < limit
        })?;
        bar.finish_and_clear();
    }
    Ok(())
}

fn learn(tuner: &mut Tuner, epochs: u32) -> Losses {
    let bar = ProgressBar::new(u64::from(epochs));
    if let Ok(style) = ProgressStyle::with_template("tuning {bar:30} pass {pos} of {len}, {per_sec}, {eta} left, {msg}")
    {
        bar.set_style(style);
    }
    for _ in 0..epochs {
        let loss = tuner.run_epoch();
        bar.set_message(format!("loss {loss:.6}"));
        bar.inc(1);
    }
    bar.finish_and_clear();
    tuner.losses()
}

/// What the head of the written file says.
fn provenance(arguments: &Arguments, report: &Report) -> Provenance {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files: Vec<String> = arguments.files.iter().map(name).collect();
    let command = format!(
        "`kiebitz-lab tune {} --epochs {} --result-share {} --step {} --seed {}`",
        files.join(" "),
        arguments.epochs,
        arguments.result_share,
        arguments.step,
        arguments.seed
    );
    let lines = vec![
        format!("Command, from the weights before: {command}"),
        format!("Positions: {} learnt from, {} held back.", report.training_positions, report.validation_positions),
        format!("Labels: results of the games and values by the teacher, {}.", arguments.teacher),
        format!("Curve: 1 / (1 + exp(-value / {:.1})).", report.curve),
        format!(
            "Validation loss: {:.6} before, {:.6} after.",
            report.validation_loss_before, report.validation_loss_after
        ),
    ];
    Provenance { lines }
}

/// Written beside its place first, so that nobody ever sees half a file.
fn write_weights(path: &Path, text: &str) -> Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let temporary = PathBuf::from(temporary);
    std::fs::write(&temporary, text).with_context(|| format!("cannot write {}", temporary.display()))?;
    std::fs::rename(&temporary, path).with_context(|| format!("cannot write {}", path.display()))
}

fn print(report: &Report, json: bool, output: &mut impl Write) -> Result<()> {
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(report)?)?;
        return Ok(());
    }
    writeln!(
        output,
        "positions    {} learnt from, {} held back",
        report.training_positions, report.validation_positions
    )?;
    writeln!(output, "curve        K = {:.1} centipawns", report.curve)?;
    writeln!(output, "training     {:.6} -> {:.6}", report.training_loss_before, report.training_loss_after)?;
    writeln!(output, "validation   {:.6} -> {:.6}", report.validation_loss_before, report.validation_loss_after)?;
    writeln!(output, "time         {:.0} s", report.seconds)?;
    if let Some(path) = &report.output {
        writeln!(output, "written      {}", path.display())?;
    }
    Ok(())
}
