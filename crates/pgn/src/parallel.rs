//! Reading on several threads, with the results in the order of the file.
//!
//! Each worker takes the next chunk (reading and decompressing it is the one thing they do in turn), works on it alone
//! and sends its result. The calling thread puts the results in order. A worker waits once it is too far ahead of what
//! has been taken, so memory stays flat however slow a single chunk is.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::chunk::{Chunk, Chunks};
use crate::error::SourceError;

/// How many chunks per thread may be under way or waiting for their turn.
const CHUNKS_PER_THREAD: u64 = 4;

/// Works on chunks with several threads and hands over the results in order, on the calling thread.
///
/// `take` may stop everything by returning [`ControlFlow::Break`]. One thread means the calling one.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
/// use kiebitz_pgn::{Chunks, Source, read_parallel};
///
/// let source = Source::from_reader("two.pgn", &b"1. e4 *\n\n1. d4 *\n"[..]);
/// let mut games = 0;
/// let threads = NonZeroUsize::new(2).expect("two is not zero");
/// read_parallel(Chunks::new(source), threads, |chunk| chunk.len(), |count| {
///     games += count;
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(games, 2);
/// # Ok::<(), kiebitz_pgn::SourceError>(())
/// ```
///
/// # Errors
/// When the source cannot be read on; the results of all complete games before that have been handed over.
pub fn read_parallel<T: Send>(
    mut chunks: Chunks<'_>,
    threads: NonZeroUsize,
    work: impl Fn(&Chunk) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    if threads.get() == 1 {
        let mut spent = None;
        while let Some(chunk) = chunks.next_chunk(spent.take()) {
            let chunk = chunk?;
            if take(work(&chunk)).is_break() {
                break;
            }
            spent = Some(chunk);
        }
        return Ok(());
    }
    let window = CHUNKS_PER_THREAD * threads.get() as u64;
    let feed = Mutex::new(Feed { chunks, next: 0, done: false });
    let gate = Gate { state: Mutex::new(GateState { taken: 0, closed: false }), moved: Condvar::new() };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let (feed, gate, work) = (&feed, &gate, &work);
            scope.spawn(move || {
                // Whatever ends this worker, a panic included, nobody may wait for it.
                let _closer = gate.close_on_panic();
                let mut spent = None;
                while let Some((index, chunk)) = next(feed, gate, window, spent.take()) {
                    let result = match chunk {
                        Ok(chunk) => {
                            let result = work(&chunk);
                            spent = Some(chunk);
                            Ok(result)
                        }
                        Err(error) => Err(error),
                    };
                    if sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let _closer = gate.close_at_end();
        let mut waiting = std::collections::BTreeMap::new();
        let mut expected = 0;
        // Ends when every worker has ended and dropped its sender.
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&expected) {
                expected += 1;
                gate.advance(expected);
                if take(result?).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

struct Feed<'a> {
    chunks: Chunks<'a>,
    /// Number of the next chunk.
    next: u64,
    done: bool,
}

/// Waits until another chunk may be begun, and takes it.
fn next(
    feed: &Mutex<Feed<'_>>,
    gate: &Gate,
    window: u64,
    spent: Option<Chunk>,
) -> Option<(u64, Result<Chunk, SourceError>)> {
    // A poisoned lock means that reading panicked: there is nothing more to be had.
    let mut feed = feed.lock().ok()?;
    // Holding the lock while waiting is right: the others would only wait for the same thing.
    if feed.done || !gate.wait_for(feed.next, window) {
        return None;
    }
    let chunk = feed.chunks.next_chunk(spent);
    feed.done = !matches!(chunk, Some(Ok(_)));
    let index = feed.next;
    feed.next += 1;
    Some((index, chunk?))
}

/// Keeps the workers from running too far ahead.
struct Gate {
    state: Mutex<GateState>,
    moved: Condvar,
}

struct GateState {
    /// How many results have been handed over.
    taken: u64,
    closed: bool,
}

impl Gate {
    /// Waits until chunk `index` may be begun; `false` if it never may.
    fn wait_for(&self, index: u64, window: u64) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = |state: &mut GateState| !state.closed && index >= state.taken + window;
        !self.moved.wait_while(state, ahead).unwrap_or_else(PoisonError::into_inner).closed
    }

    fn advance(&self, taken: u64) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).taken = taken;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.moved.notify_all();
    }

    fn close_on_panic(&self) -> Closer<'_> {
        Closer { gate: self, only_on_panic: true }
    }

    fn close_at_end(&self) -> Closer<'_> {
        Closer { gate: self, only_on_panic: false }
    }
}

struct Closer<'a> {
    gate: &'a Gate,
    only_on_panic: bool,
}

impl Drop for Closer<'_> {
    fn drop(&mut self) {
        if !self.only_on_panic || std::thread::panicking() {
            self.gate.close();
        }
    }
}
