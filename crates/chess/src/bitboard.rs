//! A set of squares in one machine word.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::Square;

/// A set of squares: bit 0 is a1, bit 63 is h8. The operators are those of sets.
///
/// ```
/// use kiebitz_chess::{Bitboard, File, Rank, Square};
///
/// let cross = File::E.bitboard() | Rank::Fourth.bitboard();
/// assert_eq!(cross.len(), 15);
/// assert!(cross.contains(Square::E4));
/// assert_eq!((cross - File::E.bitboard()).first(), Some(Square::A4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All squares.
    pub const ALL: Self = Self(u64::MAX);
    /// The light squares.
    pub const LIGHT_SQUARES: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The dark squares.
    pub const DARK_SQUARES: Self = Self(!Self::LIGHT_SQUARES.0);

    /// How many squares are in the set.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set holds nothing.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set holds anything.
    #[inline(always)]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set holds at least two squares.
    #[inline(always)]
    #[must_use]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether a square is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in `other`.
    #[inline(always)]
    #[must_use]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set with one more square.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The set with one square less.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bitboard().0)
    }

    /// The lowest square, a1 first.
    #[inline(always)]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        match NonZeroU64::new(self.0) {
            Some(bits) => Some(Square::masked(bits.trailing_zeros() as u8)),
            None => None,
        }
    }

    /// The highest square, h8 first.
    #[inline(always)]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        match NonZeroU64::new(self.0) {
            Some(bits) => Some(Square::masked(63 - bits.leading_zeros() as u8)),
            None => None,
        }
    }

    /// The set moved by `squares` (a north-east step is 9); what leaves through top or bottom is lost, and
    /// what crosses the left or right edge reappears: mask it first.
    #[inline(always)]
    #[must_use]
    pub const fn shifted(self, squares: i8) -> Self {
        if squares >= 0 { Self(self.0 << squares) } else { Self(self.0 >> -squares) }
    }

    /// The set seen from the other side of the table.
    #[inline(always)]
    #[must_use]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The squares of the left set that are not in the right one.
impl Sub for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl SubAssign for Bitboard {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

/// A picture of the set, eighth rank on top, `X` for a member.
impl fmt::Display for Bitboard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let row: Vec<&str> =
                (0..8).map(|file| if self.0 >> (rank * 8 + file) & 1 == 1 { "X" } else { "." }).collect();
            writeln!(formatter, "{}", row.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Bitboard({:#018x})", self.0)
    }
}
