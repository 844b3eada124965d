//! Rung 5: remember what was seen before.
//!
//! `cargo run --release -p kiebitz-examples --example 5_transposition_table -- [FEN] [DEPTH]`

use std::io::{self, Write};
use std::process::ExitCode;

use kiebitz_chess::Position;
use kiebitz_examples::command_line::{self, Depth, Lesson, move_text};
use kiebitz_examples::finding::{Finding, grouped};
use kiebitz_examples::transposition_table::{Memory, Remembering};
use kiebitz_examples::{DEFENDED_KNIGHT, KINGS_WALK};

const LESSON: Lesson = Lesson {
    name: "5_transposition_table",
    purpose: "Compares a search that forgets with one that remembers positions, and with one that also remembers moves.",
    fen: DEFENDED_KNIGHT,
    depth: Some(Depth { default: 5, largest: 12 }),
};

/// How deep the kings walk: deep enough for a table to matter, shallow enough to wait for the search without one.
const WALKING_DEPTH: u32 = 11;

/// How deep they walk with a table for less.
const REMEMBERED_DEPTH: u32 = 15;

fn main() -> ExitCode {
    command_line::run(&LESSON, |output, position, depth| {
        compare(output, position, depth)?;
        if position.to_string() == DEFENDED_KNIGHT { kings_walk(output) } else { Ok(()) }
    })
}

fn deepen(position: &Position, depth: u32, memory: Memory) -> Vec<Finding> {
    Remembering { memory, ..Remembering::QUIET }.deepen(position, depth)
}

fn compare(output: &mut dyn Write, position: &Position, depth: u32) -> io::Result<()> {
    let columns =
        [Memory::Nothing, Memory::Values, Memory::ValuesAndMoves].map(|memory| deepen(position, depth, memory));
    writeln!(output, "Scores from White's view; positions visited at each depth:\n")?;
    writeln!(output, "depth  move     score       no table      values   and moves")?;
    let [plain, values, both] = &columns;
    for (index, ((plain, values), both)) in plain.iter().zip(values).zip(both).enumerate() {
        let (best, score) = (move_text(position, both.best_move), both.score.to_string());
        let [plain, values, both] = [plain, values, both].map(|finding| grouped(finding.nodes.total()));
        writeln!(output, "{:>5}  {best:<8} {score:<8} {plain:>11} {values:>11} {both:>11}", index + 1)?;
    }
    writeln!(output, "\nThe score is always the same: the table saves work and changes nothing.")
}

/// A pawn ending in which almost everything is a transposition.
fn kings_walk(output: &mut dyn Write) -> io::Result<()> {
    let Ok(position) = KINGS_WALK.parse::<Position>() else { return Ok(()) };
    writeln!(
        output,
        "\nOnly the kings can walk, and they reach the same squares by many ways:\n\n{}\n",
        position.board()
    )?;
    compare(output, &position, WALKING_DEPTH)?;
    let findings = deepen(&position, REMEMBERED_DEPTH, Memory::ValuesAndMoves);
    let nodes: u64 = findings.iter().map(|finding| finding.nodes.total()).sum();
    writeln!(output, "\nWith the table, all depths to {REMEMBERED_DEPTH} together take {} positions.", grouped(nodes))
}
