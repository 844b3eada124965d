//! `kiebitz-lab data stats`: what a set of samples is like.

use std::cmp::Reverse;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_dataset::{Chain, Filter, Leakage, Manifest, Removals, Statistics};
use serde_json::json;

use super::filter_arguments::FilterArguments;
use super::progress::bytes_bar;
use super::xray::Xray;
use super::{forgive_truncation, open, reason_name};

/// What to look at.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of samples, looked at as one set.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A second set, to see how many of its games and positions are in the first.
    #[arg(long, value_name = "FILE")]
    validation: Option<PathBuf>,
    /// Write a page with plots, too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArguments,
}

const EXAMPLES: &str = "\
Filters are tried: what they would remove is counted, and the rest is looked at. What was removed when a file was made is taken
from the manifest beside it. Where most chains have one position (shuffled by sample, bulletformat, EPD, text, npy), nobody knows which
ones are of one game: shared games are then unknown, in JSON null. Needs about 16 bytes of memory a position, to find equal ones. Exit code: 0 when all files could be read, 1 otherwise.

Examples:
  kiebitz-lab data stats training.kbz
  kiebitz-lab data stats training.kbz --html xray.html --no-check --no-captures
  kiebitz-lab data stats training.kbz --validation validation.kbz --json";

/// The width of the longest bar, in letters.
const BAR: f64 = 40.0;

/// Looks.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let filter = arguments.filter.filter();
    let (mut statistics, mut removed) = (Statistics::default(), Vec::new());
    let mut filtered = Removals::new();
    for path in &arguments.files {
        look(path, &filter, &mut statistics, &mut filtered)?;
        // Foreign files have no manifest; what is beside them may be anything.
        if let Ok(manifest) = Manifest::read(&Manifest::path_of(path)) {
            removed.push((format!("{} of {}", manifest.made_by, path.display()), manifest.removed));
        }
    }
    if filter != Filter::default() {
        removed.push(("the filters of this look".to_owned(), filtered));
    }
    let leakage = match &arguments.validation {
        Some(path) => {
            let mut validation = Statistics::default();
            look(path, &filter, &mut validation, &mut Removals::new())?;
            Some(statistics.leakage(&validation))
        }
        None => None,
    };
    if let Some(path) = &arguments.html {
        let names: Vec<String> = arguments.files.iter().map(|path| path.display().to_string()).collect();
        let page = Xray { title: names.join(", "), statistics: &statistics, leakage, removed: &removed }.page();
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".unfinished");
        std::fs::write(&unfinished, page)
            .and_then(|()| std::fs::rename(&unfinished, path))
            .with_context(|| path.display().to_string())?;
    }
    if arguments.json {
        let removed: Vec<_> = removed.iter().map(|(by, counts)| json!({ "by": by, "removed": counts })).collect();
        let report = json!({ "statistics": statistics, "leakage": leakage, "removed": removed });
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    print(&statistics, output)?;
    for (by, counts) in removed.iter().filter(|(_, counts)| !counts.is_empty()) {
        writeln!(output, "\nremoved by {by}")?;
        for (reason, count) in counts {
            writeln!(output, "{count:>12} {}", reason_name(reason))?;
        }
    }
    if let Some(leakage) = leakage {
        print_leakage(leakage, output)?;
    }
    Ok(())
}

fn print_leakage(leakage: Leakage, output: &mut impl Write) -> io::Result<()> {
    let Leakage { games, validation_games, positions, validation_positions } = leakage;
    match (games, validation_games) {
        (Some(games), Some(all)) => {
            writeln!(output, "\nleakage: {games} of {all} games for validation are in the first set,")?;
        }
        _ => writeln!(output, "\nleakage: games unknown, for most chains of a set have one position;")?,
    }
    writeln!(output, "and {positions} of {validation_positions} positions")
}

fn look(path: &Path, filter: &Filter, statistics: &mut Statistics, removed: &mut Removals) -> Result<()> {
    let mut source = open(path, None)?;
    let bar = bytes_bar(std::fs::metadata(path)?.len(), &path.display().to_string());
    let mut chain = Chain::default();
    let filtering = *filter != Filter::default();
    let result = loop {
        match source.next_chain(&mut chain) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
        if filtering {
            filter.apply(&mut chain, removed);
        }
        statistics.add_chain(&chain);
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
    bars(output, "material: the mover's surplus in pawns", statistics.material.iter())?;
    bars(output, "pieces", statistics.pieces.iter())?;
    bars(output, "ply", statistics.plies.iter())?;
    king_squares(&statistics.king_squares, output)?;
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
        let different = openings.len();
        bars(output, "openings (chains)", openings.into_iter().take(10))?;
        writeln!(output, "{different} different first two moves")?;
    }
    opening_coverage(statistics, output)
}

/// How many ways into the game there are, also where no chain begins at the beginning.
fn opening_coverage(statistics: &Statistics, output: &mut impl Write) -> io::Result<()> {
    let Statistics { chains, chain_starts, chains_beyond_opening, opening_positions, .. } = statistics;
    writeln!(output, "\nopening coverage")?;
    writeln!(output, "{chain_starts:>12} different starts of {chains} chains")?;
    writeln!(
        output,
        "{opening_positions:>12} different positions eight plies on, of {chains_beyond_opening} chains that long"
    )
}

/// A board of shares, the mover's first rank at the bottom.
fn king_squares(counts: &[u64], output: &mut impl Write) -> io::Result<()> {
    let all = counts.iter().sum::<u64>().max(1) as f64;
    writeln!(output, "\nking of the mover, as the mover sees the board (%)")?;
    for (rank, squares) in counts.chunks(8).enumerate().rev() {
        let shares: String = squares.iter().map(|&count| format!(" {:>5.1}", 100.0 * count as f64 / all)).collect();
        writeln!(output, "{:>12}{shares}", rank + 1)?;
    }
    writeln!(
        output,
        "{:>12} {}",
        "",
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|file| format!("{file:>5}")).join(" ")
    )
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
