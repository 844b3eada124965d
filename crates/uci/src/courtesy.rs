//! Waiting for engines without taking their processor.
//!
//! An engine that reports its search wakes up whoever reads. By default that thread then pushes a program at work from its
//! processor, often the engine itself, only to learn that it still thinks. A polite thread waits until a processor is free:
//! when the engine falls silent and waits, or when its time slice ends. Where other programs want the processors too, that can
//! take several milliseconds, and politeness is out of place.
//!
//! Linux only; elsewhere threads stay as they are.

use std::cell::Cell;

/// How much a thread that waits for engines leaves to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Courtesy {
    /// It pushes whoever works from the processor as soon as there is something to read.
    Usual,
    /// It takes a processor that is free, or the next one whose time slice ends ("batch" scheduling).
    Polite,
    /// It takes a processor only when nobody else wants it ("idle" scheduling). For threads that share their processors with the
    /// engines they wait for, and with nobody else: such an engine is silent exactly when there is something to do.
    Humble,
}

thread_local! {
    /// How this thread behaves now.
    static NOW: Cell<Courtesy> = const { Cell::new(Courtesy::Usual) };
}

/// From now on the calling thread leaves that much to engines; [`Courtesy::Humble`] becomes [`Courtesy::Polite`] for users who may
/// not take it back. Tells how the thread behaves now. Engines that it starts are scheduled as usual.
pub fn behave(courtesy: Courtesy) -> Courtesy {
    let courtesy = if courtesy == Courtesy::Humble && !humility_ends() { Courtesy::Polite } else { courtesy };
    if NOW.get() != courtesy && set(courtesy) {
        NOW.set(courtesy);
    }
    NOW.get()
}

/// Starts something that shall be scheduled as usual, though children inherit from the thread that starts them.
pub(crate) fn as_usual<T>(start: impl FnOnce() -> T) -> T {
    let courtesy = NOW.get();
    if courtesy == Courtesy::Usual {
        return start();
    }
    set(Courtesy::Usual);
    let started = start();
    set(courtesy);
    started
}

#[cfg(target_os = "linux")]
fn set(courtesy: Courtesy) -> bool {
    use scheduler::{Policy, set_self_policy};
    let policy = match courtesy {
        Courtesy::Usual => Policy::Other,
        Courtesy::Polite => Policy::Batch,
        Courtesy::Humble => Policy::Idle,
    };
    set_self_policy(policy, 0).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn set(courtesy: Courtesy) -> bool {
    courtesy == Courtesy::Usual
}

/// Whether a thread with "idle" scheduling may leave it again, which some systems allow to privileged users alone. Tried once, by
/// a thread that can be spared.
fn humility_ends() -> bool {
    static ENDS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    let attempt = || set(Courtesy::Humble) && set(Courtesy::Usual);
    *ENDS.get_or_init(|| std::thread::spawn(attempt).join().unwrap_or(false))
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
        const POLICIES: [(Courtesy, Option<&str>); 2] = [(Courtesy::Polite, Some("3")), (Courtesy::Humble, Some("5"))];
        let own = || std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let child = || Command::new("cat").arg("/proc/self/stat").output().map(|output| output.stdout);
        let polite = std::thread::spawn(move || {
            for (courtesy, number) in POLICIES {
                if policy(&own()) != USUAL || behave(courtesy) != courtesy {
                    println!("skipped: threads cannot be made {courtesy:?} here");
                    behave(Courtesy::Usual);
                    continue;
                }
                assert_eq!(policy(&own()), number);
                let usual = String::from_utf8(as_usual(child).unwrap()).unwrap();
                assert_eq!(policy(&usual), USUAL);
                assert_eq!(policy(&own()), number);
                assert_eq!(behave(Courtesy::Usual), Courtesy::Usual);
                assert_eq!(policy(&own()), USUAL);
            }
        });
        polite.join().unwrap();
    }
}
