//! Strength with error bars.

use super::elo::{NORMALISED_ELO_PER_T, elo_of_score};
use super::normal::normal_cdf;
use super::{Interval, ScoreCounts};

/// Standard deviations to either side that hold 95 % of a normal distribution.
pub const NORMAL_QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Units that the prior adds when *variances* are estimated, spread evenly over all kinds of result.
///
/// Five wins out of five have no variance at all, and error bars of ±0 would be a lie; one imaginary unit of every kind
/// together tells that other results are possible, and fades as real ones arrive (0.2 % wider bars after 1 000 pairs).
const PRIOR_UNITS: f64 = 1.0;

/// What counts of results say about strength. Intervals hold 95 % of the truth.
///
/// With s the average score of n units and σ² the variance of a unit, the score is s ± 1.96 σ/√n, its ends are carried
/// over to Elo by [`elo_of_score`], and normalised Elo is 347.4 (s − ½)/σ for single games, that divided by √2 for
/// pairs. The values are those of the plain counts; only widths and likelihoods use a variance with a prior of one
/// evenly spread unit. A single unit says nothing about its variance: its bars are infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The average score, 0 to 1.
    pub score: Interval,
    /// Logistic Elo; infinite when every point was won or lost.
    pub elo: Interval,
    /// Normalised Elo; infinite when all results are equal and not even.
    pub normalised_elo: Interval,
    /// Likelihood of superiority: the probability that the player is the stronger one, 0 to 1.
    pub superiority: f64,
}

impl Estimate {
    /// Estimates strength from counts; `None` without any.
    #[must_use]
    pub fn of(counts: impl Into<ScoreCounts>) -> Option<Self> {
        let counts = counts.into();
        let units = counts.units();
        let mean = counts.mean()?;
        let careful = counts.plus_each(PRIOR_UNITS / counts.categories() as f64);
        let standard_error = (careful.variance()? / units).sqrt();
        let reach = if units < 2.0 { f64::INFINITY } else { NORMAL_QUANTILE_95 * standard_error };
        let score = Interval { value: mean, low: (mean - reach).max(0.0), high: (mean + reach).min(1.0) };
        let elo = Interval { value: elo_of_score(mean), low: elo_of_score(score.low), high: elo_of_score(score.high) };
        Some(Self {
            score,
            elo,
            normalised_elo: normalised_elo(&counts, &careful)?,
            superiority: normal_cdf((mean - 0.5) / standard_error),
        })
    }
}

/// The distance of the mean from ½ in standard deviations of a unit; infinite or zero where nothing varies.
fn t_value(counts: &ScoreCounts) -> Option<f64> {
    let advantage = counts.mean()? - 0.5;
    // Sums of products may leave a rounding error where the variance is zero.
    let deviation = counts.variance()?.sqrt();
    Some(if advantage.abs() < 1e-12 {
        0.0
    } else if deviation < 1e-9 {
        f64::INFINITY.copysign(advantage)
    } else {
        advantage / deviation
    })
}

