//! Rung 2: look ahead, and try everything.
//!
//! `cargo run --release -p kiebitz-examples --example 2_minimax -- [FEN] [DEPTH]`

use std::process::ExitCode;
use std::time::Instant;

use kiebitz_examples::MATE_IN_ONE;
use kiebitz_examples::command_line::{self, Depth, Lesson, move_text};
use kiebitz_examples::finding::grouped;
use kiebitz_examples::minimax;

const LESSON: Lesson = Lesson {
    name: "2_minimax",
    purpose: "Finds the best move by trying every sequence of moves up to a depth.",
    fen: MATE_IN_ONE,
    depth: Some(Depth { default: 3, largest: 5 }),
};

fn main() -> ExitCode {
    command_line::run(&LESSON, |output, position, deepest| {
        writeln!(output, "Minimax, White's view:\n")?;
        writeln!(output, "depth  best move  score       positions  seconds  positions ply by ply")?;
        for depth in 1..=deepest {
            let start = Instant::now();
            let finding = minimax::search(position, depth);
            let (best, score) = (move_text(position, finding.best_move), finding.score.to_string());
            let nodes = grouped(finding.nodes.total());
            let seconds = start.elapsed().as_secs_f64();
            writeln!(output, "{depth:>5}  {best:<9}  {score:<8} {nodes:>12}  {seconds:>7.3}  {}", finding.nodes)?;
            if depth == deepest {
                let below = grouped(finding.nodes.below_root_moves());
                writeln!(output, "\nWithout the root's own moves, as the book counts: {below} positions.")?;
            }
        }
        Ok(())
    })
}
