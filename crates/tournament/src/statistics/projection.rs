//! The distribution nearest to an observed one that has a given strength.
//!
//! Both hypotheses of a sequential test name a strength but not a distribution of results. The generalised test takes
//! for each the distribution that makes the observed counts most likely among all those of that strength. With observed
//! shares qᵢ of results with scores aᵢ, maximising Σ qᵢ ln pᵢ under Σ pᵢ = 1 and one more constraint Σ pᵢ hᵢ = 0 gives
//! (Lagrange) pᵢ = qᵢ / (1 + x hᵢ), where x solves the *secular equation* Σ qᵢ hᵢ / (1 + x hᵢ) = 0.
//!
//! - Expected score s: hᵢ = aᵢ − s, and the solution is exact.
//! - A t-value (μ − ½)/σ = t: the constraint μ − ½ − tσ = 0 is not linear. Linearised around a distribution with μ and
//!   σ it reads hᵢ = aᵢ − ½ − tσ(1 + ((aᵢ − μ)/σ)²)/2; solving and linearising again converges to the exact solution.
//!
//! The idea is Michel Van den Bergh's, who wrote it up for fishtest.

use super::ScoreCounts;
use super::score_counts::MOST_CATEGORIES;

/// Linearisations before we take what we have; usually ten are enough.
const MOST_LINEARISATIONS: usize = 200;
/// How far a t-value may be from one for which the solution is known.
const LARGEST_STAGE: f64 = 0.25;
/// Beyond this many stages a strength is taken as out of reach.
const MOST_STAGES: f64 = 200.0;
/// Steps of the root finder; bisection alone would need about 60.
const MOST_STEPS: usize = 200;

/// A distribution of a unit's score: probabilities that are all positive and sum to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distribution {
    /// Scores from 0 to 1.
    pub(crate) scores: [f64; MOST_CATEGORIES],
    pub(crate) probabilities: [f64; MOST_CATEGORIES],
    pub(crate) categories: usize,
}

impl Distribution {
    /// The shares of counts, none of which may be zero.
    pub(crate) fn of(counts: &ScoreCounts) -> Option<Self> {
        let units = counts.units();
        if !(units.is_finite() && units > 0.0 && counts.counts().iter().all(|&count| count > 0.0)) {
            return None;
        }
        let mut scores = [0.0; MOST_CATEGORIES];
        let mut probabilities = [0.0; MOST_CATEGORIES];
        for (category, (score, count)) in counts.weighted().enumerate() {
            scores[category] = score;
            probabilities[category] = count / units;
        }
        Some(Self { scores, probabilities, categories: counts.categories() })
    }

    fn indices(&self) -> std::ops::Range<usize> {
        0..self.categories
    }

