//! Engines at work on tasks, several at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use kiebitz_chess::GameHistory;
use kiebitz_uci::{Engine, EngineCommand, EngineError, Go, Limits};

use super::task::Task;
use super::trial::{Lines, Trial};

/// How hard an engine tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// So many positions visited.
    Nodes(u64),
    /// So long.
    MoveTime(Duration),
    /// So many plies.
    Depth(u32),
}

impl Effort {
    fn go(self) -> Go {
        match self {
            Self::Nodes(nodes) => Go::nodes(nodes),
            Self::MoveTime(time) => Go::move_time(time),
            Self::Depth(depth) => Go::depth(depth),
        }
    }
}

/// Who works.
#[derive(Clone, Debug)]
pub struct Workers {
    /// How the engine is started.
    pub command: EngineCommand,
    /// How many of them.
    pub count: NonZeroUsize,
    /// What they may cost.
    pub limits: Limits,
    /// When a search is stopped that should have ended by itself, for efforts without a time of their own.
    pub longest_search: Duration,
}

/// Beyond its time an engine may take this long before it is stopped.
const GRACE: Duration = Duration::from_secs(2);

impl Workers {
    /// One engine with generous limits.
    #[must_use]
    pub fn new(command: EngineCommand) -> Self {
        let longest_search = Duration::from_secs(10 * 60);
        Self { command, count: NonZeroUsize::MIN, limits: Limits::default(), longest_search }
    }
}

enum News {
    Started(String),
    Done(usize, Trial),
    Broken(EngineError),
}

/// Puts all tasks to the engines, each as a game of its own. `on_trial` sees the trials as they come, with the number
/// of their task. Returns what the engine calls itself and the trials in the tasks' order.
///
/// # Errors
/// If an engine cannot be started, or not again after it died. What it does wrong in a search is part of the trial.
pub fn solve(
    tasks: &[Task],
    workers: &Workers,
    effort: Effort,
    mut on_trial: impl FnMut(usize, &Trial),
) -> Result<(String, Vec<Trial>), EngineError> {
    let mut trials: Vec<Trial> = vec![Trial::default(); tasks.len()];
    let mut name = workers.command.label();
    let (next, given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let mut broken = None;
    thread::scope(|scope| {
        // One even without tasks, so that a mistyped name is told.
        for _ in 0..workers.count.get().min(tasks.len().max(1)) {
            let (sender, next, given_up) = (sender.clone(), &next, &given_up);
            scope.spawn(move || {
                let result = work(tasks, workers, effort, next, given_up, &sender);
                if let Err(error) = result {
                    given_up.store(true, Ordering::Relaxed);
                    // Nobody listens only if somebody else has failed before.
                    let _ = sender.send(News::Broken(error));
                }
            });
        }
        drop(sender);
        for news in receiver {
            match news {
                News::Started(told) => name = told,
                News::Done(index, trial) => {
                    on_trial(index, &trial);
                    trials[index] = trial;
                }
                News::Broken(error) => {
                    broken.get_or_insert(error);
                }
            }
        }
    });
    broken.map_or(Ok((name, trials)), Err)
}

fn work(
    tasks: &[Task],
    workers: &Workers,
    effort: Effort,
    next: &AtomicUsize,
    given_up: &AtomicBool,
    sender: &mpsc::Sender<News>,
) -> Result<(), EngineError> {
    let mut engine = Engine::start(workers.command.clone(), workers.limits.clone())?;
    // The receiver outlives all workers.
    let _ = sender.send(News::Started(engine.name()));
    while !given_up.load(Ordering::Relaxed) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(task) = tasks.get(index) else { break };
        let begun = Instant::now();
        let trial = match attempt(&mut engine, task, workers, effort) {
            Ok(trial) => trial,
            Err(error) => {
                if error.is_fatal() {
                    engine.restart()?;
                }
                Trial::failed(task, error.problem.to_string(), begun.elapsed())
            }
        };
        let _ = sender.send(News::Done(index, trial));
    }
    // Whether it ends by itself or has to be killed changes no result.
    let _ = engine.quit();
    Ok(())
}

fn attempt(engine: &mut Engine, task: &Task, workers: &Workers, effort: Effort) -> Result<Trial, EngineError> {
    let limit = match effort {
        Effort::MoveTime(time) => time.saturating_add(GRACE),
        Effort::Nodes(_) | Effort::Depth(_) => workers.longest_search,
    };
    engine.new_game()?;
    let mut lines = Lines::default();
    let game = GameHistory::new(task.position.clone());
    let answer = engine.search(&game, &effort.go(), limit, |info, _| lines.note(task, info))?;
    Ok(Trial::judge(task, &answer, &lines))
}