/// Normalised Elo with error bars by the delta method: the variance of t = (s − ½)/σ after n units is
/// (1 − γt + (κ − 1)t²/4)/n, with the skewness γ and the kurtosis κ of a unit.
fn normalised_elo(counts: &ScoreCounts, careful: &ScoreCounts) -> Option<Interval> {
    let scale = NORMALISED_ELO_PER_T / counts.games_per_unit().sqrt();
    let plain = t_value(counts)?;
    if counts.units() < 2.0 {
        return Some(Interval { value: plain * scale, low: f64::NEG_INFINITY, high: f64::INFINITY });
    }
    let t = t_value(careful)?;
    let variance = careful.variance()?;
    let skewness = careful.central_moment(3)? / variance.powf(1.5);
    let kurtosis = careful.central_moment(4)? / (variance * variance);
    let variance_of_t = (1.0 - skewness * t + (kurtosis - 1.0) * t * t / 4.0) / counts.units();
    let reach = NORMAL_QUANTILE_95 * variance_of_t.max(0.0).sqrt();
    let middle = if plain.is_finite() { plain } else { t };
    let (low, high) = (middle - reach, middle + reach);
    Some(Interval {
        value: plain * scale,
        low: if plain == f64::NEG_INFINITY { plain } else { low * scale },
        high: if plain == f64::INFINITY { plain } else { high * scale },
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Trinomial};
    use super::*;

    fn close(found: f64, expected: f64, relative: f64) {
        assert!((found / expected - 1.0).abs() < relative, "{found} instead of {expected}");
    }

    /// Figures that fastchess publishes for these counts. Its bars of normalised Elo leave out that the deviation is
    /// estimated too, so ours differ by more than the prior makes them.
    #[test]
    fn agrees_with_published_figures() {
        let games = Estimate::of(Trinomial::new(136, 111, 96)).unwrap();
        close(games.normalised_elo.value, 49.77, 1e-3);
        close(games.normalised_elo.error(), 36.77, 2e-2);
        close(games.elo.value, 40.70, 1e-3);
        close(games.elo.error(), 30.43, 1e-2);
        close(games.superiority, 0.9960, 1e-3);
        let pairs = Estimate::of(Pentanomial::new([332, 433, 498, 333, 334])).unwrap();
        close(pairs.normalised_elo.value, -9.17, 1e-3);
        close(pairs.normalised_elo.error(), 10.96, 2e-2);
        close(pairs.elo.value, -8.64, 1e-3);
        close(pairs.elo.error(), 10.33, 1e-2);
        close(pairs.superiority, 0.0505, 1e-2);
    }

    #[test]
    fn nothing_is_ever_nan() {
        assert_eq!(Estimate::of(Trinomial::default()), None);
        assert_eq!(Estimate::of(Pentanomial::default()), None);
        for count in [1, 2, 3, 100, 1_000_000] {
            for category in 0..5 {
                let mut counts = [0; 5];
                counts[category] = count;
                let estimate = Estimate::of(Pentanomial::new(counts)).unwrap();
                for interval in [estimate.score, estimate.elo, estimate.normalised_elo] {
                    assert!(!interval.value.is_nan() && interval.low <= interval.high, "{counts:?} {interval:?}");
                    assert!(
                        interval.low <= interval.value && interval.value <= interval.high,
                        "{counts:?} {interval:?}"
                    );
                    let text = interval.to_string();
                    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
                }
                assert!((0.0..=1.0).contains(&estimate.superiority));
            }
        }
    }

    #[test]
    fn one_sided_and_single_results_say_what_they_know() {
        let won = Estimate::of(Pentanomial::new([0, 0, 0, 0, 10])).unwrap();
        assert_eq!(won.elo.value, f64::INFINITY);
        assert_eq!(won.elo.high, f64::INFINITY);
        assert!(won.elo.low > 100.0 && won.elo.low < 1000.0, "{}", won.elo);
        assert!(won.superiority > 0.99);
        assert!(won.elo.to_string().starts_with("+∞ (above +"), "{}", won.elo);
        let one = Estimate::of(Trinomial::new(1, 0, 0)).unwrap();
        assert_eq!((one.elo.low, one.elo.high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(one.elo.to_string(), "+∞ (anything)");
        let drawn = Estimate::of(Trinomial::new(0, 50, 0)).unwrap();
        assert_eq!((drawn.elo.value, drawn.superiority, drawn.normalised_elo.value), (0.0, 0.5, 0.0));
        assert!(drawn.elo.error() > 1.0 && drawn.elo.error() < 100.0, "{}", drawn.elo);
    }

    #[test]
    fn pairs_have_the_narrower_bars() {
        // 100 pairs from lopsided openings: nearly always one win each.
        let pairs = Estimate::of(Pentanomial::new([0, 8, 80, 12, 0])).unwrap();
        let games = Estimate::of(Trinomial::new(102, 0, 98)).unwrap();
        assert!(pairs.elo.error() < games.elo.error() / 2.0);
    }
}