    pub(crate) fn mean(&self) -> f64 {
        self.indices().map(|i| self.probabilities[i] * self.scores[i]).sum()
    }

    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.indices().map(|i| self.probabilities[i] * (self.scores[i] - mean).powi(2)).sum()
    }

    /// The likeliest distribution with this expected score, which must lie inside (0, 1).
    pub(crate) fn with_mean(&self, mean: f64) -> Option<Self> {
        self.with_constraint(|i| self.scores[i] - mean)
    }

    /// The likeliest distribution whose (mean − ½)/deviation is `t`.
    pub(crate) fn with_t_value(&self, t: f64) -> Option<Self> {
        let even = 1.0 / self.categories as f64;
        let mut found = *self;
        found.probabilities[..self.categories].fill(even);
        // Far from ½ the linearisation around an even distribution has no solution; small stages lead there.
        let stages = (t.abs() / LARGEST_STAGE).ceil().clamp(1.0, MOST_STAGES);
        for stage in 1..=stages as u32 {
            found = self.towards_t_value(t * f64::from(stage) / stages, found)?;
        }
        Some(found)
    }

    /// The likeliest distribution with a t-value, searched from one that is not too different.
    fn towards_t_value(&self, t: f64, mut found: Self) -> Option<Self> {
        for _ in 0..MOST_LINEARISATIONS {
            let (mean, deviation) = (found.mean(), found.variance().sqrt());
            let next = self.with_constraint(|i| {
                let distance = (self.scores[i] - mean) / deviation;
                self.scores[i] - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
            })?;
            let change =
                self.indices().map(|i| (next.probabilities[i] - found.probabilities[i]).abs()).fold(0.0, f64::max);
            found = next;
            if change < 1e-13 {
                break;
            }
        }
        Some(found)
    }

    /// The likeliest distribution under which the expectation of `h` is zero; `None` if no distribution has that.
    fn with_constraint(&self, h: impl Fn(usize) -> f64) -> Option<Self> {
        let mut values = [0.0; MOST_CATEGORIES];
        self.indices().for_each(|i| values[i] = h(i));
        let values = &values[..self.categories];
        let x = secular_root(&self.probabilities[..self.categories], values)?;
        let mut found = *self;
        self.indices().for_each(|i| found.probabilities[i] = self.probabilities[i] / (1.0 + x * values[i]));
        Some(found)
    }

    /// The mean and the variance of ln(p/q) under this distribution.
    pub(crate) fn log_ratio_moments(&self, upper: &Self, lower: &Self) -> (f64, f64) {
        let ratio = |i: usize| (upper.probabilities[i] / lower.probabilities[i]).ln();
        let mean: f64 = self.indices().map(|i| self.probabilities[i] * ratio(i)).sum();
        let variance = self.indices().map(|i| self.probabilities[i] * (ratio(i) - mean).powi(2)).sum();
        (mean, variance)
    }
}

/// Solves Σ qᵢ hᵢ / (1 + x hᵢ) = 0 where all 1 + x hᵢ are positive. The sum falls from +∞ to −∞ there, so there is
/// exactly one root, provided that h has values of both signs. Newton's steps, bisection where they leave the bracket.
fn secular_root(shares: &[f64], values: &[f64]) -> Option<f64> {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    if !(largest.is_finite() && smallest.is_finite() && smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let width = high - low;
    let mut x = 0.0;
    for _ in 0..MOST_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (&share, &value) in shares.iter().zip(values) {
            let fraction = value / (1.0 + x * value);
            sum += share * fraction;
            slope -= share * fraction * fraction;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / slope;
        // The ends count as inside: at the root the step is nothing, and a bisection would throw it away.
        let next = if (low..=high).contains(&newton) { newton } else { f64::midpoint(low, high) };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-15 * width || sum == 0.0 {
            break;
        }
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed() -> Distribution {
        Distribution::of(&ScoreCounts::of_pairs([12.0, 180.0, 420.0, 230.0, 20.0])).unwrap()
    }

    #[test]
    fn constraints_hold_and_probabilities_sum_to_one() {
        for mean in [0.01, 0.3, 0.5, 0.52, 0.9, 0.999] {
            let found = observed().with_mean(mean).unwrap();
            assert!((found.mean() - mean).abs() < 1e-12);
            assert!((found.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        for t in [-1.0, -0.02, 0.0, 0.01, 0.5, 2.0] {
            let found = observed().with_t_value(t).unwrap();
            assert!(((found.mean() - 0.5) / found.variance().sqrt() - t).abs() < 1e-9, "{t}");
            assert!((found.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_distribution_is_nearest_to_itself() {
        let observed = observed();
        let same = observed.with_mean(observed.mean()).unwrap();
        assert!((0..5).all(|i| (same.probabilities[i] - observed.probabilities[i]).abs() < 1e-12));
    }

    #[test]
    fn impossible_strengths_are_refused() {
        assert!(observed().with_mean(1.0).is_none());
        assert!(observed().with_mean(-0.1).is_none());
        assert!(observed().with_mean(f64::NAN).is_none());
    }
}
