//! Rung 6: if even doing nothing is good enough, a move will be.
//!
//! `cargo run --release -p kiebitz-examples --example 6_null_move -- [FEN] [DEPTH]`

use std::io::{self, Write};
use std::process::ExitCode;

use kiebitz_chess::Position;
use kiebitz_examples::command_line::{self, Depth, Lesson, move_text};
use kiebitz_examples::finding::{Finding, grouped};
use kiebitz_examples::null_move::{Care, NullMove};
use kiebitz_examples::transposition_table::Remembering;
use kiebitz_examples::{DEFENDED_KNIGHT, ZUGZWANG};

const LESSON: Lesson = Lesson {
    name: "6_null_move",
    purpose: "Compares a search that tries every move with one that first asks whether passing is good enough.",
    fen: DEFENDED_KNIGHT,
    depth: Some(Depth { default: 6, largest: 9 }),
};

/// Deep enough to see the pawn on b3 fall.
const ZUGZWANG_DEPTH: u32 = 6;

fn main() -> ExitCode {
    command_line::run(&LESSON, |output, position, depth| {
        let [plain, passing] =
            [Remembering::QUIET.deepen(position, depth), Remembering::PASSING.deepen(position, depth)];
        writeln!(output, "Scores from White's view; positions visited at each depth:\n")?;
        writeln!(output, "       every move                        passing first")?;
        writeln!(output, "depth  move     score       positions    move     score       positions")?;
        for (index, (plain, passing)) in plain.iter().zip(&passing).enumerate() {
            let cells = [plain, passing].map(|finding| cells(position, finding));
            writeln!(output, "{:>5}  {}    {}", index + 1, cells[0], cells[1])?;
        }
        if position.to_string() == DEFENDED_KNIGHT { zugzwang(output) } else { Ok(()) }
    })
}

fn cells(position: &Position, finding: &Finding) -> String {
    let (best, score) = (move_text(position, finding.best_move), finding.score.to_string());
    format!("{best:<8} {score:<8} {:>12}", grouped(finding.nodes.total()))
}

/// Where passing would help, but is not allowed.
fn zugzwang(output: &mut dyn Write) -> io::Result<()> {
    let Ok(position) = ZUGZWANG.parse::<Position>() else { return Ok(()) };
    writeln!(
        output,
        "\nAfter Kc3 Black must move, and loses the pawn that passing would keep:\n\n{}\n",
        position.board()
    )?;
    for (care, name) in [(Care::AgainstZugzwang, "nobody passes without pieces"), (Care::None, "everybody may pass")] {
        let shortcut = NullMove { care, ..NullMove::USUAL };
        let findings = Remembering { shortcut, ..Remembering::PASSING }.deepen(&position, ZUGZWANG_DEPTH);
        let Some(last) = findings.last() else { continue };
        writeln!(output, "{name:<30} {} at depth {ZUGZWANG_DEPTH}", cells(&position, last))?;
    }
    Ok(())
}
