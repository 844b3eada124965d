//! The workshop program. It parses arguments, wires libraries together and prints.

mod compliance;
mod engine_arguments;
mod games;
mod play;
mod suite;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The Kiebitz workshop: games, experiments and play in the terminal.
#[derive(Parser)]
#[command(name = "kiebitz-lab", version = env!("KIEBITZ_VERSION"), after_help = EXAMPLES, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game in the terminal.
    Play(play::Arguments),
    /// Work on collections of games.
    #[command(subcommand)]
    Games(games::Command),
    /// Check whether an engine keeps to the protocol.
    Compliance(compliance::Arguments),
    /// Put a suite of positions to an engine: best moves, moves to avoid, mates.
    Suite(suite::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  kiebitz-lab play
  kiebitz-lab play --color black --seed 7
  kiebitz-lab games check my-games.pgn more-games.pgn.zst
  kiebitz-lab compliance stockfish
  kiebitz-lab suite wacnew.epd stockfish --movetime 1000
  kiebitz-lab play --color both --fen \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"";

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        // A closed pipe means that whoever reads our output has seen enough.
        Err(error) if !is_closed_pipe(&error) => {
            // Not `Result` from `main`: a mistyped position deserves a sentence, not a stack trace.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
        Err(_) => ExitCode::SUCCESS,
        Ok(code) => code,
    }
}

fn run(arguments: Arguments) -> Result<ExitCode> {
    match arguments.command {
        Command::Play(arguments) => play::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Games(command) => games::run(&command, &mut io::stdout().lock()),
        Command::Compliance(arguments) => compliance::run(&arguments, &mut io::stdout().lock()),
        Command::Suite(arguments) => suite::run(&arguments, &mut io::stdout().lock()),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
