//! Rung 1: judge a position at a glance.
//!
//! `cargo run --release -p kiebitz-examples --example 1_evaluation -- [FEN]`

use std::process::ExitCode;

use kiebitz_chess::{Color, PieceKind};
use kiebitz_examples::MATE_IN_ONE;
use kiebitz_examples::book_evaluation::{PIECE_VALUES, evaluate, side_worth};
use kiebitz_examples::command_line::{self, Lesson};

const LESSON: Lesson = Lesson {
    name: "1_evaluation",
    purpose: "Evaluates a position by counting pieces and looking where they stand.",
    fen: MATE_IN_ONE,
    depth: None,
};

fn main() -> ExitCode {
    command_line::run(&LESSON, |output, position, _| {
        writeln!(output, "In centipawns    White   Black")?;
        let [white, black] = Color::ALL.map(|color| {
            PieceKind::ALL
                .into_iter()
                .map(|kind| position.pieces(color, kind).len() as i32 * PIECE_VALUES[kind.index()])
                .sum::<i32>()
        });
        let [white_in_all, black_in_all] = Color::ALL.map(|color| side_worth(position, color));
        writeln!(output, "pieces          {white:>6}  {black:>6}")?;
        writeln!(output, "their squares   {:>+6}  {:>+6}", white_in_all - white, black_in_all - black)?;
        writeln!(output, "together        {white_in_all:>6}  {black_in_all:>6}\n")?;
        writeln!(output, "White minus Black: {:+}", evaluate(position).value())?;
        if let Some(ending) = position.ending() {
            writeln!(output, "The evaluation does not know it, but the game is over: {ending}.")?;
        } else if position.to_string() == MATE_IN_ONE {
            writeln!(output, "A glance prefers Black, whose knights are out. It cannot see that White mates in one.")?;
        }
        Ok(())
    })
}
