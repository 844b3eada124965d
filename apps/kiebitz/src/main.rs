//! The engine program. It parses arguments, wires libraries together and prints; the chess is in the libraries.

mod perft;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

/// The Kiebitz chess engine.
#[derive(Parser)]
#[command(name = "kiebitz", version = env!("KIEBITZ_VERSION"), after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the move sequences of a given length.
    Perft(perft::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  kiebitz perft 6
  kiebitz perft 5 --threads 4 --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  kiebitz perft 4 --chess960 --fen \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"";

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        // A closed pipe means that whoever reads our output has seen enough, as in `kiebitz perft 5 | head`.
        Err(error) if !is_closed_pipe(&error) => {
            // Not `Result` from `main`: a mistyped position deserves a sentence, not a stack trace.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let mut output = io::stdout().lock();
    match arguments.command {
        Some(Command::Perft(arguments)) => perft::run(&arguments, &mut output),
        None => {
            writeln!(output, "The UCI engine arrives with a later version; what works today:\n")?;
            write!(output, "{}", Arguments::command().render_help())?;
            Ok(())
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
