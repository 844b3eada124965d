//! Results of game pairs.

use std::fmt;
use std::ops::Add;

use super::GameResult;

/// Counts of game pairs by the points won in them: 0, ½, 1, 1½ and 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pentanomial {
    /// `counts[i]` pairs gave `i` half points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Counts of pairs with 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub const fn new(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// Counts a complete pair.
    pub const fn record(&mut self, first: GameResult, second: GameResult) {
        self.counts[(first.half_points() + second.half_points()) as usize] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The points won.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.counts.iter().zip(0_u32..).map(|(&count, halves)| count as f64 * f64::from(halves) / 2.0).sum()
    }

    /// Pairs won (more than one point) for every pair lost (less than one): infinite if none was lost, `None` if none
    /// was decided at all.
    #[must_use]
    pub fn pair_ratio(&self) -> Option<f64> {
        let won = self.counts[3] + self.counts[4];
        let lost = self.counts[0] + self.counts[1];
        match (won, lost) {
            (0, 0) => None,
            (_, 0) => Some(f64::INFINITY),
            _ => Some(won as f64 / lost as f64),
        }
    }

    /// The share of pairs that gave one point to each side, 0 to 1; `None` without pairs.
    #[must_use]
    pub fn even_ratio(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.counts[2] as f64 / self.pairs() as f64)
    }

    /// The same pairs as the opponent sees them.
    #[must_use]
    pub const fn flipped(self) -> Self {
        let [none, half, one, more, all] = self.counts;
        Self { counts: [all, more, one, half, none] }
    }
}

impl Add for Pentanomial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { counts: std::array::from_fn(|halves| self.counts[halves] + other.counts[halves]) }
    }
}

/// `[3, 41, 102, 48, 6]`, as the field writes it behind `Ptnml(0-2)`.
impl fmt::Display for Pentanomial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [none, half, one, more, all] = self.counts;
        write!(formatter, "[{none}, {half}, {one}, {more}, {all}]")
    }
}
