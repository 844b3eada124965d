//! Rung 3: the same answer for a fraction of the work.
//!
//! `cargo run --release -p kiebitz-examples --example 3_alphabeta -- [FEN] [DEPTH]`

use std::io::{self, Write};
use std::process::ExitCode;

use kiebitz_chess::Position;
use kiebitz_examples::alphabeta::{AlphaBeta, RootWindow, StopAndEvaluate};
use kiebitz_examples::command_line::{self, Depth, Lesson, move_text};
use kiebitz_examples::finding::{Finding, grouped};
use kiebitz_examples::move_order::MoveOrder;
use kiebitz_examples::{LEGALS_TRAP, MATE_IN_ONE, minimax};

const LESSON: Lesson = Lesson {
    name: "3_alphabeta",
    purpose: "Compares minimax with alpha-beta, and one move order with another.",
    fen: MATE_IN_ONE,
    depth: Some(Depth { default: 3, largest: 6 }),
};

/// Deeper than this, minimax is not worth waiting for.
const DEEPEST_MINIMAX: u32 = 4;

const ORDERS: [(MoveOrder, &str); 3] = [
    (MoveOrder::AsGenerated, "moves as generated"),
    (MoveOrder::AsInTheBook, "moves as in the book"),
    (MoveOrder::CapturesFirst, "captures first"),
];

const ROOT_WINDOWS: [(RootWindow, &str); 2] =
    [(RootWindow::Fresh, "each root move alone"), (RootWindow::Narrowing, "bounds handed on")];

fn main() -> ExitCode {
    command_line::run(&LESSON, |output, position, depth| {
        compare(output, position, depth)?;
        if position.to_string() == MATE_IN_ONE { legals_trap(output) } else { Ok(()) }
    })
}

fn compare(output: &mut dyn Write, position: &Position, depth: u32) -> io::Result<()> {
    writeln!(output, "Depth {depth}, scores from White's view; positions without the root's own moves:\n")?;
    writeln!(output, "{:<54} {:<8} {:<8} {:>10}", "search", "move", "score", "positions")?;
    if depth <= DEEPEST_MINIMAX {
        row(output, "minimax", position, &minimax::search(position, depth))?;
    } else {
        writeln!(output, "minimax (left out: it would take too long)")?;
    }
    for (root_window, window_name) in ROOT_WINDOWS {
        for (order, order_name) in ORDERS {
            let searcher = AlphaBeta { order, root_window, horizon: StopAndEvaluate };
            let name = format!("alpha-beta, {window_name}, {order_name}");
            row(output, &name, position, &searcher.search(position, depth))?;
        }
    }
    writeln!(output, "\nThe score is always the same. Where several moves share it, the first one tried is named.")
}

fn row(output: &mut dyn Write, name: &str, position: &Position, finding: &Finding) -> io::Result<()> {
    let (best, score) = (move_text(position, finding.best_move), finding.score.to_string());
    writeln!(output, "{name:<54} {best:<8} {score:<8} {:>10}", grouped(finding.nodes.below_root_moves()))
}

/// A sacrifice that has to be seen five plies deep.
fn legals_trap(output: &mut dyn Write) -> io::Result<()> {
    let Ok(mut position) = LEGALS_TRAP.parse::<Position>() else { return Ok(()) };
    writeln!(output, "\nLégal's trap, White to move:\n\n{}", position.board())?;
    for depth in 1..=5 {
        let finding = AlphaBeta::BETTER.search(&position, depth);
        row(output, &format!("alpha-beta at depth {depth}"), &position, &finding)?;
    }
    for san in ["Nxe5", "Bxd1"] {
        let Ok(mv) = position.parse_san(san) else { return Ok(()) };
        position.play(mv);
    }
    let finding = AlphaBeta::BETTER.search(&position, 3);
    let reply = move_text(&position, finding.best_move);
    writeln!(output, "\nIf Black takes the queen after Nxe5, White plays {reply}: {} for White.", finding.score)
}
