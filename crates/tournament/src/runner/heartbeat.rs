//! Notices when the whole machine stands still.
//!
//! A thread sleeps for a few milliseconds again and again. When it wakes up much later than it wanted to, everything else
//! on the machine was probably late too: a virtual machine was paused, memory was swapped, another program took all
//! processors. Engines are not to be blamed for that, so such stalls are listed apart.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long the thread sleeps.
const BEAT: Duration = Duration::from_millis(10);
/// Waking up later than this is a stall. Schedulers alone are late by a few milliseconds on a busy machine.
const STALL: Duration = Duration::from_millis(20);
/// Waking up later than this, two ticks of a slow scheduler, means that others want the processors too.
const CROWDED: Duration = Duration::from_millis(8);
/// So long after that the machine still counts as crowded.
const CROWDED_FOR: Duration = Duration::from_secs(30);
/// Stalls that are kept; on a machine that stalls more often only the recent ones matter.
const CAPACITY: usize = 4096;

/// The machine stood still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stall {
    /// When the thread should have woken up.
    pub begin: Instant,
    /// How much later it did.
    pub length: Duration,
}

#[derive(Default)]
struct Seen {
    /// When the machine was crowded last.
    crowded: Option<Instant>,
    recent: Vec<Stall>,
    /// Those that were taken by [`Heartbeat::take_new`].
    taken: usize,
    count: u64,
    total: Duration,
    longest: Duration,
}

/// A thread that watches the clock until this value goes.
pub struct Heartbeat {
    seen: Arc<Mutex<Seen>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Starts the thread. If it cannot be started, no stalls are seen.
    #[must_use]
    pub fn start() -> Self {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let stop = Arc::new(AtomicBool::new(false));
        let (for_thread, until) = (Arc::clone(&seen), Arc::clone(&stop));
        let beat = move || {
            while !until.load(Ordering::Relaxed) {
                let wanted = Instant::now() + BEAT;
                thread::sleep(BEAT);
                let length = wanted.elapsed();
                if length >= CROWDED {
                    note(&for_thread, Stall { begin: wanted, length });
                }
            }
        };
        let thread = thread::Builder::new().name("heartbeat".into()).spawn(beat).ok();
        Self { seen, stop, thread }
    }

    /// Whether the machine has nothing else to do, as far as can be seen.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.crowded.is_none_or(|crowded| crowded.elapsed() >= CROWDED_FOR)
    }

    /// How long the machine stood still between two moments.
    #[must_use]
    pub fn stalled_between(&self, begin: Instant, end: Instant) -> Duration {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        overlap(&seen.recent, begin, end)
    }

    /// Stalls since this was asked last.
    #[must_use]
    pub fn take_new(&self) -> Vec<Stall> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let new = seen.recent[seen.taken..].to_vec();
        seen.taken = seen.recent.len();
        new
    }

    /// How many stalls there were, how long they were together, and the longest.
    #[must_use]
    pub fn totals(&self) -> (u64, Duration, Duration) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (seen.count, seen.total, seen.longest)
    }
}

/// Notes that the thread woke up late, and a stall if it was very late.
fn note(seen: &Mutex<Seen>, stall: Stall) {
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.crowded = Some(stall.begin + stall.length);
    if stall.length < STALL {
        return;
    }
    if seen.recent.len() >= CAPACITY {
        seen.recent.drain(..CAPACITY / 2);
        seen.taken = seen.taken.saturating_sub(CAPACITY / 2);
    }
    seen.recent.push(stall);
    seen.count += 1;
    seen.total += stall.length;
    seen.longest = seen.longest.max(stall.length);
}

fn overlap(stalls: &[Stall], begin: Instant, end: Instant) -> Duration {
    let part = |stall: &Stall| {
        let stall_end = stall.begin + stall.length;
        stall_end.min(end).saturating_duration_since(stall.begin.max(begin))
    };
    stalls.iter().map(part).sum()
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It cannot have panicked, and if it had, nobody would care any more.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_common_part_counts() {
        let zero = Instant::now();
        let at = |ms: u64| zero + Duration::from_millis(ms);
        let stalls = [
            Stall { begin: at(100), length: Duration::from_millis(50) },
            Stall { begin: at(300), length: Duration::from_millis(100) },
        ];
        assert_eq!(overlap(&stalls, at(0), at(1000)), Duration::from_millis(150));
        assert_eq!(overlap(&stalls, at(120), at(310)), Duration::from_millis(40));
        assert_eq!(overlap(&stalls, at(150), at(300)), Duration::ZERO);
        assert_eq!(overlap(&stalls, at(500), at(200)), Duration::ZERO);
    }

    #[test]
    fn stalls_are_counted_and_handed_out_once() {
        let heartbeat = Heartbeat::start();
        let stall = Stall { begin: Instant::now(), length: Duration::from_millis(80) };
        (0..CAPACITY + 10).for_each(|_| note(&heartbeat.seen, stall));
        assert!(heartbeat.totals().0 >= CAPACITY as u64 + 10);
        assert!(heartbeat.take_new().len() <= CAPACITY);
        assert!(heartbeat.take_new().iter().all(|new| *new != stall));
    }

    #[test]
    fn a_late_beat_means_a_crowd_for_a_while() {
        let heartbeat = Heartbeat { seen: Arc::default(), stop: Arc::default(), thread: None };
        assert!(heartbeat.is_calm());
        note(&heartbeat.seen, Stall { begin: Instant::now(), length: CROWDED });
        assert!(!heartbeat.is_calm());
        assert_eq!(heartbeat.totals().0, 0, "late, but no stall");
        let long_ago = Instant::now().checked_sub(CROWDED_FOR + CROWDED).unwrap();
        note(&heartbeat.seen, Stall { begin: long_ago, length: CROWDED });
        assert!(heartbeat.is_calm());
    }
}
