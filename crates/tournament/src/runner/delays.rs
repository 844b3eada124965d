//! How long the manager itself takes: many short durations in little memory.

use std::time::Duration;

use serde::Serialize;

/// Buckets per doubling: the median is exact to about 9 %.
const PER_DOUBLING: f64 = 8.0;
/// Buckets, from a microsecond to an hour.
const BUCKETS: usize = 256;

/// Counts of durations on a logarithmic scale.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delays {
    counts: Vec<u64>,
    count: u64,
    longest: Duration,
}

/// The delays in short; times in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct DelaySummary {
    /// How many were measured.
    pub count: u64,
    /// Half of them were shorter.
    pub median: f64,
    /// 99 of 100 were shorter.
    pub percentile_99: f64,
    /// The longest.
    pub longest: f64,
}

impl Default for Delays {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], count: 0, longest: Duration::ZERO }
    }
}

impl Delays {
    /// Counts a duration.
    pub fn record(&mut self, delay: Duration) {
        let microseconds = (delay.as_secs_f64() * 1e6).max(1.0);
        let bucket = (microseconds.log2() * PER_DOUBLING) as usize;
        self.counts[bucket.min(BUCKETS - 1)] += 1;
        self.count += 1;
        self.longest = self.longest.max(delay);
    }

    /// The duration, in seconds, that a share of all does not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let wanted = (self.count as f64 * share).ceil() as u64;
        let mut below = 0;
        let bucket = self.counts.iter().position(|count| {
            below += count;
            below >= wanted.max(1)
        });
        let upper_end = (bucket.unwrap_or(0) + 1) as f64 / PER_DOUBLING;
        (upper_end.exp2() / 1e6).min(self.longest.as_secs_f64())
    }

    /// The delays in short; `None` if there are none.
    #[must_use]
    pub fn summary(&self) -> Option<DelaySummary> {
        (self.count > 0).then(|| DelaySummary {
            count: self.count,
            median: self.quantile(0.5),
            percentile_99: self.quantile(0.99),
            longest: self.longest.as_secs_f64(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_close() {
        let mut delays = Delays::default();
        assert_eq!(delays.summary(), None);
        for microseconds in 1..=1000 {
            delays.record(Duration::from_micros(microseconds));
        }
        delays.record(Duration::from_secs(100_000));
        let summary = delays.summary().unwrap();
        assert_eq!(summary.count, 1001);
        assert!((summary.median / 500e-6 - 1.0).abs() < 0.1, "{}", summary.median);
        assert!((summary.percentile_99 / 990e-6 - 1.0).abs() < 0.1, "{}", summary.percentile_99);
        assert_eq!(summary.longest, 100_000.0);
    }
}
