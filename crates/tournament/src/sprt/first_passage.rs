//! When does a drifting random walk leave a corridor?
//!
//! The LLR of a running test is, after many small steps, close to a Brownian motion with a constant drift. When and
//! where such a motion first leaves an interval has closed formulas.

use std::f64::consts::PI;

use crate::statistics::{log_normal_tail, normal_cdf};

/// Beyond this drift × width / variance the far wall does not matter, and the series would lose its digits.
const STRONG_DRIFT: f64 = 40.0;

/// A Brownian motion that starts at 0 between two walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corridor {
    /// Expected change per step.
    pub(super) drift: f64,
    /// Variance per step, positive.
    pub(super) variance: f64,
    /// The lower wall, negative.
    pub(super) lower: f64,
    /// The upper wall, positive.
    pub(super) upper: f64,
}

impl Corridor {
    /// Drift in units of the variance.
    fn tilt(&self) -> f64 {
        self.drift / self.variance
    }

    /// The probability to leave through the upper wall: (1 − e^(−2kA)) / (e^(−2kB) − e^(−2kA)), with k the drift per
    /// variance and walls A < 0 < B.
    pub(super) fn upper_probability(&self) -> f64 {
        let tilt = 2.0 * self.tilt();
        if (tilt * (self.upper - self.lower)).abs() < 1e-9 {
            return -self.lower / (self.upper - self.lower);
        }
        // Written with exponents that cannot overflow.
        if tilt > 0.0 {
            (tilt * self.lower).exp_m1() / (tilt * (self.lower - self.upper)).exp_m1()
        } else {
            1.0 - (tilt * self.upper).exp_m1() / (tilt * (self.upper - self.lower)).exp_m1()
        }
    }

    /// The expected number of steps (Wald): expected end over drift, or −AB/variance without drift.
    pub(super) fn expected_steps(&self) -> f64 {
        let upper = self.upper_probability();
        if (self.tilt() * (self.upper - self.lower)).abs() < 1e-6 {
            return -self.lower * self.upper / self.variance;
        }
        (upper * self.upper + (1.0 - upper) * self.lower) / self.drift
    }

    /// The probability to be still inside after so many steps.
    pub(super) fn survival(&self, steps: f64) -> f64 {
        if steps <= 0.0 {
            return 1.0;
        }
        let width = self.upper - self.lower;
        if (self.tilt() * width).abs() > STRONG_DRIFT {
            return self.survival_of_one_wall(steps);
        }
        // Eigenfunctions of the corridor: sines, weighted by what the drift makes of them.
        let tilt = self.tilt();
        let begin = -self.lower;
        let decay = self.drift * tilt * steps / 2.0;
        let mut sum = 0.0;
        for number in 1..=400_i32 {
            let wave = f64::from(number) * PI / width;
            let exponent = wave * wave * self.variance * steps / 2.0;
            if exponent > 60.0 {
                break;
            }
            let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
            let ends = (-tilt * begin).exp() - sign * (tilt * (width - begin)).exp();
            sum += (wave * begin).sin() * wave * ends / (tilt * tilt + wave * wave) * (-exponent).exp();
        }
        (2.0 / width * (-decay).exp() * sum).clamp(0.0, 1.0)
    }

    /// The same when only the wall ahead can be reached (the inverse Gaussian distribution).
    fn survival_of_one_wall(&self, steps: f64) -> f64 {
        let drift = self.drift.abs();
        let wall = if self.drift > 0.0 { self.upper } else { -self.lower };
        let deviation = (self.variance * steps).sqrt();
        let reflected = 2.0 * drift / self.variance * wall + log_normal_tail((wall + drift * steps) / deviation);
        (normal_cdf((wall - drift * steps) / deviation) - reflected.exp()).clamp(0.0, 1.0)
    }

    /// The number of steps within which the walk has left with this probability.
    pub(super) fn quantile(&self, probability: f64) -> f64 {
        let mut high = self.expected_steps().max(1.0);
        while self.survival(high) > 1.0 - probability && high < 1e18 {
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if self.survival(middle) > 1.0 - probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORRIDOR: Corridor = Corridor { drift: 0.0, variance: 1.0, lower: -3.0, upper: 3.0 };

    #[test]
    fn without_drift_the_known_values_come_out() {
        assert_eq!(CORRIDOR.upper_probability(), 0.5);
        assert_eq!(CORRIDOR.expected_steps(), 9.0);
        // The mean is the integral of the survival.
        let integral: f64 = (0..200_000).map(|step| CORRIDOR.survival((f64::from(step) + 0.5) * 1e-3) * 1e-3).sum();
        assert!((integral - 9.0).abs() < 1e-3, "{integral}");
    }

    #[test]
    fn mean_and_survival_agree_for_every_drift() {
        for drift in [-3.0, -0.5, -0.01, 1e-9, 0.2, 1.0, 6.0, 7.0, 30.0] {
            let corridor = Corridor { drift, lower: -2.5, ..CORRIDOR };
            let step = corridor.expected_steps() / 4000.0;
            let integral: f64 =
                (0..80_000).map(|number| corridor.survival((f64::from(number) + 0.5) * step) * step).sum();
            let mean = corridor.expected_steps();
            assert!((integral / mean - 1.0).abs() < 2e-3, "drift {drift}: {integral} and {mean}");
            let (median, most) = (corridor.quantile(0.5), corridor.quantile(0.95));
            assert!(median < most && (corridor.survival(median) - 0.5).abs() < 1e-6);
        }
    }
}
