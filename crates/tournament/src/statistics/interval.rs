//! A value with error bars.

use std::fmt;

/// An estimate and the ends of its 95 % confidence interval. Ends, and the value itself, may be infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end; never below the lower one.
    pub high: f64,
}

impl Interval {
    /// Half the width: the figure behind ±. Infinite when an end is.
    #[must_use]
    pub fn error(&self) -> f64 {
        // Two infinite ends of one sign would give NaN.
        if self.low.is_infinite() || self.high.is_infinite() { f64::INFINITY } else { (self.high - self.low) / 2.0 }
    }

    /// Whether a value lies between the ends.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// `+12.3 ± 4.5`; with infinite ends `+∞ (above +191.3)` or `+191.3 (anything)`. The precision is that of the format,
/// by default one digit.
impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = formatter.precision().unwrap_or(1);
        let number = |value: f64| {
            if value.is_infinite() {
                if value > 0.0 { "+∞" } else { "−∞" }.to_owned()
            } else {
                format!("{value:+.digits$}")
            }
        };
        formatter.write_str(&number(self.value))?;
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) if self.value.is_finite() => write!(formatter, " ± {:.digits$}", self.error()),
            (true, true) => write!(formatter, " ({} to {})", number(self.low), number(self.high)),
            (true, false) => write!(formatter, " (above {})", number(self.low)),
            (false, true) => write!(formatter, " (below {})", number(self.high)),
            (false, false) => formatter.write_str(" (anything)"),
        }
    }
}
