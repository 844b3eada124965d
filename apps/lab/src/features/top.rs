//! `kiebitz-lab features top`: the features that occur most often, as a set of their own.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use kiebitz_chess::Color;
use kiebitz_features::FeatureSet;
use serde::Serialize;

use super::game_walk::walk;

/// Which set, over which games, how many features.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An expression or the name of a set, with half(…) around it.
    #[arg(value_name = "EXPR")]
    expression: String,
    /// Games in PGN: plain, .zst, .bz2 or .gz.
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// How many games to look at.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: u64,
    /// How many features to keep.
    #[arg(long, value_name = "N")]
    count: usize,
    /// Report as JSON, with the occurrences.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The table is in the order of indices, not of occurrences. Exit code: 0, or 1 if something cannot be read.

Examples:
  kiebitz-lab features top \"half(pairs(pair_squares))\" --games games.pgn.zst --limit 20000 --count 2048";

#[derive(Serialize)]
struct Report {
    expression: String,
    games: u64,
    /// Index and occurrences, in the order of indices.
    kept: Vec<(u32, u64)>,
    /// Occurrences of the kept features as a share of all.
    share: f64,
}

/// Counts, and prints the new set.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let set = super::parse(&arguments.expression)?;
    ensure!(set.half().is_some(), "write half(…) around the set");
    let mut occurrences = vec![0_u64; set.count() as usize];
    let games = walk(&arguments.games, arguments.limit, |_, after, _| {
        for view in Color::ALL {
            set.for_each_active(after, view, |index| occurrences[index as usize] += 1);
        }
    })?;
    let report = report(&set, &occurrences, arguments.count, games)?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        writeln!(output, "{}", report.expression)?;
    }
    Ok(())
}

fn report(set: &FeatureSet, occurrences: &[u64], count: usize, games: u64) -> Result<Report> {
    let mut order: Vec<u32> = (0..set.count()).filter(|&index| occurrences[index as usize] > 0).collect();
    // The more frequent first; among equals the lower index, so that the result does not depend on chance.
    order.sort_by_key(|&index| (std::cmp::Reverse(occurrences[index as usize]), index));
    order.truncate(count);
    order.sort_unstable();
    let kept: Vec<(u32, u64)> = order.iter().map(|&index| (index, occurrences[index as usize])).collect();
    let share = kept.iter().map(|(_, count)| count).sum::<u64>() as f64 / occurrences.iter().sum::<u64>().max(1) as f64;
    Ok(Report { expression: set.only(&order)?.to_string(), games, kept, share })
}
