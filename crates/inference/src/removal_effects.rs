//! What every piece is worth to a network: the value with it and without it.
//!
//! These effects do not sum up to the value: two pieces that only work together each seem to be worth the whole of
//! their teamwork. Kings cannot be taken away.

use kiebitz_chess::{Color, Piece, PieceKind, Position, Square};

use crate::{Evaluator, Network};

/// What one piece is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemovalEffect {
    /// Where it stands.
    pub square: Square,
    /// Which piece it is.
    pub piece: Piece,
    /// The value with it less the value without it, in centipawns as White sees them; `None` if the position without
    /// it is not legal.
    pub centipawns: Option<i32>,
}

/// The effect of every piece but the kings, from a1 to h8.
#[must_use]
pub fn removal_effects(network: &Network, position: &Position) -> Vec<RemovalEffect> {
    let mut evaluator = Evaluator::new(network);
    let white = |position: &Position, value: i32| if position.side_to_move() == Color::White { value } else { -value };
    let mut value_of = |position: &Position| {
        evaluator.reset(position);
        white(position, evaluator.evaluate(position))
    };
    let whole = value_of(position);
    let pieces = position.board().iter().filter(|(_, piece)| piece.kind != PieceKind::King);
    pieces
        .map(|(square, piece)| {
            let mut setup = position.to_setup();
            setup.board.set(square, None);
            setup.castling_rooks = setup.castling_rooks.without(square);
            setup.en_passant = None;
            let without = Position::try_from(setup).ok();
            RemovalEffect { square, piece, centipawns: without.map(|without| whole - value_of(&without)) }
        })
        .collect()
}
