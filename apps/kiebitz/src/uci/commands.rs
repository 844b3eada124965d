//! Commands beyond the protocol, for people at a terminal and for test frameworks.

use std::time::Instant;

use kiebitz_chess::{Board, CastlingForm, GameHistory, Move, Piece, Position, Setup, Square};
use kiebitz_engine::Engine;
use kiebitz_search::SearchSignal;

use super::output::Output;
use super::render;
use crate::bench::{self, Bench};
use crate::genfens::GenFens;
use crate::perft;

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Extra {
    /// Over at once.
    Command(Command),
    /// Swap the colors of the position that is set.
    Flip,
    /// Takes long, and can be stopped.
    Task(Task),
}

/// What is over at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// Show the position.
    Display,
    /// Show the evaluation term by term.
    Evaluate,
    /// What built this program.
    Compiler,
}

/// What takes long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// The fixed search whose node count identifies the engine.
    Bench(Bench),
    /// Start positions for generating games.
    GenFens(GenFens),
}

impl Extra {
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "d" => Some(Self::Command(Command::Display)),
            "eval" => Some(Self::Command(Command::Evaluate)),
            "compiler" => Some(Self::Command(Command::Compiler)),
            "flip" => Some(Self::Flip),
            "bench" => {
                let depth = words.next().and_then(|word| word.parse().ok());
                Some(Self::Task(Task::Bench(Bench { depth, instructions: None })))
            }
            "genfens" => Some(Self::Task(Task::GenFens(GenFens::parse(words)))),
            _ => None,
        }
    }
}

/// Does what is over at once.
pub(crate) fn obey(command: Command, game: &GameHistory, engine: &Engine, output: &Output) {
    match command {
        Command::Display => display(game.position(), render::castling_form(engine.presentation()), output),
        Command::Evaluate => output.text(&engine.explain_evaluation(game.position())),
        Command::Compiler => output.text(&format!("kiebitz {}", env!("KIEBITZ_VERSION"))),
    }
}

impl Task {
    /// Does it with the evaluation of this engine, until it is done or the signal says stop.
    pub(crate) fn run(&self, engine: &Engine, signal: &SearchSignal, output: &Output) {
        let fresh = engine.with_same_evaluation();
        match self {
            Self::Bench(bench) => bench::run(*bench, fresh, signal, &mut |line| output.text(line)),
            Self::GenFens(order) => order.run(fresh, signal, &mut |line| output.text(line)),
        }
    }
}

fn display(position: &Position, form: CastlingForm, output: &Output) {
    let mut text = format!("{}\n\nFen: {position}\nKey: {}", position.board(), position.key());
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    text += &format!("\nCheckers: {}", checkers.join(" "));
    let moves: Vec<String> = position.legal_moves().into_iter().map(|mv| position.uci(mv, form)).collect();
    text += &format!("\nLegal moves: {}", moves.join(" "));
    output.text(&text);
}

/// The same position with colors swapped.
pub(crate) fn flipped(position: &Position) -> Option<Position> {
    let setup = position.to_setup();
    let mut board = Board::EMPTY;
    for (square, piece) in setup.board.iter() {
        board.set(square.flip_rank(), Some(Piece::new(!piece.color, piece.kind)));
    }
    let flipped = Setup {
        board,
        side_to_move: !setup.side_to_move,
        castling_rooks: setup.castling_rooks.flip_ranks(),
        en_passant: setup.en_passant.map(Square::flip_rank),
        ..setup
    };
    Position::try_from(flipped).ok()
}

/// `go perft`: the count under every move, and the sum.
pub(crate) fn perft(
    position: &Position,
    depth: u32,
    threads: usize,
    form: CastlingForm,
    signal: &SearchSignal,
    output: &Output,
) {
    let start = Instant::now();
    let mut tell = |mv: Move, count: u64| output.text(&format!("{}: {count}", position.uci(mv, form)));
    match perft::divide(position, depth, threads, signal, &mut tell) {
        Some(sum) => {
            let seconds = start.elapsed().as_secs_f64().max(1e-9);
            output.text(&format!("\nNodes searched: {sum} ({:.0} per second)\n", sum as f64 / seconds));
        }
        None => output.note("perft stopped before everything was counted"),
    }
}
