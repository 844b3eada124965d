//! The workshop program. It parses arguments, wires libraries together and prints.

mod compliance;
mod data;
mod drawing;
mod engine_arguments;
mod features;
mod forge;
mod games;
mod games_needed;
mod ladder;
mod match_play;
mod net;
mod play;
mod review;
mod serve;
mod spsa;
mod study;
mod suite;
mod train;
mod tune;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    /// Make, convert and look at training data.
    #[command(subcommand)]
    Data(data::Command),
    /// Look at feature sets: what they are, and how they behave over games.
    #[command(subcommand)]
    Features(features::Command),
    /// Look at networks, check them, convert them, ask them.
    #[command(subcommand)]
    Net(net::Command),
    /// Check whether an engine keeps to the protocol.
    Compliance(compliance::Arguments),
    /// Put a suite of positions to an engine: best moves, moves to avoid, mates.
    Suite(suite::Arguments),
    /// Let engines play each other.
    Match(Box<match_play::Arguments>),
    /// Rate an engine against the engines of Debian and Stockfish with few nodes.
    Ladder(ladder::Arguments),
    /// Tune an engine's numbers by game pairs.
    Spsa(Box<spsa::Arguments>),
    /// Annotate games: accuracy, mistakes, better lines.
    Review(review::Arguments),
    /// Show the page: play, analyse and look inside in a browser.
    Serve(serve::Arguments),
    /// Tell how many games a question takes.
    GamesNeeded(games_needed::Arguments),
    /// Make a network from games: label, train, prove, play.
    Forge(Box<forge::Arguments>),
    /// Train a network by a recipe.
    Train(train::Arguments),
    /// Compare networks and feature sets under one budget: loss, cost, Elo, and features found by what was learned.
    Study(study::Arguments),
    /// Measure how fast a device trains.
    TrainSpeed(train::speed::Arguments),
    /// Fit the numbers of the hand-crafted evaluation to labelled positions.
    Tune(tune::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  kiebitz-lab serve
  kiebitz-lab play
  kiebitz-lab play --color black --seed 7
  kiebitz-lab games check my-games.pgn more-games.pgn.zst
  kiebitz-lab features describe halfkp
  kiebitz-lab net eval nn-62ef826d1a6d.nnue --fens positions.fen --json
  kiebitz-lab data import games.pgn.zst --output games.kbz
  kiebitz-lab forge games.pgn.zst --out my.net
  kiebitz-lab study runs/feature-sets-small.toml
  kiebitz-lab compliance stockfish
  kiebitz-lab suite wacnew.epd stockfish --movetime 1000
  kiebitz-lab match --engine ./new --engine ./old --tc 8+0.08 --book book.epd --games 1000 --concurrency 4
  kiebitz-lab review game.pgn --out reviewed.pgn
  kiebitz-lab play --color both --fen \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"";

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        // A closed pipe means that whoever reads our output has seen enough.
        Err(error) if !is_closed_pipe(&error) => {
            // Not `Result` from `main`: a mistyped position deserves a sentence, not a stack trace.
            let _ = writeln!(io::stderr(), "error: {}", sentence(&error));
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
        Command::Data(command) => data::run(&command, &mut io::stdout().lock()),
        Command::Features(command) => features::run(&command, &mut io::stdout().lock()),
        Command::Net(command) => net::run(&command, &mut io::stdout().lock()),
        Command::Compliance(arguments) => compliance::run(&arguments, &mut io::stdout().lock()),
        Command::Suite(arguments) => suite::run(&arguments, &mut io::stdout().lock()),
        Command::Match(arguments) => match_play::run(&arguments, &mut io::stdout()),
        Command::Ladder(arguments) => ladder::run(&arguments, &mut io::stdout()),
        Command::Spsa(arguments) => spsa::run(&arguments, &mut io::stdout()),
        Command::Review(arguments) => review::run(&arguments, &mut io::stdout()),
        Command::Serve(arguments) => serve::run(&arguments, &mut io::stdout()),
        Command::GamesNeeded(arguments) => games_needed::run(&arguments, &mut io::stdout().lock()),
        Command::Forge(arguments) => forge::run(&arguments, &mut io::stdout().lock()),
        Command::Train(arguments) => train::run(&arguments, &mut io::stdout().lock()),
        Command::Study(arguments) => study::run(&arguments, &mut io::stdout().lock()),
        Command::TrainSpeed(arguments) => train::speed::run(&arguments, &mut io::stdout().lock()),
        Command::Tune(arguments) => tune::run(&arguments, &mut io::stdout().lock()),
    }
}

/// An error and its causes, each said once: many a message already tells its cause.
fn sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for part in error.chain().map(ToString::to_string) {
        if text.is_empty() || part.starts_with(&text) {
            text = part;
        } else if !text.contains(&part) {
            text = format!("{text}: {part}");
        }
    }
    text
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn causes_are_told_once() {
        let nested = |texts: &[&str]| {
            let (first, rest) = texts.split_last().expect("a cause");
            rest.iter().rev().fold(anyhow::anyhow!(first.to_string()), |error, text| error.context(text.to_string()))
        };
        assert_eq!(sentence(&nested(&["book b: broken", "b: broken"])), "book b: broken");
        assert_eq!(sentence(&nested(&["/nope", "/nope: no such file"])), "/nope: no such file");
        assert_eq!(sentence(&nested(&["cannot play", "no engine"])), "cannot play: no engine");
    }

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
