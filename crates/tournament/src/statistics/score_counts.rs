//! What games and game pairs have in common: counts of results on an even scale from no points to all points.

use super::{Pentanomial, Trinomial};

/// The most kinds of result: a pair has five.
pub(crate) const MOST_CATEGORIES: usize = 5;

/// Counts of results of *units*, a unit being a game (3 kinds of result) or a game pair (5 kinds).
///
/// Scores run from 0 to 1 for both: a pair with 1½ points has the score ¾. Counts may be fractions, so that an assumed
/// distribution is the same kind of value as an observed one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreCounts {
    counts: [f64; MOST_CATEGORIES],
    categories: usize,
}

impl ScoreCounts {
    /// Single games that are won, drawn and lost in these proportions. Negative numbers count as zero.
    #[must_use]
    pub const fn of_games(wins: f64, draws: f64, losses: f64) -> Self {
        Self { counts: [losses.max(0.0), draws.max(0.0), wins.max(0.0), 0.0, 0.0], categories: 3 }
    }

    /// Pairs with 0, ½, 1, 1½ and 2 points in these proportions. Negative numbers count as zero.
    #[must_use]
    pub fn of_pairs(counts: [f64; 5]) -> Self {
        Self { counts: counts.map(|count| count.max(0.0)), categories: 5 }
    }

    /// Pairs of two *unrelated* games between equal players, of which the given share is drawn (0 to 1): what to assume
    /// about a balanced book when nothing better is known. Unbalanced books give fewer extreme pairs than this.
    #[must_use]
    pub fn unrelated_pairs(draw_ratio: f64) -> Self {
        let draw = draw_ratio.clamp(0.0, 1.0);
        let win = (1.0 - draw) / 2.0;
        let (extreme, near) = (win * win, 2.0 * win * draw);
        Self::of_pairs([extreme, near, draw * draw + 2.0 * win * win, near, extreme])
    }

    /// Kinds of result: 3 for games, 5 for pairs.
    #[must_use]
    pub const fn categories(&self) -> usize {
        self.categories
    }

    /// The counts from the lowest score to the highest.
    #[must_use]
    pub fn counts(&self) -> &[f64] {
        &self.counts[..self.categories]
    }

    /// The score of a kind of result, from 0 to 1.
    #[must_use]
    pub fn score_of(&self, category: usize) -> f64 {
        category as f64 / (self.categories - 1) as f64
    }

    /// Games in a unit: 1 or 2.
    #[must_use]
    pub fn games_per_unit(&self) -> f64 {
        (self.categories / 2) as f64
    }

    /// How many units there are.
    #[must_use]
    pub fn units(&self) -> f64 {
        self.counts().iter().sum()
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> f64 {
        self.units() * self.games_per_unit()
    }

    /// Scores with their counts.
    pub(crate) fn weighted(&self) -> impl Iterator<Item = (f64, f64)> + Clone + '_ {
        self.counts().iter().enumerate().map(|(category, &count)| (self.score_of(category), count))
    }

    /// The average score, 0 to 1; `None` without units.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let units = self.units();
        (units > 0.0).then(|| self.weighted().map(|(score, count)| score * count).sum::<f64>() / units)
    }

    /// The average of a power of the distance from the mean.
    pub(crate) fn central_moment(&self, power: i32) -> Option<f64> {
        let mean = self.mean()?;
        let sum: f64 = self.weighted().map(|(score, count)| (score - mean).powi(power) * count).sum();
        Some(sum / self.units())
    }

    /// The variance of a unit's score (not of the average); `None` without units.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        self.central_moment(2)
    }

    /// The variance *per game*: that of a unit times its games. Two unrelated games have half the variance of one in
    /// their average, so the figure is comparable between games and pairs, and smaller the more pairing helps.
    #[must_use]
    pub fn variance_per_game(&self) -> Option<f64> {
        Some(self.variance()? * self.games_per_unit())
    }

    /// The same counts with `extra` added to every kind of result.
    pub(crate) fn plus_each(mut self, extra: f64) -> Self {
        self.counts[..self.categories].iter_mut().for_each(|count| *count += extra);
        self
    }

    /// The same counts with every zero replaced.
    pub(crate) fn without_zeros(mut self, instead: f64) -> Self {
        self.counts[..self.categories].iter_mut().for_each(|count| {
            if *count < instead {
                *count = instead;
            }
        });
        self
    }
}

impl From<Trinomial> for ScoreCounts {
    fn from(games: Trinomial) -> Self {
        Self::of_games(games.wins as f64, games.draws as f64, games.losses as f64)
    }
}

impl From<Pentanomial> for ScoreCounts {
    fn from(pairs: Pentanomial) -> Self {
        Self::of_pairs(pairs.counts.map(|count| count as f64))
    }
}
