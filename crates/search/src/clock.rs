//! The time, from wherever the platform has it.

use std::time::Duration;

/// A source of time. Searchers ask it and never the system, so that they also run in a browser and under test.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    now: fn() -> Duration,
}

impl Clock {
    /// A clock that reads its time from a function, which must never go backwards.
    #[must_use]
    pub const fn new(now: fn() -> Duration) -> Self {
        Self { now }
    }

    /// The system's steady clock.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub const fn system() -> Self {
        Self::new(|| {
            static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
            START.elapsed()
        })
    }

    /// Time since some fixed moment.
    #[must_use]
    pub fn now(self) -> Duration {
        (self.now)()
    }
}
