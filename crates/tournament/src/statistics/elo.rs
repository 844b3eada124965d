//! The two scales of strength.

use std::f64::consts::LN_10;
use std::fmt;

/// Normalised Elo for a distance of one standard deviation of a game: 800 / ln 10 ≈ 347.4.
///
/// Chosen (by Michel Van den Bergh) so that both scales agree for small differences when no game is drawn.
pub const NORMALISED_ELO_PER_T: f64 = 800.0 / LN_10;

/// How a difference in strength is measured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EloModel {
    /// Elo as everybody knows it: the expected score is 1 / (1 + 10^(−elo/400)), whatever the share of draws.
    Logistic,
    /// The distance of the expected score from ½ in standard deviations of a game, times [`NORMALISED_ELO_PER_T`].
    /// It says how hard a difference is to *detect*: the same bounds need about as many games with any book and at any
    /// time control.
    #[default]
    Normalised,
}

impl fmt::Display for EloModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalised => "normalised",
        })
    }
}

/// The expected score of a player who is stronger by so many logistic Elo: 1 / (1 + 10^(−elo/400)).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The logistic Elo of a score: −400 log₁₀(1/score − 1); infinite at 0 and 1 and beyond.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// By how many Elo the score of a player rises per unit of score: the slope of [`elo_of_score`].
pub(crate) fn elo_slope(score: f64) -> f64 {
    400.0 / (LN_10 * score * (1.0 - score))
}
