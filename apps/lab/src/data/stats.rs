//! `kiebitz-lab data stats`: what a set of samples is like.

use std::cmp::Reverse;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use kiebitz_dataset::{Chain, Sample, Statistics};
use serde_json::json;

use super::progress::bytes_bar;
use super::{forgive_truncation, open};

/// What to look at.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of samples, looked at as one set.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A second set, to see how many of its positions are in the first.
    #[arg(long, value_name = "FILE")]
    validation: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Needs about 16 bytes of memory a position, to find equal ones. Exit code: 0 when all files could be read, 1 otherwise.

Examples:
  kiebitz-lab data stats training.kbz
  kiebitz-lab data stats training.kbz --validation validation.kbz --json";

/// The width of the longest bar, in letters.
const BAR: f64 = 40.0;

/// Looks.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let mut statistics = Statistics::default();
    for path in &arguments.files {
        look(path, &mut statistics)?;
    }
    let leakage = match &arguments.validation {
        Some(path) => {
            let mut validation = Statistics::default();
            look(path, &mut validation)?;
            Some(statistics.shared_positions(&validation))
        }
        None => None,
    };
    if arguments.json {
        let leakage = leakage.map(|(shared, all)| json!({ "shared_positions": shared, "validation_positions": all }));
        let report = json!({ "statistics": statistics, "leakage": leakage });
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    print(&statistics, output)?;
    if let Some((shared, all)) = leakage {
        writeln!(output, "\nleakage: {shared} of {all} positions for validation are in the first set")?;
    }
    Ok(())
}

fn look(path: &Path, statistics: &mut Statistics) -> Result<()> {
    let mut source = open(path, None)?;
    let bar = bytes_bar(std::fs::metadata(path)?.len(), &path.display().to_string());
    let mut chain = Chain::default();
    let result = loop {
        match source.next_chain(&mut chain) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
        let mut begins = true;
        chain.visit(|position, link| {
            statistics.add(&Sample { head: &chain.head, position, link }, begins);
            begins = false;
        });
        bar.set_position(source.consumed());
    };
    bar.finish_and_clear();
    forgive_truncation(result, &mut io::stderr())
}

fn print(statistics: &Statistics, output: &mut impl Write) -> io::Result<()> {
    let samples = statistics.samples.max(1) as f64;
    let share = |count: u64| 100.0 * count as f64 / samples;
    let Statistics { chains, positions, .. } = statistics;
    writeln!(output, "{chains} chains, {positions} positions, {} samples", statistics.samples)?;
    for (name, count) in [
        ("with a move", statistics.with_move),
        ("with a score", statistics.with_score),
        ("with a clock", statistics.with_clock),
        ("in check", statistics.in_check),
        ("whose move takes or promotes", statistics.captures),
        ("equal to an earlier one", statistics.duplicates),
    ] {
        writeln!(output, "{count:>12} {name} ({:.1} %)", share(count))?;
    }
    if statistics.clear_scores > 0 {
        let noise = 100.0 * statistics.clear_scores_refuted as f64 / statistics.clear_scores as f64;
        writeln!(output, "{noise:>11.2}% of the clear scores were refuted by the result")?;
    }
    bars(output, "results (chains)", statistics.results.iter())?;
    bars(output, "phase: 24 opening, 0 pawn ending", statistics.phases.iter())?;
    bars(output, "pieces", statistics.pieces.iter())?;
    bars(output, "ply", statistics.plies.iter())?;
    if !statistics.ratings.is_empty() {
        bars(output, "average rating (chains)", statistics.ratings.iter())?;
    }
    if !statistics.scores.is_empty() {
        writeln!(output, "\nscore of the mover: samples, mean points")?;
        for (score, step) in &statistics.scores {
            let points = step.points / step.samples.max(1) as f64;
            writeln!(output, "{score:>12} {:>12} {points:.3} {}", step.samples, bar(points, 1.0))?;
        }
    }
    let mut openings: Vec<_> = statistics.openings.iter().collect();
    openings.sort_by_key(|&(_, &count)| Reverse(count));
    if !openings.is_empty() {
        bars(output, "openings (chains)", openings.into_iter().take(10))?;
    }
    Ok(())
}

fn bars<'a, N: Display + 'a>(
    output: &mut impl Write,
    title: &str,
    counts: impl Iterator<Item = (&'a N, &'a u64)> + Clone,
) -> io::Result<()> {
    writeln!(output, "\n{title}")?;
    let largest = counts.clone().map(|(_, &count)| count).max().unwrap_or(1) as f64;
    for (name, &count) in counts {
        writeln!(output, "{:>12} {count:>12} {}", name.to_string(), bar(count as f64, largest))?;
    }
    Ok(())
}

fn bar(value: f64, largest: f64) -> String {
    "#".repeat((BAR * value / largest.max(f64::MIN_POSITIVE)).round() as usize)
}
