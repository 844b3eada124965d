//! Scores from any UCI engine, by many processes at a time.
//!
//! ```text
//! chains ──▶ engines, each with a game at a time ──▶ journal of scores ──▶ chains with these scores, in their old order
//! ```
//!
//! A game is the unit: the engine is told that a new one begins, and its samples are searched in order. Its scores then go into
//! a journal beside the output. An engine that dies or hangs is started again and repeats its game from the beginning; a run
//! that was interrupted goes on with the games that are not in the journal.
//!
//! **Invariant:** with a limit of depth or nodes and an engine that repeats itself, the output is a function of input, engine and
//! limit; processes, crashes and interruptions never show. Nothing that is in the journal is asked twice.

mod engine;
mod journal;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use kiebitz_uci::{EngineCommand, EngineError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::engine::{LabelFailure, Labeller};
use self::journal::Journal;
use crate::{Chain, ChainSource, Counts, DatasetError, Description, ShardWriter, WrittenFile};

/// How long an engine may look at each position. The first limit that is reached counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LabelLimit {
    /// So many plies.
    pub depth: Option<u32>,
    /// So many nodes.
    pub nodes: Option<u64>,
    /// So many milliseconds; scores then depend on the machine.
    pub milliseconds: Option<u64>,
}

/// A job of labelling.
#[derive(Clone, Debug)]
pub struct Labelling {
    /// How the engine is started, with its options.
    pub engine: EngineCommand,
    /// How long it may look at each position.
    pub limit: LabelLimit,
    /// So many of it at a time.
    pub processes: NonZeroUsize,
}

/// How far labelling has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LabelProgress {
    /// Games whose scores are in the journal.
    pub games: u64,
    /// Their samples.
    pub samples: u64,
    /// Those of them that were found in the journal of an earlier run.
    pub found: u64,
    /// How often an engine had to be started again.
    pub restarts: u64,
}

/// What labelling has produced.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Labelled {
    /// What was done.
    #[serde(flatten)]
    pub progress: LabelProgress,
    /// What the engine calls itself.
    pub engine: String,
    /// What the output holds.
    pub counts: Counts,
    /// The output; `None` when the run was stopped before the end.
    pub written: Option<WrittenFile>,
}

/// Why samples could not be labelled.
#[derive(Debug, Error)]
pub enum LabelError {
    /// A file could not be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The engine cannot be started or does not answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine fails again and again at the same position.
    #[error("the engine failed {attempts} times at {position}: {reason}")]
    Hopeless {
        /// How often it was asked.
        attempts: u32,
        /// The position.
        position: String,
        /// What was wrong at last.
        reason: String,
    },
    /// The journal belongs to another job.
    #[error("{} belongs to another job: it was made with {was}, and this one is {is}; remove it to begin anew", journal.display())]
    OtherJob {
        /// The journal.
        journal: PathBuf,
        /// What it says.
        was: String,
        /// What was asked for.
        is: String,
    },
    /// There is no limit, so the engine would never answer.
    #[error("say how long the engine may search: a depth, nodes or a time")]
    NoLimit,
}

/// The scores of one game: for each sample, in order.
type Scores = Vec<i16>;

impl Labelling {
    /// Reads all chains from what `open` gives, twice: once to have every sample scored, once to write the output. Stopped by the
    /// flag, it leaves the journal for the next time.
    ///
    /// # Errors
    ///
    /// When a file is damaged, the disk is full, or the engine fails again and again. The journal stays.
    pub fn run(
        &self,
        open: &dyn Fn() -> Result<Box<dyn ChainSource + Send>, DatasetError>,
        sources: &[String],
        output: &Path,
        stop: &AtomicBool,
        mut progress: impl FnMut(LabelProgress),
    ) -> Result<Labelled, LabelError> {
        if self.limit == LabelLimit::default() {
            return Err(LabelError::NoLimit);
        }
        // One engine is started first: if it cannot be, that is said at once, and its name belongs to the job.
        let first = Labeller::start(&self.engine, self.limit)?;
        let name = first.name();
        let unit = format!("centipawns of {name}, {}; mates as 32000 less the plies", self.limit);
        let (mut journal, known) = Journal::open(output, &self.job(&name, sources))?;
        let mut state = LabelProgress::default();
        for scores in known.values() {
            state.games += 1;
            state.samples += scores.len() as u64;
        }
        state.found = state.games;
        progress(state);
        let known = Mutex::new(known);
        self.score(open()?, first, &known, stop, |number, scores, restarts| {
            journal.put(number, &scores)?;
            state.games += 1;
            state.samples += scores.len() as u64;
            state.restarts += restarts;
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(number, scores);
            progress(state);
            Ok(())
        })?;
        journal.flush()?;
        let mut labelled = Labelled { progress: state, engine: name, counts: Counts::default(), written: None };
        if stop.load(Ordering::Relaxed) {
            return Ok(labelled);
        }
        let description = Description { score_unit: unit, sources: sources.to_vec(), ..Description::default() };
        let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (written, counts) = write(&mut *open()?, output, &description, &known)?;
        journal.remove();
        (labelled.written, labelled.counts) = (Some(written), counts);
        Ok(labelled)
    }

