//! The engine program. It parses arguments, wires libraries together and prints; the chess is in the libraries.

mod bench;
mod genfens;
mod perft;
mod speedtest;
#[cfg(feature = "tune")]
mod tunables;
mod uci;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use kiebitz_engine::Engine;
use kiebitz_search::{Clock, SearchSignal};

/// The Kiebitz chess engine. Without a command it speaks UCI on standard input and output.
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
    /// Search fixed positions; the node count is the engine's signature.
    Bench(bench::Bench),
    /// Measure speed over threads.
    Speedtest(speedtest::Arguments),
    /// List every number and idea of the search that can be set as an option.
    #[cfg(feature = "tune")]
    Tunables(tunables::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  kiebitz
  kiebitz bench
  kiebitz speedtest --threads 2
  kiebitz perft 6
  kiebitz perft 5 --threads 4 --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  kiebitz perft 4 --chess960 --fen \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"";

fn main() -> ExitCode {
    // Test frameworks pass whole UCI lines as arguments, such as "setoption name EvalFile value a.net", "bench" and "quit".
    let lines: Vec<String> = std::env::args().skip(1).collect();
    if lines.first().is_some_and(|line| ["genfens ", "setoption "].iter().any(|order| line.starts_with(order))) {
        uci::run_script(lines.join("\n").as_bytes(), uci::Output::new(io::stdout()));
        return ExitCode::SUCCESS;
    }
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
        Some(Command::Perft(arguments)) => {
            // Any of its threads may print.
            drop(output);
            perft::run(&arguments, &mut io::stdout())
        }
        Some(Command::Bench(bench)) => {
            let mut written = Ok(());
            bench::run(bench, Engine::new(Clock::system()), &SearchSignal::new(), &mut |line| {
                written = writeln!(output, "{line}").and_then(|()| output.flush());
            });
            Ok(written?)
        }
        Some(Command::Speedtest(arguments)) => speedtest::run(&arguments, &mut output),
        #[cfg(feature = "tune")]
        Some(Command::Tunables(arguments)) => tunables::run(&arguments, &mut output),
        None => {
            drop(output);
            uci::run(io::stdin().lock(), uci::Output::new(io::stdout()));
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
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
