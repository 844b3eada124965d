//! How many threads can be had.
//!
//! Where memory, addresses or processes are limited, starting a thread may fail, and so may taking memory, which would end the
//! program. So the threads that are asked for are rehearsed before they are promised: each is started and kept waiting, with
//! memory to spare, until the last has been tried.

use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

/// More than the histories and the evaluator of a thread, its stack and what it takes in its first moments.
const SPARE_BYTES: usize = 16 << 20;
/// More than a thread takes for every search.
const SEARCH_BYTES: usize = 1 << 20;

/// Threads that wait.
#[derive(Default)]
pub(crate) struct Rehearsal {
    waiting: Vec<Place>,
}

struct Place {
    /// The thread ends when this goes.
    release: Sender<()>,
    thread: JoinHandle<()>,
    /// Taken, but never touched.
    _memory: Vec<u8>,
}

impl Rehearsal {
    /// Whether there is room for one more thread, which then waits with the others.
    pub(crate) fn admits_another(&mut self) -> bool {
        let (Some(_spare), Some(memory)) = (memory(SPARE_BYTES), memory(SEARCH_BYTES)) else { return false };
        let (release, released) = mpsc::channel::<()>();
        let (started, has_started) = mpsc::channel();
        let waits = move || {
            // An error means that nobody waits any more.
            let _ = started.send(());
            let _ = released.recv();
        };
        let Ok(thread) = thread::Builder::new().spawn(waits) else { return false };
        // What a thread needs for its beginning is taken by then, while there is still something to spare.
        let _ = has_started.recv();
        self.waiting.push(Place { release, thread, _memory: memory });
        true
    }
}

impl Drop for Rehearsal {
    fn drop(&mut self) {
        for Place { release, thread, .. } in self.waiting.drain(..) {
            drop(release);
            // It does nothing that could panic.
            let _ = thread.join();
        }
    }
}

/// So much memory, if it is there.
fn memory(bytes: usize) -> Option<Vec<u8>> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes).ok().map(|()| memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_were_rehearsed_are_gone_afterwards() {
        let mut rehearsal = Rehearsal::default();
        assert!((0..3).all(|_| rehearsal.admits_another()));
        assert_eq!(rehearsal.waiting.len(), 3);
        assert!(rehearsal.waiting.iter().all(|place| !place.thread.is_finished()));
        // Dropping joins them: this ends.
        drop(rehearsal);
    }

    #[test]
    fn memory_that_is_not_there_is_no_panic() {
        assert!(memory(usize::MAX / 4).is_none() && memory(1).is_some());
    }
}
