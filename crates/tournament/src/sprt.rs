//! The sequential probability ratio test: play until the results favour one of two hypotheses clearly enough.
//!
//! The log-likelihood ratio (LLR) is that of the *generalised* test: each hypothesis names a strength, and of all
//! distributions of results with that strength the one that fits best is taken (see the module `projection` of
//! [`crate::statistics`]). For game pairs the counts are pentanomial, for single games trinomial.
//!
//! **One-sided results.** Kinds of result that have not been seen count as [`UNSEEN`] units, as fishtest does. This keeps
//! every likelihood positive, so that the LLR exists from the first result on. It cannot end a test by itself: a win
//! moves the LLR by at most ln(s₁/s₀), where s₀ and s₁ are the scores that the bounds expect, so logistic `[0, 5]` takes
//! about 200 won pairs in a row rather than one game, and never waits for a loss that does not come.
//!
//! The promised error rates are those of many small steps: they hold for tests of about a hundred units and more, which all
//! usual bounds need.

mod first_passage;
mod planned_length;

use std::fmt;

pub use planned_length::PlannedLength;

use crate::statistics::projection::Distribution;
use crate::statistics::{EloModel, NORMALISED_ELO_PER_T, ScoreCounts, score_of_elo};

/// What an unseen kind of result counts, in units.
pub const UNSEEN: f64 = 1e-3;

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// The upper bound's hypothesis: the change is good.
    AcceptH1,
    /// The lower bound's hypothesis: the change is not.
    AcceptH0,
    /// Neither yet.
    Continue,
}

impl fmt::Display for Decision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AcceptH1 => "H1 accepted",
            Self::AcceptH0 => "H0 accepted",
            Self::Continue => "undecided",
        })
    }
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// An error rate is not between 0 and ½, both excluded.
    #[error("{name} is {value}, but must lie between 0 and 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The bounds are not two finite numbers in ascending order.
    #[error("the bounds are [{elo0}, {elo1}], but the first must be below the second")]
    Bounds {
        /// The lower bound.
        elo0: f64,
        /// The upper bound.
        elo1: f64,
    },
}

/// A sequential test.
///
/// ```
/// use kiebitz_tournament::sprt::{Decision, Sprt};
/// use kiebitz_tournament::statistics::{EloModel, Pentanomial};
/// let test = Sprt::new(0.05, 0.05, [0.0, 2.0], EloModel::Normalised)?;
/// let pairs = Pentanomial::new([365, 16618, 36229, 16974, 390]);
/// assert_eq!(format!("{:.2}", test.llr(pairs)), "2.25");
/// assert_eq!(test.decide(pairs), Decision::Continue);
/// # Ok::<(), kiebitz_tournament::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    alpha: f64,
    beta: f64,
    bounds: [f64; 2],
    model: EloModel,
}

impl Sprt {
    /// A test of "the difference is at most `bounds[0]`" against "it is at least `bounds[1]`".
    ///
    /// `alpha` is the probability to accept H1 although `bounds[0]` is true, `beta` that to accept H0 although `bounds[1]`
    /// is.
    ///
    /// # Errors
    /// When an error rate or the bounds make no sense.
    pub fn new(alpha: f64, beta: f64, bounds: [f64; 2], model: EloModel) -> Result<Self, SprtError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { name, value });
            }
        }
        let [elo0, elo1] = bounds;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        Ok(Self { alpha, beta, bounds, model })
    }

    /// The bounds in Elo of [`Self::model`].
    #[must_use]
    pub const fn bounds(&self) -> [f64; 2] {
        self.bounds
    }

    /// The scale of the bounds.
    #[must_use]
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The LLR at or below which H0 is accepted: ln(β / (1 − α)).
    #[must_use]
    pub fn lower_limit(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The LLR at or above which H1 is accepted: ln((1 − β) / α).
    #[must_use]
    pub fn upper_limit(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio N Σ qᵢ ln(p₁ᵢ/p₀ᵢ) of the counts; 0 without any.
    #[must_use]
    pub fn llr(&self, counts: impl Into<ScoreCounts>) -> f64 {
        let counts = counts.into();
        if counts.units() <= 0.0 {
            return 0.0;
        }
        let counts = counts.without_zeros(UNSEEN);
        let observed = Distribution::of(&counts);
        let mean_ratio = observed.and_then(|observed| Some(self.log_ratio_moments(&observed)?.0));
        // Bounds so far out that no distribution reaches them say nothing.
        mean_ratio.map_or(0.0, |mean| counts.units() * mean)
    }

    /// Mean and variance of the LLR's step per unit, when results are distributed like this.
    fn log_ratio_moments(&self, distribution: &Distribution) -> Option<(f64, f64)> {
        let [lower, upper] = self.bounds;
        let lower = self.shifted(distribution, lower)?;
        let upper = self.shifted(distribution, upper)?;
        Some(distribution.log_ratio_moments(&upper, &lower))
    }

    /// The nearest distribution of a strength in Elo of the test's model.
    fn shifted(&self, distribution: &Distribution, elo: f64) -> Option<Distribution> {
        match self.model {
            EloModel::Logistic => distribution.with_mean(score_of_elo(elo)),
            EloModel::Normalised => distribution.with_t_value(t_of_normalised_elo(elo, distribution.categories)),
        }
    }

    /// The normal approximation of the LLR, which needs only mean and variance of the results: a cross-check for large
    /// numbers, unfit for few or one-sided ones.
    ///
    /// Logistic: N (s₁ − s₀)(2s − s₀ − s₁) / 2σ². Normalised: N/2 · ln((1 + (t − t₀)²) / (1 + (t − t₁)²)).
    #[must_use]
    pub fn llr_normal(&self, counts: impl Into<ScoreCounts>) -> f64 {
        let counts = counts.into();
        if counts.units() <= 0.0 {
            return 0.0;
        }
        let counts = counts.without_zeros(UNSEEN);
        let (Some(mean), Some(variance)) = (counts.mean(), counts.variance()) else { return 0.0 };
        let [elo0, elo1] = self.bounds;
        match self.model {
            EloModel::Logistic => {
                let (low, high) = (score_of_elo(elo0), score_of_elo(elo1));
                counts.units() * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
            }
            EloModel::Normalised => {
                let t = (mean - 0.5) / variance.sqrt();
                let away = |elo: f64| 1.0 + (t - t_of_normalised_elo(elo, counts.categories())).powi(2);
                counts.units() / 2.0 * (away(elo0) / away(elo1)).ln()
            }
        }
    }

    /// What the counts say.
    #[must_use]
    pub fn decide(&self, counts: impl Into<ScoreCounts>) -> Decision {
        self.decide_llr(self.llr(counts))
    }

    /// What an LLR says.
    #[must_use]
    pub fn decide_llr(&self, llr: f64) -> Decision {
        if llr >= self.upper_limit() {
            Decision::AcceptH1
        } else if llr <= self.lower_limit() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

/// The distance from ½ in standard deviations of a *unit*: a pair's is √2 times a game's.
fn t_of_normalised_elo(elo: f64, categories: usize) -> f64 {
    let games_per_unit = (categories / 2) as f64;
    elo / NORMALISED_ELO_PER_T * games_per_unit.sqrt()
}

/// `[0, 2] normalised, alpha 0.05, beta 0.05`
impl fmt::Display for Sprt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [elo0, elo1] = self.bounds;
        write!(formatter, "[{elo0}, {elo1}] {}, alpha {}, beta {}", self.model, self.alpha, self.beta)
    }
}

#[cfg(test)]
mod tests;
