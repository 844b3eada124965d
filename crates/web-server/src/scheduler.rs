//! Who may search now. Engines are few, pages may be many.
//!
//! Every worker thread has a desk with an engine of its own. Short tasks (a player's move, a look inside, a reason) go before long
//! ones (analyses, reviews); among equals the page goes first whose last turn is longest ago, so that asking for more does not get
//! anybody more. A long task that has had its slice gives way as soon as another one waits, goes to the back of the queue and is
//! taken up again later; for a short task it gives way at once.
//!
//! **Invariants:** never more threads search than the capacity; a task that is cancelled searches no longer, wherever it is, and
//! says its last event; nobody waits for a client.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use kiebitz_messages::{AnalysisEnd, Event};
use kiebitz_onlooker::{Desk, Progress, Task};
use kiebitz_search::{Clock, SearchSignal};

/// How long a long task searches while others wait.
const SLICE: Duration = Duration::from_millis(1500);
/// How often it is asked whether somebody has to give way.
const PULSE: Duration = Duration::from_millis(25);

/// Where the events of a task go; it must not block.
pub(crate) type Outlet = Arc<dyn Fn(Event) + Send + Sync>;

/// When a page had its last turn: the number of that turn, 0 before the first.
#[derive(Clone, Default)]
pub(crate) struct LastTurn(Arc<AtomicU64>);

struct Job {
    key: u64,
    last_turn: LastTurn,
    task: Task,
    outlet: Outlet,
    end: Arc<End>,
}

/// Whether a job was cancelled, and what is said then.
struct End {
    cancelled: AtomicBool,
    replaced: AtomicBool,
}

struct Running {
    key: u64,
    signal: SearchSignal,
    since: Instant,
    threads: u32,
    is_long: bool,
    gives_way: bool,
}

#[derive(Default)]
struct State {
    short: VecDeque<Job>,
    long: VecDeque<Job>,
    running: Vec<Running>,
    threads_in_use: u32,
    /// Turns that were given so far.
    turns: u64,
    closing: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    capacity: u32,
    next_key: AtomicU64,
}

/// The searches of a server.
pub(crate) struct Scheduler {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// A task that was handed in.
pub(crate) struct JobHandle {
    key: u64,
    end: Arc<End>,
    shared: Arc<Shared>,
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Load {
    pub(crate) running: usize,
    pub(crate) waiting: usize,
}

impl Scheduler {
    /// Starts the workers; together they use so many threads at most.
    pub(crate) fn start(capacity: u32) -> Self {
        let capacity = capacity.max(1);
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            capacity,
            next_key: AtomicU64::new(0),
        });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.work())
        };
        let mut threads: Vec<JoinHandle<()>> = (0..capacity).map(worker).collect();
        let pacemaker = Arc::clone(&shared);
        threads.push(std::thread::spawn(move || pacemaker.keep_pace()));
        Self { shared, threads: Mutex::new(threads) }
    }

    /// Hands in a task of the page with these turns.
    pub(crate) fn submit(&self, task: Task, outlet: Outlet, last_turn: &LastTurn) -> JobHandle {
        let key = self.shared.next_key.fetch_add(1, Ordering::Relaxed);
        let end = Arc::new(End { cancelled: AtomicBool::new(false), replaced: AtomicBool::new(false) });
        let handle = JobHandle { key, end: Arc::clone(&end), shared: Arc::clone(&self.shared) };
        let mut state = self.shared.locked();
        self.shared.enqueue(&mut state, Job { key, last_turn: last_turn.clone(), task, outlet, end });
        handle
    }

    pub(crate) fn load(&self) -> Load {
        let state = self.shared.locked();
        Load { running: state.running.len(), waiting: state.short.len() + state.long.len() }
    }

    /// Stops every search and waits for the workers.
    pub(crate) fn close(&self) {
        {
            let mut state = self.shared.locked();
            state.closing = true;
            state.short.clear();
            state.long.clear();
            state.running.iter().for_each(|running| running.signal.stop());
            self.shared.changed.notify_all();
        }
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A worker that died has nothing left to stop.
            let _ = thread.join();
        }
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        self.close();
    }
}

impl JobHandle {
    /// Ends the task at once because nobody wants it any more.
    pub(crate) fn cancel(&self) {
        self.end.cancelled.store(true, Ordering::Release);
        let mut state = self.shared.locked();
        let waiting = state.take(self.key);
        if let Some(running) = state.running.iter().find(|running| running.key == self.key) {
            running.signal.stop();
        }
        drop(state);
        if let Some(job) = waiting {
            job.say_end();
        }
    }

    /// Ends an analysis because another one takes its place.
    pub(crate) fn replace(&self) {
        self.end.replaced.store(true, Ordering::Release);
        self.cancel();
    }
}

impl Job {
    fn is_cancelled(&self) -> bool {
        self.end.cancelled.load(Ordering::Acquire)
    }

