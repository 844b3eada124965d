//! `kiebitz-lab features`: look at feature sets.

mod describe;
mod game_walk;
mod measure;
mod top;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;
use kiebitz_features::FeatureSet;

/// What `kiebitz-lab features` is asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Say what a feature set is: count, names, dead features; without one, list those with a name.
    Describe(describe::Arguments),
    /// Measure a feature set over games: active share, updates and refreshes a move, memory, speed.
    Measure(measure::Arguments),
    /// Make a set of the features that occur most often in games.
    Top(top::Arguments),
}

/// Does it.
pub(crate) fn run(command: &Command, output: &mut impl Write) -> Result<ExitCode> {
    match command {
        Command::Describe(arguments) => describe::run(arguments, output)?,
        Command::Measure(arguments) => measure::run(arguments, output)?,
        Command::Top(arguments) => top::run(arguments, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads an expression or a name; the error shows the text it speaks of.
fn parse(text: &str) -> Result<FeatureSet> {
    let shown: String = text.chars().take(200).collect();
    FeatureSet::parse(text).with_context(|| format!("'{shown}' is no feature set"))
}
