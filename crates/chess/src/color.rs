//! The two sides.

use std::fmt;
use std::ops::Not;

use crate::indexed::indexed_enum;

indexed_enum! {
    /// One of the two sides.
    pub enum Color: mask 1 {
        /// The side that moves first.
        White = 0,
        /// The side that moves second.
        Black = 1,
    }
    else White
}

impl Color {
    /// `w` or `b`, as in a FEN.
    #[must_use]
    pub const fn to_char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Reads `w` or `b`.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'w' => Some(Self::White),
            'b' => Some(Self::Black),
            _ => None,
        }
    }
}

/// The opponent.
impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::masked(self as u8 ^ 1)
    }
}

/// `white` or `black`.
impl fmt::Display for Color {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}
