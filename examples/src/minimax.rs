//! Rung 2: try every move, and every reply, and every reply to that.
//!
//! White picks the move with the highest score, Black the one with the lowest, and both know it of each other. At a
//! fixed depth the calculation stops and the [evaluation](crate::book_evaluation) has the word. The price is the
//! whole tree: some thirty to forty times more positions with every ply.

use kiebitz_chess::{Color, Position, Score};

use crate::book_evaluation::evaluate;
use crate::finding::{Finding, NodeCount};
use crate::game_end;

/// The best move of a position, seen `depth` plies deep. Of several equal moves the first one generated is returned.
#[must_use]
pub fn search(position: &Position, depth: u32) -> Finding {
    let mut nodes = NodeCount::default();
    if depth == 0 || position.ending().is_some() {
        return Finding { best_move: None, score: value(position, 0, 0, &mut nodes), nodes };
    }
    let side = position.side_to_move();
    let mut best_move = None;
    let mut best = worst_for(side);
    for mv in position.legal_moves() {
        nodes.visit(1);
        let score = value(&position.after(mv), depth - 1, 1, &mut nodes);
        if best_move.is_none() || better_for(side, score, best) != best {
            best_move = Some(mv);
            best = score;
        }
    }
    Finding { best_move, score: best, nodes }
}

/// What a position is worth from White's view when both sides look `depth` plies ahead.
fn value(position: &Position, depth: u32, ply: u32, nodes: &mut NodeCount) -> Score {
    if let Some(score) = game_end::score(position, ply) {
        return score;
    }
    if depth == 0 {
        return evaluate(position);
    }
    let side = position.side_to_move();
    let mut best = worst_for(side);
    for mv in position.legal_moves() {
        nodes.visit(ply + 1);
        best = better_for(side, best, value(&position.after(mv), depth - 1, ply + 1, nodes));
    }
    best
}

/// Where a side starts from before it has seen any of its moves.
fn worst_for(side: Color) -> Score {
    match side {
        Color::White => -Score::INFINITE,
        Color::Black => Score::INFINITE,
    }
}

/// The heart of it: White maximises, Black minimises.
fn better_for(side: Color, one: Score, other: Score) -> Score {
    match side {
        Color::White => one.max(other),
        Color::Black => one.min(other),
    }
}
