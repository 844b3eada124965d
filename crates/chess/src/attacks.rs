//! Which squares a piece attacks.
//!
//! Leapers (pawn, knight, king) read a table made at compile time; sliders (bishop, rook) index a table by the
//! occupancy of the squares they could be blocked on, either through a magic multiplication or, on CPUs that
//! are fast at it, through parallel bit extraction. Both ways give the same sets.

mod leapers;
mod lines;
pub mod magic;
mod magic_numbers;
mod rays;
pub(crate) mod sliders;

pub use leapers::{king, knight, pawn, pawns};
pub use lines::{between, diagonals, line, straights};
pub use rays::{bishop_by_rays, rook_by_rays};
pub use sliders::{bishop, queen, rook};

use crate::{Bitboard, Color, PieceKind, Square};

/// The squares attacked by a piece, given every occupied square.
#[inline]
#[must_use]
pub fn piece(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, square),
        PieceKind::Knight => knight(square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Queen => queen(square, occupied),
        PieceKind::King => king(square),
    }
}
