//! `kiebitz-lab features measure`: how does a feature set behave over games?

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use kiebitz_chess::{Color, Position};
use kiebitz_features::{BoardDelta, FeatureDelta, FeatureSet, FeatureSurvey};
use serde::Serialize;

use super::game_walk::walk;

/// Which set, over which games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An expression or the name of a set.
    #[arg(value_name = "EXPR")]
    expression: String,
    /// Games in PGN: plain, .zst, .bz2 or .gz.
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// How many games to look at.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: u64,
    /// The width of the accumulator whose memory is told.
    #[arg(long, value_name = "N", default_value_t = 256)]
    width: u64,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Exit code: 0, or 1 if the expression or the games cannot be read.

Examples:
  kiebitz-lab features measure halfkp --games lichess_db_standard_rated_2013-01.pgn.zst
  kiebitz-lab features measure threats --games games.pgn --limit 100 --json";

/// Everything measured; per move and per view where nothing else is said.
#[derive(Serialize)]
struct Report {
    expression: String,
    games: u64,
    moves: u64,
    features: u32,
    mean_active: f64,
    largest_active: u32,
    max_active: u32,
    /// Mean active features as a share of all.
    active_share: f64,
    /// Features removed and added by a move that needs no refresh.
    updates_per_move: f64,
    /// The share of moves that call for a refresh.
    refreshes_per_move: f64,
    dead: usize,
    /// Features that could occur but did not in these games.
    never_seen: usize,
    /// Weights of an accumulator of the given width, in bytes.
    weight_bytes: u64,
    table_bytes: usize,
    /// Positions a second for which the indices of both views were collected.
    positions_per_second: f64,
    /// Moves a second for which the changes of both views were found.
    moves_per_second: f64,
}

/// Measures and reports.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let set = super::parse(&arguments.expression)?;
    let report = measure(&set, arguments)?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    writeln!(output, "{} games, {} moves, {} features\n", report.games, report.moves, report.features)?;
    writeln!(output, "{:>12.2} active on average, {} at most", report.mean_active, report.largest_active)?;
    writeln!(output, "{:>12.3} % of all features are active", 100.0 * report.active_share)?;
    writeln!(output, "{:>12.2} updates a move", report.updates_per_move)?;
    writeln!(output, "{:>12.4} refreshes a move", report.refreshes_per_move)?;
    writeln!(output, "{:>12} dead features", report.dead)?;
    writeln!(output, "{:>12} further features never seen", report.never_seen)?;
    writeln!(output, "{:>12.1} MB of weights at width {}", report.weight_bytes as f64 / 1e6, arguments.width)?;
    writeln!(output, "{:>12.1} KB of tables", report.table_bytes as f64 / 1e3)?;
    writeln!(output, "{:>12.2} million positions a second, both views", report.positions_per_second / 1e6)?;
    writeln!(output, "{:>12.2} million moves a second, changes of both views", report.moves_per_second / 1e6)?;
    Ok(())
}

fn measure(set: &FeatureSet, arguments: &Arguments) -> Result<Report> {
    let dead = set.dead();
    let mut survey = FeatureSurvey::new(set);
    let mut sample: Vec<Step> = Vec::new();
    let games = walk(&arguments.games, arguments.limit, |before, after, delta| {
        survey.observe(before, after, delta);
        if sample.len() < SPEED_SAMPLE {
            sample.push(Step { before: before.clone(), after: after.clone(), delta: *delta });
        }
    })?;
    Ok(Report {
        expression: set.to_string(),
        games,
        moves: survey.moves(),
        features: set.count(),
        mean_active: survey.mean_active(),
        largest_active: survey.largest_active() as u32,
        max_active: set.max_active(),
        active_share: survey.mean_active() / f64::from(set.count()),
        updates_per_move: survey.updates_per_move(),
        refreshes_per_move: survey.refreshes_per_move(),
        dead: dead.len(),
        never_seen: survey.unseen() - dead.len(),
        weight_bytes: u64::from(set.count()) * arguments.width * size_of::<i16>() as u64,
        table_bytes: set.memory_bytes(),
        positions_per_second: collecting_speed(set, &sample),
        moves_per_second: changing_speed(set, &sample),
    })
}

/// One move of a game.
struct Step {
    before: Position,
    after: Position,
    delta: BoardDelta,
}

/// Moves over which speeds are measured.
const SPEED_SAMPLE: usize = 20_000;

/// How long a speed is measured at least, in seconds.
const SPEED_SECONDS: f64 = 0.5;

/// Positions a second of which the features of both views are collected.
fn collecting_speed(set: &FeatureSet, sample: &[Step]) -> f64 {
    let mut indices = Vec::with_capacity(2 * set.max_active() as usize);
    rate(sample, |step| {
        indices.clear();
        for view in Color::ALL {
            set.for_each_active(&step.after, view, |index| indices.push(index));
        }
        std::hint::black_box(&indices);
    })
}

/// Moves a second of which the changes of both views are found; one that calls for a refresh costs nothing here.
fn changing_speed(set: &FeatureSet, sample: &[Step]) -> f64 {
    let mut changes = FeatureDelta::default();
    rate(sample, |step| {
        for view in Color::ALL {
            set.changed(&step.before, &step.after, &step.delta, view, &mut changes);
            std::hint::black_box(&changes);
        }
    })
}

fn rate(sample: &[Step], mut work: impl FnMut(&Step)) -> f64 {
    let start = Instant::now();
    let mut done = 0_u64;
    while start.elapsed().as_secs_f64() < SPEED_SECONDS {
        sample.iter().for_each(&mut work);
        done += sample.len() as u64;
    }
    done as f64 / start.elapsed().as_secs_f64()
}
