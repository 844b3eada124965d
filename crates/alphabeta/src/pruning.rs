//! Parts of the tree that need not be searched, one idea a file: idea, condition, formula, and the match that tried it.

pub(crate) mod exchange;
pub(crate) mod futility;
pub(crate) mod history;
pub(crate) mod late_moves;
pub(crate) mod mate_distance;
pub(crate) mod mate_threat;
pub(crate) mod null_move;
pub(crate) mod probcut;
pub(crate) mod razoring;
pub(crate) mod reverse_futility;

use kiebitz_chess::Position;

/// Whether the mover has more than king and pawns: without, zugzwang makes passing and pruning dangerous.
#[inline]
pub(crate) fn has_pieces(position: &Position) -> bool {
    use kiebitz_chess::PieceKind::{King, Pawn};
    let us = position.side_to_move();
    let board = position.board();
    (board.color(us) - board.kind(Pawn) - board.kind(King)).any()
}
