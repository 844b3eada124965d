//! How many games do I need?

use super::ScoreCounts;
use super::elo::{elo_slope, score_of_elo};
use super::estimate::NORMAL_QUANTILE_95;
use super::projection::Distribution;

/// Stands in for kinds of result that an assumed distribution lacks, in units of its total.
const SMALLEST_SHARE: f64 = 1e-6;

/// The games after which the 95 % error bars of logistic Elo are `±error`, for a true difference of `elo` and results
/// distributed like `shape` (shifted to that strength): n = (1.96 σ · dElo/ds / error)² units.
///
/// `None` if there is no such number: an empty shape, an error that is not positive, a difference beyond all measure.
///
/// ```
/// use kiebitz_tournament::statistics::{ScoreCounts, games_for_error};
/// // Half of the games drawn, unrelated openings: about 3 600 games for ±8 Elo.
/// let games = games_for_error(ScoreCounts::unrelated_pairs(0.5), 0.0, 8.0);
/// assert_eq!(games, Some(3624));
/// ```
#[must_use]
pub fn games_for_error(shape: impl Into<ScoreCounts>, elo: f64, error: f64) -> Option<u64> {
    let assumed = assumed(&shape.into())?;
    let score = score_of_elo(elo);
    let deviation = assumed.with_mean(score)?.variance().sqrt();
    let units = (NORMAL_QUANTILE_95 * deviation * elo_slope(score) / error).powi(2);
    let games_per_unit = (assumed.categories / 2) as f64;
    let games = units.ceil().max(1.0) * games_per_unit;
    (error > 0.0 && games.is_finite()).then_some(games as u64)
}

/// A shape as a distribution without zeros.
pub(crate) fn assumed(shape: &ScoreCounts) -> Option<Distribution> {
    Distribution::of(&shape.without_zeros(shape.units() * SMALLEST_SHARE))
}
