//! Kinds of pieces, and pieces with a color.

use std::fmt;

use crate::Color;
use crate::indexed::indexed_enum;

indexed_enum! {
    /// What a piece is, whoever owns it.
    pub enum PieceKind: mask 7 {
        /// Moves ahead, captures aslant, promotes.
        Pawn = 0,
        /// Leaps two and one.
        Knight = 1,
        /// Slides along diagonals.
        Bishop = 2,
        /// Slides along files and ranks.
        Rook = 3,
        /// Slides like rook and bishop.
        Queen = 4,
        /// One step in any direction; never to be captured.
        King = 5,
    }
    else King
}

impl PieceKind {
    /// What a pawn may become, the most frequent choice first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The lower-case English letter: `p n b r q k`.
    #[must_use]
    pub const fn to_char(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// Reads a lower-case English letter.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

/// The English word.
impl fmt::Display for PieceKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        })
    }
}

/// A piece that belongs to a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// How many different pieces there are.
    pub const COUNT: usize = Color::COUNT * PieceKind::COUNT;

    /// A piece of a side.
    #[inline(always)]
    #[must_use]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self { color, kind }
    }

    /// A number below [`Self::COUNT`]: White's six kinds, then Black's.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.color as usize * PieceKind::COUNT + self.kind as usize
    }

    /// The FEN letter: upper case for White.
    #[must_use]
    pub const fn to_char(self) -> char {
        match self.color {
            Color::White => self.kind.to_char().to_ascii_uppercase(),
            Color::Black => self.kind.to_char(),
        }
    }

    /// Reads a FEN letter.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match PieceKind::from_char(letter.to_ascii_lowercase()) {
            Some(kind) => Some(Self::new(color, kind)),
            None => None,
        }
    }
}

/// The FEN letter.
impl fmt::Display for Piece {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.to_char())
    }
}
