//! How long we wait and how much we take.

use std::time::{Duration, Instant};

/// What an engine may cost us. The defaults are generous: they end games only with engines that are broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// From the start of the program to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`; clearing a large hash or loading a network may take its time.
    pub ready: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the program; then it is killed.
    pub quit: Duration,
    /// How long an engine may leave a message unread in a full pipe.
    pub write: Duration,
    /// Lines within one second above which an engine is said to flood us. A healthy engine with hundreds of
    /// lines of play can write a hundred thousand in one burst.
    pub lines_per_second: u32,
    /// Bytes of a line that are kept.
    pub longest_line: usize,
    /// Lines of standard error that are kept.
    pub stderr_lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            stop: Duration::from_secs(5),
            quit: Duration::from_secs(2),
            write: Duration::from_secs(5),
            lines_per_second: 400_000,
            longest_line: 16 * 1024,
            stderr_lines: 50,
        }
    }
}

/// Longer waits are not meant literally, and some clocks cannot count so far.
const FOREVER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The moment so far from now.
pub(crate) fn deadline(limit: Duration) -> Instant {
    deadline_from(Instant::now(), limit)
}

/// The moment so far from an earlier one.
pub(crate) fn deadline_from(begun: Instant, limit: Duration) -> Instant {
    begun + limit.min(FOREVER)
}
