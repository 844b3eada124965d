//! How long things take that should take no time.

use std::time::Duration;

/// Samples from which the median is taken: the most recent ones.
const SAMPLES: usize = 1024;

/// Measured durations: the recent ones, the longest, and how many there were.
#[derive(Clone, Debug, Default)]
pub struct Latency {
    recent: Vec<Duration>,
    count: u64,
    longest: Duration,
}

/// Measured durations in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LatencySummary {
    /// How many were measured.
    pub count: u64,
    /// The median of the last thousand.
    pub median: Duration,
    /// The longest of all.
    pub longest: Duration,
}

impl Latency {
    pub(crate) fn record(&mut self, duration: Duration) {
        // The oldest sample makes room.
        let place = usize::try_from(self.count % SAMPLES as u64).unwrap_or(0);
        match self.recent.get_mut(place) {
            Some(slot) => *slot = duration,
            None => self.recent.push(duration),
        }
        self.count += 1;
        self.longest = self.longest.max(duration);
    }

    /// The measurements in short; none if there are none.
    #[must_use]
    pub fn summary(&self) -> Option<LatencySummary> {
        let mut sorted = self.recent.clone();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len() / 2)?;
        Some(LatencySummary { count: self.count, median, longest: self.longest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_of_recent_samples_and_the_longest_of_all() {
        let mut latency = Latency::default();
        assert_eq!(latency.summary(), None);
        latency.record(Duration::from_secs(9));
        for microseconds in 0..2 * SAMPLES as u64 {
            latency.record(Duration::from_micros(microseconds));
        }
        let summary = latency.summary().unwrap();
        assert_eq!(summary.count, 2 * SAMPLES as u64 + 1);
        assert_eq!(summary.longest, Duration::from_secs(9));
        assert_eq!(summary.median, Duration::from_micros(SAMPLES as u64 + SAMPLES as u64 / 2));
    }
}
