//! A move in two bytes.

use std::fmt;

use crate::indexed::indexed_enum;
use crate::{PieceKind, Square};

indexed_enum! {
    /// The two ways to castle, named by the wing and not by the rook's distance, so that they hold in Chess960.
    pub enum CastlingSide: mask 1 {
        /// To the g-file, `O-O`.
        King = 0,
        /// To the c-file, `O-O-O`.
        Queen = 1,
    }
    else King
}

/// What a move does besides going from one square to another.
///
/// The numbers are chosen so that one bit tells captures and another tells promotions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u16)]
pub enum MoveKind {
    /// Nothing else happens.
    Quiet = 0,
    /// A pawn's two-square advance.
    DoublePush = 1,
    /// Castling towards the g-file.
    CastleKing = 2,
    /// Castling towards the c-file.
    CastleQueen = 3,
    /// The piece on the target square is taken.
    Capture = 4,
    /// The pawn beside the mover is taken.
    EnPassant = 5,
    /// A pawn becomes a knight.
    PromoteKnight = 8,
    /// A pawn becomes a bishop.
    PromoteBishop = 9,
    /// A pawn becomes a rook.
    PromoteRook = 10,
    /// A pawn becomes a queen.
    PromoteQueen = 11,
    /// A pawn takes and becomes a knight.
    CapturePromoteKnight = 12,
    /// A pawn takes and becomes a bishop.
    CapturePromoteBishop = 13,
    /// A pawn takes and becomes a rook.
    CapturePromoteRook = 14,
    /// A pawn takes and becomes a queen.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE_BIT: u16 = 4;
    const PROMOTION_BIT: u16 = 8;

    const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits {
            0 => Self::Quiet,
            1 => Self::DoublePush,
            2 => Self::CastleKing,
            3 => Self::CastleQueen,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::PromoteKnight,
            9 => Self::PromoteBishop,
            10 => Self::PromoteRook,
            11 => Self::PromoteQueen,
            12 => Self::CapturePromoteKnight,
            13 => Self::CapturePromoteBishop,
            14 => Self::CapturePromoteRook,
            15 => Self::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The kind of a promotion to `kind`, capturing or not; kings and pawns count as queens.
    #[inline]
    #[must_use]
    pub const fn promotion(kind: PieceKind, capture: bool) -> Self {
        match (kind, capture) {
            (PieceKind::Knight, false) => Self::PromoteKnight,
            (PieceKind::Bishop, false) => Self::PromoteBishop,
            (PieceKind::Rook, false) => Self::PromoteRook,
            (_, false) => Self::PromoteQueen,
            (PieceKind::Knight, true) => Self::CapturePromoteKnight,
            (PieceKind::Bishop, true) => Self::CapturePromoteBishop,
            (PieceKind::Rook, true) => Self::CapturePromoteRook,
            (_, true) => Self::CapturePromoteQueen,
        }
    }
}

/// A move: 6 bits origin, 6 bits target, 4 bits [`MoveKind`].
///
/// Castling is written as *king takes own rook*, which is unambiguous in every Chess960 position. A move
/// means something only together with the position it was generated for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

const _: () = assert!(size_of::<Move>() == 2);

impl Move {
    /// No move at all; what an empty table entry holds. Never legal.
    pub const NULL: Self = Self(0);

    /// Puts a move together.
    #[inline(always)]
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        Self(from as u16 | (to as u16) << 6 | (kind as u16) << 12)
    }

    /// The square the piece leaves.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::masked((self.0 & 63) as u8)
    }

    /// The square the piece reaches; when castling, the square of the own rook.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::masked((self.0 >> 6 & 63) as u8)
    }

    /// What else the move does.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits(self.0 >> 12) {
            Some(kind) => kind,
            None => MoveKind::Quiet,
        }
    }

    /// Whether the move takes something, en passant included.
    #[inline(always)]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0 & MoveKind::CAPTURE_BIT << 12 != 0
    }

    /// Whether a pawn promotes.
    #[inline(always)]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.0 & MoveKind::PROMOTION_BIT << 12 != 0
    }

    /// Whether the move is neither a capture nor a promotion.
    #[inline(always)]
    #[must_use]
    pub const fn is_quiet(self) -> bool {
        self.0 & (MoveKind::CAPTURE_BIT | MoveKind::PROMOTION_BIT) << 12 == 0
    }

    /// What a promoting pawn becomes.
    #[inline(always)]
    #[must_use]
    pub const fn promotion(self) -> Option<PieceKind> {
        if self.is_promotion() {
            Some(PieceKind::masked((self.0 >> 12 & 3) as u8 + PieceKind::Knight as u8))
        } else {
            None
        }
    }

    /// Which way the move castles, if it does.
    #[inline]
    #[must_use]
    pub const fn castling(self) -> Option<CastlingSide> {
        match self.kind() {
            MoveKind::CastleKing => Some(CastlingSide::King),
            MoveKind::CastleQueen => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// The packed form, for tables and files.
    #[inline(always)]
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move that [`Self::to_bits`] packed; `None` for the two unused kinds.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match MoveKind::from_bits(bits >> 12) {
            Some(_) => Some(Self(bits)),
            None => None,
        }
    }
}

/// Origin, target and promotion letter, castling as king takes rook: the UCI form of Chess960. For the form of
/// standard chess see [`crate::Position::uci`].
impl fmt::Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NULL {
            return formatter.write_str("0000");
        }
        write!(formatter, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(formatter, "{}", kind.to_char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Move({self} {:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_packing() {
        for bits in 0..16 {
            let Some(kind) = MoveKind::from_bits(bits) else { continue };
            let mv = Move::new(Square::B7, Square::A8, kind);
            assert_eq!((mv.from(), mv.to(), mv.kind()), (Square::B7, Square::A8, kind));
            assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
            if let Some(promoted) = mv.promotion() {
                assert_eq!(MoveKind::promotion(promoted, mv.is_capture()), kind);
            }
        }
        assert_eq!(Move::from_bits(6 << 12), None);
    }
}
