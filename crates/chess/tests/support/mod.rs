//! What the tests of this crate share: where data lies, random games, work on all cores.

#![allow(dead_code, reason = "every test uses a part of it")]
#![allow(clippy::print_stderr, reason = "tests say what they skip")]

pub(crate) mod perft_suite;
pub(crate) mod random_games;
pub(crate) mod round_trips;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

/// A file or folder of the larger data, if it is there; else one line says that the test is skipped.
pub(crate) fn data(path: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let found = PathBuf::from(root).join(path);
    if !found.exists() {
        eprintln!("skipped: KIEBITZ_DATA has no {path}");
        return None;
    }
    Some(found)
}

/// Does all jobs in order on all cores; the results come back in the order of the jobs.
pub(crate) fn in_parallel<J: Send, R: Send>(jobs: Vec<J>, work: impl Fn(J) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut results: Vec<Option<R>> = jobs.iter().map(|_| None).collect();
    let queue = Mutex::new(jobs.into_iter().zip(&mut results));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("nobody panics while taking a job").next();
                    let Some((job, result)) = next else { break };
                    *result = Some(work(job));
                }
            });
        }
    });
    results.into_iter().flatten().collect()
}
