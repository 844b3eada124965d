//! `kiebitz-lab games`: work on collections of games.

mod check;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// What `kiebitz-lab games` is asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Read every game, play every move by the rules, and report what is wrong.
    Check(check::Arguments),
}

/// Does it.
pub(crate) fn run(command: &Command, output: &mut impl Write) -> Result<ExitCode> {
    match command {
        Command::Check(arguments) => check::run(arguments, output),
    }
}
