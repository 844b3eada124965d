//! Talking to a search that runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Whether the search shall end, and whether its clock is running yet. Clones are the same signal.
#[derive(Clone, Debug, Default)]
pub struct SearchSignal {
    flags: Arc<Flags>,
}

#[derive(Debug, Default)]
struct Flags {
    stop: AtomicBool,
    pondering: AtomicBool,
    changing: Mutex<()>,
    changed: Condvar,
}

impl SearchSignal {
    /// A signal for a search that may think at its own pace from the start.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A signal for a search on the opponent's time: no clock ends it until [`Self::ponder_hit`]. Other limits count all the while.
    #[must_use]
    pub fn pondering() -> Self {
        let signal = Self::default();
        signal.flags.pondering.store(true, Ordering::Release);
        signal
    }

    /// Asks the search to end at once.
    pub fn stop(&self) {
        self.change(|flags| {
            flags.pondering.store(false, Ordering::Release);
            flags.stop.store(true, Ordering::Release);
        });
    }

    /// The opponent played the expected move: from now on the clock may end the search. What was thought so far counts as
    /// thought: the plan is for the whole search, so that a long wait is followed by a quick answer.
    pub fn ponder_hit(&self) {
        self.change(|flags| flags.pondering.store(false, Ordering::Release));
    }

    fn change(&self, set: impl FnOnce(&Flags)) {
        let _changing = self.flags.changing.lock().unwrap_or_else(PoisonError::into_inner);
        set(&self.flags);
        self.flags.changed.notify_all();
    }

    /// Whether the search was asked to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.flags.stop.load(Ordering::Acquire)
    }

    /// Whether the opponent's clock is running.
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.flags.pondering.load(Ordering::Acquire)
    }

    /// Waits until [`Self::stop`].
    pub fn wait_for_stop(&self) {
        self.wait_while(|signal| !signal.is_stopped());
    }

    /// Waits until the opponent's clock runs no longer: after [`Self::ponder_hit`] or [`Self::stop`].
    pub fn wait_for_ponder_hit(&self) {
        self.wait_while(Self::is_pondering);
    }

    fn wait_while(&self, condition: impl Fn(&Self) -> bool) {
        let mut changing = self.flags.changing.lock().unwrap_or_else(PoisonError::into_inner);
        while condition(self) {
            changing = self.flags.changed.wait(changing).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_with_the_signal() {
        let signal = SearchSignal::pondering();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                signal.wait_for_ponder_hit();
                assert!(!signal.is_stopped());
                signal.stop();
            });
            signal.ponder_hit();
            signal.wait_for_stop();
        });
        assert!(!signal.is_pondering());
    }
}
