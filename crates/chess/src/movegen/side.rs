//! Directions as one side sees them, known at compile time.

use crate::{Bitboard, Color, Rank};

/// The side to move as a type.
pub(super) trait Side {
    const COLOR: Color;

    /// One square ahead.
    const AHEAD: i8 = match Self::COLOR {
        Color::White => 8,
        Color::Black => -8,
    };

    /// One square ahead and towards the a-file.
    const AHEAD_LEFT: i8 = Self::AHEAD - 1;

    /// One square ahead and towards the h-file.
    const AHEAD_RIGHT: i8 = Self::AHEAD + 1;

    /// Where a pawn stands after one step from its start.
    const THIRD_RANK: Bitboard = Rank::Third.relative_to(Self::COLOR).bitboard();

    /// Where pawns promote.
    const LAST_RANK: Bitboard = Rank::Eighth.relative_to(Self::COLOR).bitboard();

    /// Where the side's king and rooks start.
    const BACK_RANK: Bitboard = Rank::First.relative_to(Self::COLOR).bitboard();
}

pub(super) struct WhiteSide;
pub(super) struct BlackSide;

impl Side for WhiteSide {
    const COLOR: Color = Color::White;
}

impl Side for BlackSide {
    const COLOR: Color = Color::Black;
}
