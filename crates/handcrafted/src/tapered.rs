//! Two numbers in one word: what something is worth in the middle game and in the end game.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle-game and an end-game value, in centipawns, added and multiplied together.
///
/// The end-game value sits in the upper half, the middle-game value, borrowing from it when negative, in the lower one.
/// *Invariant:* both values stay within 16 bits; the largest sums of any legal position are far below.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tapered(i32);

/// A pair of weights; short because the table of parameters has thousands of them.
pub(crate) const fn s(middle: i16, end: i16) -> Tapered {
    Tapered(((end as i32) << 16).wrapping_add(middle as i32))
}

impl Tapered {
    pub(crate) const ZERO: Self = Self(0);

    #[inline(always)]
    pub(crate) const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline(always)]
    pub(crate) const fn end(self) -> i32 {
        // Half a unit is added to give back what a negative lower half borrowed.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline(always)]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "s({}, {})", self.middle(), self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for middle in [-9000, -1, 0, 1, 7, 9000] {
            for end in [-9000, -1, 0, 1, 7, 9000] {
                let pair = s(middle, end);
                assert_eq!((pair.middle(), pair.end()), (i32::from(middle), i32::from(end)));
                let other = (pair * 3 - s(5, -5)) + -s(2, 9);
                assert_eq!((other.middle(), other.end()), (i32::from(middle) * 3 - 7, i32::from(end) * 3 - 4));
            }
        }
    }
}