    /// What must be the same for a journal to be continued.
    fn job(&self, name: &str, sources: &[String]) -> String {
        let options: Vec<String> = self
            .engine
            .options
            .iter()
            .map(|(option, value)| format!("{option}={}", value.as_deref().unwrap_or("")))
            .collect();
        format!("{name} [{}], {}, {}", options.join(" "), self.limit, sources.join(" "))
    }

    /// Has every game scored that is not known yet.
    fn score(
        &self,
        source: Box<dyn ChainSource + Send>,
        first: Labeller,
        known: &Mutex<BTreeMap<u64, Scores>>,
        stop: &AtomicBool,
        mut take: impl FnMut(u64, Scores, u64) -> Result<(), LabelError>,
    ) -> Result<(), LabelError> {
        let games = Mutex::new(Games { source, next: 0 });
        let failed = AtomicBool::new(false);
        let (sender, finished) = sync_channel(2 * self.processes.get());
        let mut first = Some(first);
        thread::scope(|scope| {
            for _ in 0..self.processes.get() {
                let sender: SyncSender<_> = sender.clone();
                let (games, failed, first) = (&games, &failed, first.take());
                scope.spawn(move || {
                    let work = || -> Result<(), LabelError> {
                        let mut labeller = match first {
                            Some(labeller) => labeller,
                            None => Labeller::start(&self.engine, self.limit)?,
                        };
                        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                            let next = games.lock().unwrap_or_else(PoisonError::into_inner).next(known)?;
                            let Some((number, chain)) = next else { break };
                            let before = labeller.restarts();
                            let scores = match labeller.scores(&chain, stop) {
                                Ok(scores) => scores,
                                Err(LabelFailure::Stopped) => break,
                                Err(LabelFailure::Failed(error)) => return Err(error),
                            };
                            let restarts = labeller.restarts() - before;
                            if sender.send(Ok((number, scores, restarts))).is_err() {
                                break;
                            }
                        }
                        Ok(())
                    };
                    if let Err(error) = work() {
                        failed.store(true, Ordering::Relaxed);
                        // Nobody listens any more if something else went wrong before.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            for message in finished {
                if result.is_ok() {
                    result = message.and_then(|(number, scores, restarts)| take(number, scores, restarts));
                    if result.is_err() {
                        failed.store(true, Ordering::Relaxed);
                    }
                }
            }
            result
        })
    }
}

/// The games that are to be scored, in order.
struct Games {
    source: Box<dyn ChainSource + Send>,
    next: u64,
}

impl Games {
    /// The next game that is not known, with its number.
    fn next(&mut self, known: &Mutex<BTreeMap<u64, Scores>>) -> Result<Option<(u64, Chain)>, DatasetError> {
        let mut chain = Chain::default();
        loop {
            match self.source.next_chain(&mut chain) {
                Ok(true) => {}
                // A file that is cut off is used as far as it goes.
                Ok(false) | Err(DatasetError::Truncated { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
            let number = self.next;
            self.next += 1;
            if !known.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&number) {
                return Ok(Some((number, chain)));
            }
        }
    }
}

/// Writes all chains again, with the scores that were found; positions that are no samples lose theirs.
fn write(
    source: &mut dyn ChainSource,
    output: &Path,
    description: &Description,
    known: &BTreeMap<u64, Scores>,
) -> Result<(WrittenFile, Counts), DatasetError> {
    let mut writer = ShardWriter::create(output, description)?;
    let mut chain = Chain::default();
    for number in 0.. {
        match source.next_chain(&mut chain) {
            Ok(true) => {}
            Ok(false) | Err(DatasetError::Truncated { .. }) => break,
            Err(error) => return Err(error),
        }
        let mut scores = known.get(&number).into_iter().flatten();
        for link in &mut chain.links {
            link.score = if link.kept { scores.next().copied() } else { None };
        }
        writer.write(&chain)?;
    }
    let counts = writer.counts();
    Ok((writer.finish()?, counts))
}

impl std::fmt::Display for LabelLimit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = [
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.milliseconds.map(|milliseconds| format!("{milliseconds} ms")),
        ];
        formatter.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
