//! What a position is worth.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// An evaluation in centipawns, or a forced mate, seen from one side.
///
/// Mates are numbers close to [`Score::MATE`], the nearer the larger, so that scores compare and negate as
/// plain numbers do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Nobody is better.
    pub const DRAW: Self = Self(0);
    /// Mate on the board, for the side that gave it.
    pub const MATE: Self = Self(32_000);
    /// Above every score.
    pub const INFINITE: Self = Self(32_001);
    /// The longest mate that is told from a large evaluation, in plies.
    pub const LONGEST_MATE: u32 = 1_000;
    const SMALLEST_MATE: i32 = Self::MATE.0 - Self::LONGEST_MATE as i32;

    /// An evaluation; held below every mate.
    #[inline]
    #[must_use]
    pub const fn centipawns(value: i32) -> Self {
        let limit = Self::SMALLEST_MATE - 1;
        if value > limit {
            Self(limit)
        } else if value < -limit {
            Self(-limit)
        } else {
            Self(value)
        }
    }

    /// The viewer gives mate after so many plies; longer mates than [`Self::LONGEST_MATE`] count as that.
    #[inline]
    #[must_use]
    pub const fn mate_in(plies: u32) -> Self {
        let plies = if plies > Self::LONGEST_MATE { Self::LONGEST_MATE } else { plies };
        Self(Self::MATE.0 - plies as i32)
    }

    /// The viewer is mated after so many plies.
    #[inline]
    #[must_use]
    pub const fn mated_in(plies: u32) -> Self {
        Self(-Self::mate_in(plies).0)
    }

    /// The plain number: centipawns, or a mate's code.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether somebody gives mate.
    #[inline]
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0 >= Self::SMALLEST_MATE || self.0 <= -Self::SMALLEST_MATE
    }

    /// Moves (not plies) until mate, negative when the viewer is mated.
    #[must_use]
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-((Self::MATE.0 + self.0) / 2))
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

/// As UCI writes it: `cp 35` or `mate -3`.
impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(formatter, "mate {moves}"),
            None => write!(formatter, "cp {}", self.0),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Score({self})")
    }
}

/// Chances to win, draw and lose, in thousandths that sum to a thousand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wdl {
    win: u16,
    draw: u16,
    loss: u16,
}

impl Wdl {
    const WHOLE: u16 = 1000;

    /// Chances from thousandths to win and to lose; the rest are draws. `None` if they exceed a thousand.
    #[must_use]
    pub const fn new(win: u16, loss: u16) -> Option<Self> {
        match win.checked_add(loss) {
            Some(sum) if sum <= Self::WHOLE => Some(Self { win, draw: Self::WHOLE - sum, loss }),
            _ => None,
        }
    }

    /// Thousandths to win.
    #[must_use]
    pub const fn win(self) -> u16 {
        self.win
    }

    /// Thousandths to draw.
    #[must_use]
    pub const fn draw(self) -> u16 {
        self.draw
    }

    /// Thousandths to lose.
    #[must_use]
    pub const fn loss(self) -> u16 {
        self.loss
    }

    /// The same seen from the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// The points to expect, from 0 to 1.
    #[must_use]
    pub fn expected_points(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw) / 2.0) / f64::from(Self::WHOLE)
    }
}

/// Three numbers, as UCI writes them.
impl fmt::Display for Wdl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::centipawns(-35).to_string(), "cp -35");
        assert!(!Score::centipawns(1_000_000).is_mate());
        assert!(Score::mate_in(5_000).is_mate());
        assert!(Score::mate_in(1) > Score::mate_in(3));
        assert_eq!(-Score::mate_in(7), Score::mated_in(7));
    }

    #[test]
    fn chances_sum_to_a_thousand() {
        let wdl = Wdl::new(400, 250).unwrap();
        assert_eq!(wdl.to_string(), "400 350 250");
        assert_eq!(wdl.flipped().win(), 250);
        assert!((wdl.expected_points() - 0.575).abs() < 1e-12);
        assert_eq!(Wdl::new(600, 401), None);
        assert_eq!(Wdl::new(u16::MAX, 1), None);
    }
}
