//! Commands beyond the protocol, for people at a terminal and for test frameworks.

use std::time::Instant;

use kiebitz_chess::{Board, CastlingForm, GameHistory, Piece, Position, Setup, Square, perft};
use kiebitz_engine::Engine;

use super::output::Output;
use super::render;
use crate::bench::{self, Bench};
use crate::genfens::GenFens;

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// Show the position.
    Display,
    /// Show the evaluation term by term.
    Evaluate,
    /// Show the position with colors swapped, evaluated.
    Flip,
    /// What built this program.
    Compiler,
    /// The fixed search whose node count identifies the engine.
    Bench(Bench),
    /// Start positions for generating games.
    GenFens(GenFens),
}

impl Command {
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "d" => Some(Self::Display),
            "eval" => Some(Self::Evaluate),
            "flip" => Some(Self::Flip),
            "compiler" => Some(Self::Compiler),
            "bench" => Some(Self::Bench(Bench { depth: words.next().and_then(|word| word.parse().ok()) })),
            "genfens" => Some(Self::GenFens(GenFens::parse(words))),
            _ => None,
        }
    }
}

/// Does it.
pub(crate) fn obey(command: &Command, game: &GameHistory, engine: &mut Engine, output: &Output) {
    let position = game.position();
    match command {
        Command::Display => display(position, render::castling_form(engine.presentation()), output),
        Command::Evaluate => output.text(&engine.explain_evaluation(position)),
        Command::Flip => match flipped(position) {
            Some(flipped) => {
                display(&flipped, render::castling_form(engine.presentation()), output);
                output.text(&engine.explain_evaluation(&flipped));
            }
            None => output.note("this position has no mirror image"),
        },
        Command::Compiler => output.text(&format!("kiebitz {}", env!("KIEBITZ_VERSION"))),
        Command::Bench(bench) => bench::run(*bench, &mut |line| output.text(line)),
        Command::GenFens(order) => order.run(&mut |line| output.text(line)),
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
fn flipped(position: &Position) -> Option<Position> {
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
pub(crate) fn perft(position: &Position, depth: u32, form: CastlingForm, output: &Output) {
    let start = Instant::now();
    let mut sum = 0;
    for (mv, count) in perft::divide(position, depth) {
        output.text(&format!("{}: {count}", position.uci(mv, form)));
        sum += count;
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    output.text(&format!("\nNodes searched: {sum} ({:.0} per second)\n", sum as f64 / seconds));
}
