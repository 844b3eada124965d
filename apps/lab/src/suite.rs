//! `kiebitz-lab suite`: how many positions of a suite does an engine solve?

mod report;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{ArgGroup, Args};
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_tournament::suite::{Effort, Tasks, Totals, Workers, read, solve};

use crate::engine_arguments::EngineArguments;
use report::Report;

/// What to solve, by whom, and how hard to try.
#[derive(Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("effort").required(true))]
pub(crate) struct Arguments {
    /// EPD files; without --engine the last one is the engine.
    #[arg(required = true, value_name = "FILE.epd… [ENGINE]")]
    files: Vec<PathBuf>,
    /// The engine: a path, or a name that is looked up in PATH.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<PathBuf>,
    #[command(flatten)]
    details: EngineArguments,
    /// Visit so many positions for each task.
    #[arg(long, value_name = "N", group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think so many milliseconds about each task.
    #[arg(long, value_name = "MS", group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search so many plies in each task.
    #[arg(long, value_name = "N", group = "effort", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// How many engines work at the same time; they share the processors, so use 1 with --movetime.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Only the first so many tasks.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Show every task, not only those with something wrong.
    #[arg(long)]
    all: bool,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Understood are best moves (bm), moves to avoid (am), and mates (bm #3, bm #-3, dm 3). A mate is found when the last
exact score announces one, and best when it is as short as the one in the file. Lines that cannot be used are listed
and counted; the others go on.

Exit code: 0 whatever was solved, 1 if the files or the engine could not be used.

Examples:
  kiebitz-lab suite wacnew.epd stockfish --movetime 1000
  kiebitz-lab suite tactics/*.epd --engine ./my-engine --nodes 100000 --threads 4 --option Hash=64
  kiebitz-lab suite matetrack.epd stockfish --nodes 1000000 --limit 200 --json > mates.json";

/// Solves and writes the report.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let (files, engine) = split(&arguments.files, arguments.engine.as_deref())?;
    let mut tasks = Tasks::default();
    for file in files {
        let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        tasks.append(read(&file.display().to_string(), &text));
    }
    if let Some(limit) = arguments.limit {
        tasks.usable.truncate(limit);
    }
    ensure!(!tasks.usable.is_empty(), "there is no task in these files; {}", first_complaint(&tasks));
    let effort = arguments.effort()?;
    let workers = Workers { count: arguments.threads, ..Workers::new(arguments.details.command(engine)) };
    let begun = Instant::now();
    let bar = progress_bar(tasks.usable.len() as u64);
    let mut totals = Totals::default();
    let solved = solve(&tasks.usable, &workers, effort, |index, trial| {
        totals.add(&tasks.usable[index], trial);
        bar.set_message(format!("{} solved, {} mates", totals.solved, totals.mates_found));
        bar.inc(1);
    });
    bar.finish_and_clear();
    let (engine, trials) = solved?;
    let report = Report { engine, effort, tasks: &tasks, trials: &trials, totals, wall: begun.elapsed() };
    if arguments.json {
        report.write_json(output)?;
    } else {
        report.write_text(arguments.all, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn effort(&self) -> Result<Effort> {
        Ok(match (self.nodes, self.movetime, self.depth) {
            (Some(nodes), ..) => Effort::Nodes(nodes),
            (_, Some(time), _) => Effort::MoveTime(Duration::from_millis(time)),
            (.., Some(depth)) => Effort::Depth(depth),
            (None, None, None) => bail!("one of --nodes, --movetime and --depth is needed"),
        })
    }
}

/// Tells files and engine apart.
fn split<'a>(files: &'a [PathBuf], engine: Option<&'a Path>) -> Result<(&'a [PathBuf], &'a Path)> {
    match (engine, files) {
        (Some(engine), files) => Ok((files, engine)),
        (None, [files @ .., engine]) if !files.is_empty() => {
            let is_suite = engine.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("epd"));
            ensure!(
                !is_suite,
                "which engine? {} looks like a suite; name the engine last or with --engine",
                engine.display()
            );
            Ok((files, engine))
        }
        (None, _) => bail!("which engine? Name it behind the files or with --engine"),
    }
}

fn first_complaint(tasks: &Tasks) -> String {
    match tasks.unusable.first() {
        None => "they are empty".to_owned(),
        Some(line) => format!("{}, line {}: {}", line.file, line.line, line.reason),
    }
}

/// Shows itself only on a terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {msg}, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_stands_last_or_behind_its_flag() {
        let files = ["a.epd", "b.epd", "engine"].map(PathBuf::from);
        assert_eq!(split(&files, None).unwrap(), (&files[..2], Path::new("engine")));
        assert_eq!(split(&files, Some(Path::new("x"))).unwrap(), (&files[..], Path::new("x")));
        assert!(split(&files[..2], None).is_err());
        assert!(split(&files[2..], None).is_err());
    }
}
