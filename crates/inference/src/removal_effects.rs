//! What every piece is worth to a network: the value with it and without it.
//!
//! These effects do not sum up to the value: two pieces that only work together each seem to be worth the whole of
//! their teamwork. Kings cannot be taken away; any other piece can, even if the rest could not be played on because the side
//! that is not to move stands in check: to a network it is a placement like any other.

use kiebitz_chess::{BoardObserver, Color, Piece, PieceKind, Position, Square};
use kiebitz_features::BoardDelta;

use crate::{Evaluator, Network};

/// What one piece is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemovalEffect {
    /// Where it stands.
    pub square: Square,
    /// Which piece it is.
    pub piece: Piece,
    /// The value with it less the value without it, in centipawns as White sees them.
    pub centipawns: i32,
}

/// The effect of every piece but the kings, from a1 to h8.
#[must_use]
pub fn removal_effects(network: &Network, position: &Position) -> Vec<RemovalEffect> {
    let mut evaluator = Evaluator::new(network);
    evaluator.reset(position);
    let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
    let whole = evaluator.evaluate(position);
    let pieces = position.board().iter().filter(|(_, piece)| piece.kind != PieceKind::King);
    pieces
        .map(|(square, piece)| {
            let mut delta = BoardDelta::default();
            BoardObserver::removed(&mut delta, piece, square);
            let without = evaluator.evaluate_changed(position, &delta);
            // Values at the two ends of their type are further apart than it can tell.
            RemovalEffect { square, piece, centipawns: whole.wrapping_sub(without).wrapping_mul(sign) }
        })
        .collect()
}
