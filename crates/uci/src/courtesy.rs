//! Waiting for engines without taking their processor.
//!
//! An engine that reports its search wakes up whoever reads. By default that thread then pushes a program at work from its
//! processor, often the engine itself, only to learn that it still thinks. A polite thread waits until a processor is free:
//! when the engine falls silent and waits, or when its time slice ends. Where other programs want the processors too, that can
//! take several milliseconds, and politeness is out of place.
//!
//! Linux only ("batch" scheduling, which needs no rights); elsewhere threads stay as they are.

use std::cell::Cell;

thread_local! {
    /// Whether this thread was made polite.
    static POLITE: Cell<bool> = const { Cell::new(false) };
}

/// From now on the calling thread leaves processors to the engines that work on them. Tells whether this system can do that.
/// Engines that the thread starts are scheduled as usual.
pub fn be_polite() -> bool {
    if POLITE.get() {
        return true;
    }
    let done = set_politeness(true);
    POLITE.set(done);
    done
}

/// From now on the calling thread is scheduled as usual again.
pub fn be_usual() {
    if POLITE.get() {
        set_politeness(false);
        POLITE.set(false);
    }
}

/// Starts something that shall be scheduled as usual, though children inherit from the thread that starts them.
pub(crate) fn as_usual<T>(start: impl FnOnce() -> T) -> T {
    if !POLITE.get() {
        return start();
    }
    set_politeness(false);
    let started = start();
    set_politeness(true);
    started
}

#[cfg(target_os = "linux")]
fn set_politeness(polite: bool) -> bool {
    use scheduler::{Policy, set_self_policy};
    set_self_policy(if polite { Policy::Batch } else { Policy::Other }, 0).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn set_politeness(_polite: bool) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    /// The scheduling policy of a process or thread as the kernel shows it: field 41 of its `stat`.
    fn policy(stat: &str) -> Option<&str> {
        stat.rsplit_once(") ")?.1.split(' ').nth(38)
    }

    #[test]
    fn a_polite_thread_starts_usual_programs() {
        const USUAL: Option<&str> = Some("0");
        const BATCH: Option<&str> = Some("3");
        let own = || std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let child = || Command::new("cat").arg("/proc/self/stat").output().map(|output| output.stdout);
        let polite = std::thread::spawn(move || {
            if policy(&own()) != USUAL || !be_polite() {
                return println!("skipped: threads cannot be made polite here");
            }
            assert_eq!(policy(&own()), BATCH);
            let usual = String::from_utf8(as_usual(child).unwrap()).unwrap();
            assert_eq!(policy(&usual), USUAL);
            assert_eq!(policy(&own()), BATCH);
            be_usual();
            assert_eq!(policy(&own()), USUAL);
        });
        polite.join().unwrap();
    }
}
