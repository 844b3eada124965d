//! Rung 4: do not stop in the middle of an exchange.
//!
//! `cargo run --release -p kiebitz-examples --example 4_quiescence -- [FEN] [DEPTH]`

use std::process::ExitCode;

use kiebitz_examples::DEFENDED_KNIGHT;
use kiebitz_examples::alphabeta::AlphaBeta;
use kiebitz_examples::command_line::{self, Depth, Lesson, move_text};
use kiebitz_examples::finding::grouped;

const LESSON: Lesson = Lesson {
    name: "4_quiescence",
    purpose: "Compares alpha-beta that stops at its depth with alpha-beta that first plays captures on.",
    fen: DEFENDED_KNIGHT,
    depth: Some(Depth { default: 5, largest: 6 }),
};

fn main() -> ExitCode {
    command_line::run(&LESSON, |output, position, deepest| {
        writeln!(output, "Scores from White's view:\n")?;
        writeln!(output, "       stop and evaluate                 play captures on")?;
        writeln!(
            output,
            "depth  move     score       positions    move     score       positions    beyond the depth"
        )?;
        for depth in 1..=deepest {
            let stopped = AlphaBeta::BETTER.search(position, depth);
            let quiet = AlphaBeta::QUIET.search(position, depth);
            write!(output, "{depth:>5}  ")?;
            for finding in [&stopped, &quiet] {
                let (best, score) = (move_text(position, finding.best_move), finding.score.to_string());
                write!(output, "{best:<8} {score:<8} {:>12}    ", grouped(finding.nodes.total()))?;
            }
            writeln!(output, "{:>16}", grouped(quiet.nodes.beyond(depth)))?;
        }
        if position.to_string() == DEFENDED_KNIGHT {
            writeln!(
                output,
                "\nOne ply deep, queen takes knight looks like a gain: that Black takes back is beyond the horizon."
            )?;
            writeln!(output, "A search that stops swings with every ply, as each side gets the last capture in turn.")?;
        }
        Ok(())
    })
}
