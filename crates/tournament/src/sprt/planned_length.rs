//! How long will this test take?

use super::first_passage::Corridor;
use super::{Decision, Sprt};
use crate::statistics::ScoreCounts;
use crate::statistics::sample_size::assumed;

/// How far a random walk oversteps a wall on average, in standard deviations of a step: −ζ(½)/√(2π) (Siegmund 1979).
const OVERSHOOT: f64 = 0.582_597_157_939;

/// What to expect of a sequential test, in games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlannedLength {
    /// The probability that the test accepts H1.
    pub pass_probability: f64,
    /// The average number of games.
    pub expected_games: f64,
    /// Half of all tests end within so many games.
    pub median_games: f64,
    /// Nine out of ten do.
    pub games_90: f64,
    /// Nineteen out of twenty do.
    pub games_95: f64,
}

impl Sprt {
    /// How long the test takes when the true difference is `elo` (on the scale of its bounds) and results are
    /// distributed like `shape`, shifted to that difference; see [`ScoreCounts::unrelated_pairs`] when nothing is known.
    ///
    /// The LLR is taken as a Brownian motion. Its drift per unit is Σ pᵢ ln(p₁ᵢ/p₀ᵢ) and its variance that of the same
    /// logarithm, which is exact for many units because the fitted distributions are stationary to first order. The
    /// walls are moved outwards by the average overshoot of a walk in discrete steps. Good to a few per cent when the
    /// test takes dozens of units or more. `None` for a shape without results and for strengths that it cannot have.
    ///
    /// ```
    /// use kiebitz_tournament::sprt::Sprt;
    /// use kiebitz_tournament::statistics::{EloModel, ScoreCounts};
    /// let test = Sprt::new(0.05, 0.05, [0.0, 2.0], EloModel::Normalised)?;
    /// let plan = test.planned_length(ScoreCounts::of_pairs([1.0, 24.0, 50.0, 24.0, 1.0]), 2.0).unwrap();
    /// assert!((plan.pass_probability - 0.95).abs() < 1e-3);
    /// assert!((plan.expected_games / 160_000.0 - 1.0).abs() < 0.01);
    /// # Ok::<(), kiebitz_tournament::sprt::SprtError>(())
    /// ```
    #[must_use]
    pub fn planned_length(&self, shape: impl Into<ScoreCounts>, elo: f64) -> Option<PlannedLength> {
        self.planned_rest(shape, elo, 0.0)
    }

    /// The same for a test whose LLR has come so far: how many *more* games it takes.
    #[must_use]
    pub fn planned_rest(&self, shape: impl Into<ScoreCounts>, elo: f64, llr: f64) -> Option<PlannedLength> {
        let shape = shape.into();
        if !elo.is_finite() || self.decide_llr(llr) != Decision::Continue {
            return None;
        }
        let truth = self.shifted(&assumed(&shape)?, elo)?;
        let (drift, variance) = self.log_ratio_moments(&truth)?;
        if !(drift.is_finite() && variance > 0.0 && variance.is_finite()) {
            return None;
        }
        let overshoot = OVERSHOOT * variance.sqrt();
        let (lower, upper) = (self.lower_limit() - overshoot - llr, self.upper_limit() + overshoot - llr);
        let corridor = Corridor { drift, variance, lower, upper };
        let games = shape.games_per_unit();
        Some(PlannedLength {
            pass_probability: corridor.upper_probability(),
            expected_games: corridor.expected_steps() * games,
            median_games: corridor.quantile(0.5) * games,
            games_90: corridor.quantile(0.9) * games,
            games_95: corridor.quantile(0.95) * games,
        })
    }
}