    fn say_end(&self) {
        let id = self.task.id();
        let replaced = self.end.replaced.load(Ordering::Acquire);
        let end = if replaced { AnalysisEnd::Replaced } else { AnalysisEnd::Stopped };
        let event = if self.task.is_analysis() { Event::AnalysisEnded { id, end } } else { Event::Stopped { id } };
        (self.outlet)(event);
    }
}

impl State {
    fn take(&mut self, key: u64) -> Option<Job> {
        for queue in [&mut self.short, &mut self.long] {
            if let Some(place) = queue.iter().position(|job| job.key == key) {
                return queue.remove(place);
            }
        }
        None
    }

    /// The job whose turn it is: that of the page which has waited longest, and of several the one that came first.
    fn first(&self) -> Option<&Job> {
        let queue = if self.short.is_empty() { &self.long } else { &self.short };
        queue.iter().min_by_key(|job| job.last_turn.0.load(Ordering::Relaxed))
    }

    /// Takes the next job, if it fits: whoever is first is not passed by.
    fn next(&mut self, capacity: u32) -> Option<Job> {
        let free = capacity.saturating_sub(self.threads_in_use);
        let key = self.first().filter(|job| job.threads(capacity) <= free)?.key;
        let job = self.take(key)?;
        self.turns += 1;
        job.last_turn.0.store(self.turns, Ordering::Relaxed);
        Some(job)
    }
}

impl Job {
    fn threads(&self, capacity: u32) -> u32 {
        self.task.setup().threads.min(capacity)
    }
}

impl Shared {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enqueue(&self, state: &mut State, job: Job) {
        let ahead = if job.task.is_long() { state.short.len() + state.long.len() } else { state.short.len() };
        let free = self.capacity.saturating_sub(state.threads_in_use);
        if ahead > 0 || free < job.threads(self.capacity) {
            let ahead = u32::try_from(ahead).unwrap_or(u32::MAX);
            (job.outlet)(Event::Waiting { id: job.task.id(), ahead });
        }
        if job.task.is_long() {
            state.long.push_back(job)
        } else {
            state.short.push_back(job)
        }
        self.changed.notify_all();
    }

    fn work(&self) {
        let mut desk = Desk::new(Clock::system());
        while let Some((mut job, signal)) = self.wait_for_job() {
            let is_long = job.task.is_long();
            let outlet = Arc::clone(&job.outlet);
            let begun = Instant::now();
            let mut has_ended = false;
            let mut advance = || {
                job.task.advance(&mut desk, &signal, None, &mut |event| {
                    has_ended |= event.ends().is_some();
                    outlet(event);
                })
            };
            let mut progress = advance();
            // A review is many short searches: it may use its slice like an analysis, which is one long search.
            while is_long && progress == Progress::More && !signal.is_stopped() && begun.elapsed() < SLICE {
                progress = advance();
            }
            let mut state = self.locked();
            state.running.retain(|running| running.key != job.key);
            state.threads_in_use -= job.threads(self.capacity);
            if job.is_cancelled() {
                // The last event may have been on its way when the cancellation came.
                if !has_ended {
                    job.say_end();
                }
            } else if progress == Progress::More && !state.closing {
                self.enqueue(&mut state, job);
            }
            self.changed.notify_all();
        }
    }

    fn wait_for_job(&self) -> Option<(Job, SearchSignal)> {
        let mut state = self.locked();
        loop {
            if state.closing {
                return None;
            }
            if let Some(job) = state.next(self.capacity) {
                let signal = SearchSignal::new();
                state.threads_in_use += job.threads(self.capacity);
                state.running.push(Running {
                    key: job.key,
                    signal: signal.clone(),
                    since: Instant::now(),
                    threads: job.threads(self.capacity),
                    is_long: job.task.is_long(),
                    gives_way: false,
                });
                // Others may still fit.
                self.changed.notify_all();
                return Some((job, signal));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes long tasks give way while others wait.
    fn keep_pace(&self) {
        let mut state = self.locked();
        while !state.closing {
            let is_short_waiting = !state.short.is_empty();
            if let Some(needed) = state.first().map(|job| job.threads(self.capacity)) {
                let leaving: u32 = state.running.iter().filter(|one| one.gives_way).map(|one| one.threads).sum();
                let mut free = self.capacity.saturating_sub(state.threads_in_use) + leaving;
                let slice = if is_short_waiting { PULSE } else { SLICE };
                // The one that has searched longest first: the list is in the order of their beginning.
                for running in state.running.iter_mut().filter(|one| one.is_long && !one.gives_way) {
                    if free >= needed {
                        break;
                    }
                    if running.since.elapsed() >= slice {
                        running.gives_way = true;
                        running.signal.stop();
                        free += running.threads;
                    }
                }
                state = self.changed.wait_timeout(state, PULSE).unwrap_or_else(PoisonError::into_inner).0;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

#[cfg(test)]
mod tests;
