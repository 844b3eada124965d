//! Files, ranks and squares.

use std::fmt;
use std::str::FromStr;

use crate::indexed::indexed_enum;
use crate::{Bitboard, Color};

indexed_enum! {
    /// A column of the board, from the queen's side to the king's side.
    pub enum File: mask 7 {
        /// The a-file.
        A = 0,
        /// The b-file.
        B = 1,
        /// The c-file.
        C = 2,
        /// The d-file.
        D = 3,
        /// The e-file.
        E = 4,
        /// The f-file.
        F = 5,
        /// The g-file.
        G = 6,
        /// The h-file.
        H = 7,
    }
    else A
}

indexed_enum! {
    /// A row of the board, counted from White's side.
    pub enum Rank: mask 7 {
        /// White's back rank.
        First = 0,
        /// Where White's pawns start.
        Second = 1,
        /// The third rank.
        Third = 2,
        /// The fourth rank.
        Fourth = 3,
        /// The fifth rank.
        Fifth = 4,
        /// The sixth rank.
        Sixth = 5,
        /// Where Black's pawns start.
        Seventh = 6,
        /// Black's back rank.
        Eighth = 7,
    }
    else First
}

impl File {
    /// The file's letter.
    #[must_use]
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads a lower-case file letter.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Self::from_index(letter as usize - 'a' as usize),
            _ => None,
        }
    }

    /// The eight squares of this file.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

impl Rank {
    /// The rank's digit.
    #[must_use]
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Reads a digit from 1 to 8.
    #[must_use]
    pub const fn from_char(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Self::from_index(digit as usize - '1' as usize),
            _ => None,
        }
    }

    /// This rank as `color` counts it: the first rank is every side's own back rank.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::masked(self as u8 ^ (7 * color as u8))
    }

    /// The eight squares of this rank.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u8))
    }
}

indexed_enum! {
    /// A square of the board; a1 is 0, b1 is 1, h8 is 63.
    #[expect(missing_docs, reason = "sixty-four names that need no comment")]
    #[rustfmt::skip]
    pub enum Square: mask 63 {
        A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
        A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
        A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
        A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
        A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
        A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
        A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
        A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
    }
    else A1
}

impl Square {
    /// The square where a file and a rank meet.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::masked(file as u8 | (rank as u8) << 3)
    }

    /// The file this square lies on.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::masked(self as u8)
    }

    /// The rank this square lies on.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::masked(self as u8 >> 3)
    }

    /// The set that holds this square alone.
    #[inline(always)]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square `files` to the right and `ranks` up, unless that leaves the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::masked((rank * 8 + file) as u8))
    }

    /// The square seen from the other side of the table, ranks swapped: a1 becomes a8.
    #[inline]
    #[must_use]
    pub const fn flip_rank(self) -> Self {
        Self::masked(self as u8 ^ 56)
    }

    /// The square mirrored from king's side to queen's side: a1 becomes h1.
    #[inline]
    #[must_use]
    pub const fn flip_file(self) -> Self {
        Self::masked(self as u8 ^ 7)
    }

    /// This square as `color` sees it, its own back rank below: unchanged for White.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::masked(self as u8 ^ (56 * color as u8))
    }

    /// The square a pawn passes or takes en passant: from the fourth rank the third, from the third the fourth,
    /// and likewise between the fifth and the sixth.
    #[inline]
    pub(crate) const fn beyond(self) -> Self {
        Self::masked(self as u8 ^ 8)
    }

    /// Whether the square is a light one; h1 is.
    #[inline]
    #[must_use]
    pub const fn is_light(self) -> bool {
        Bitboard::LIGHT_SQUARES.contains(self)
    }
}

/// Why a text names no square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square: expected a file from a to h and a rank from 1 to 8, such as e4")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut letters = text.chars();
        let parsed = (|| {
            let file = File::from_char(letters.next()?)?;
            let rank = Rank::from_char(letters.next()?)?;
            letters.next().is_none().then_some(Self::new(file, rank))
        })();
        parsed.ok_or_else(|| ParseSquareError(text.chars().take(16).collect()))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.file().to_char(), self.rank().to_char())
    }
}

impl fmt::Display for File {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.to_char())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.to_char())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_survive_every_way_there_and_back() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(Square::from_index(64), None);
    }

    #[test]
    fn texts_that_name_no_square_are_refused() {
        for text in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::H1.offset(1, 0), None);
        assert_eq!(Square::A8.offset(0, 1), None);
        assert_eq!(Square::E4.offset(-1, 2), Some(Square::D6));
    }
}
