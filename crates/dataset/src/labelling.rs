//! Scores from any UCI engine, by many processes at a time, or from whatever else is a [`Scorer`].
//!
//! ```text
//! chains ──▶ scorers, each with a game at a time ──▶ journal of scores ──▶ chains with these scores, in their old order
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

use self::engine::Labeller;
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

/// Whoever says what positions are worth, one game after the other.
pub trait Scorer {
    /// Scores all samples of a game, in order, for the side to move; `None` when it was stopped.
    ///
    /// # Errors
    ///
    /// When there will be no scores any more.
    fn scores(&mut self, chain: &Chain, stop: &AtomicBool) -> Result<Option<Vec<i16>>, LabelError>;

    /// How often it had to be started again.
    fn restarts(&self) -> u64 {
        0
    }
}

/// What becomes of games that have scores already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OldScores {
    /// They are scored like all others.
    Replaced,
    /// A game in which some sample has a score is left as it is.
    Kept,
}

/// A job for scorers of any kind.
#[derive(Clone, Copy, Debug)]
pub struct ScoringJob<'a> {
    /// Whose scores these are, in words.
    pub scorer: &'a str,
    /// Everything that must be the same for an interrupted job to be continued.
    pub identity: &'a str,
    /// What a score means, for the description of the output.
    pub unit: &'a str,
    /// Where the chains come from.
    pub sources: &'a [String],
    /// Where they go.
    pub output: &'a Path,
    /// So many scorers at a time.
    pub scorers: NonZeroUsize,
    /// What becomes of games that have scores already.
    pub old_scores: OldScores,
}

/// Opens the chains of a job, as often as they are needed.
type Opener<'a> = &'a dyn Fn() -> Result<Box<dyn ChainSource + Send>, DatasetError>;
/// Makes a scorer for each thread.
type ScorerStart<'a> = &'a (dyn Fn() -> Result<Box<dyn Scorer + Send>, LabelError> + Sync);

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
        old_scores: OldScores,
        stop: &AtomicBool,
        progress: impl FnMut(LabelProgress),
    ) -> Result<Labelled, LabelError> {
        if self.limit == LabelLimit::default() {
            return Err(LabelError::NoLimit);
        }
        // One engine is started first: if it cannot be, that is said at once, and its name belongs to the job.
        let first = Labeller::start(&self.engine, self.limit)?;
        let name = first.name();
        let job = ScoringJob {
            scorer: &name,
            identity: &self.identity(&name, sources),
            unit: &format!("centipawns of {name}, {}; mates as 32000 less the plies", self.limit),
            sources,
            output,
            scorers: self.processes,
            old_scores,
        };
        let first = Mutex::new(Some(first));
        let start = || -> Result<Box<dyn Scorer + Send>, LabelError> {
            let ready = first.lock().unwrap_or_else(PoisonError::into_inner).take();
            Ok(Box::new(match ready {
                Some(labeller) => labeller,
                None => Labeller::start(&self.engine, self.limit)?,
            }))
        };
        job.run(open, &start, stop, progress)
    }

    /// What must be the same for a journal to be continued.
    fn identity(&self, name: &str, sources: &[String]) -> String {
        let options: Vec<String> = self
            .engine
            .options
            .iter()
            .map(|(option, value)| format!("{option}={}", value.as_deref().unwrap_or("")))
            .collect();
        format!("{name} [{}], {}, {}", options.join(" "), self.limit, sources.join(" "))
    }
}

impl ScoringJob<'_> {
    /// As [`Labelling::run`], with scorers from `start`.
    ///
    /// # Errors
    ///
    /// When a file is damaged, the disk is full, or a scorer fails for good. The journal stays.
    pub fn run(
        &self,
        open: Opener<'_>,
        start: ScorerStart<'_>,
        stop: &AtomicBool,
        mut progress: impl FnMut(LabelProgress),
    ) -> Result<Labelled, LabelError> {
        let (mut journal, known) = Journal::open(self.output, self.identity)?;
        let mut state = LabelProgress::default();
        for scores in known.values() {
            state.games += 1;
            state.samples += scores.len() as u64;
        }
        state.found = state.games;
        progress(state);
        let known = Mutex::new(known);
        self.score(open()?, start, &known, stop, |number, scores, restarts| {
            journal.put(number, &scores)?;
            state.games += 1;
            state.samples += scores.len() as u64;
            state.restarts += restarts;
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(number, scores);
            progress(state);
            Ok(())
        })?;
        journal.flush()?;
        let engine = self.scorer.to_owned();
        let mut labelled = Labelled { progress: state, engine, counts: Counts::default(), written: None };
        if stop.load(Ordering::Relaxed) {
            return Ok(labelled);
        }
        let description =
            Description { score_unit: self.unit.to_owned(), sources: self.sources.to_vec(), ..Description::default() };
        let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (written, counts) = self.write(&mut *open()?, &description, &known)?;
        journal.remove();
        (labelled.written, labelled.counts) = (Some(written), counts);
        Ok(labelled)
    }

    /// Has every game scored that is not known yet.
    fn score(
        &self,
        source: Box<dyn ChainSource + Send>,
        start: ScorerStart<'_>,
        known: &Mutex<BTreeMap<u64, Scores>>,
        stop: &AtomicBool,
        mut take: impl FnMut(u64, Scores, u64) -> Result<(), LabelError>,
    ) -> Result<(), LabelError> {
        let games = Mutex::new(Games { source, next: 0, old_scores: self.old_scores });
        let failed = AtomicBool::new(false);
        let (sender, finished) = sync_channel(2 * self.scorers.get());
        thread::scope(|scope| {
            for _ in 0..self.scorers.get() {
                let sender: SyncSender<_> = sender.clone();
                let (games, failed) = (&games, &failed);
                scope.spawn(move || {
                    let work = || -> Result<(), LabelError> {
                        let mut scorer = start()?;
                        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                            let next = games.lock().unwrap_or_else(PoisonError::into_inner).next(known)?;
                            let Some((number, chain)) = next else { break };
                            let before = scorer.restarts();
                            let Some(scores) = scorer.scores(&chain, stop)? else { break };
                            let restarts = scorer.restarts() - before;
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

    /// Writes all chains again, with the scores that were found; positions that are no samples lose theirs.
    fn write(
        &self,
        source: &mut dyn ChainSource,
        description: &Description,
        known: &BTreeMap<u64, Scores>,
    ) -> Result<(WrittenFile, Counts), DatasetError> {
        let mut writer = ShardWriter::create(self.output, description)?;
        let mut chain = Chain::default();
        for number in 0.. {
            match source.next_chain(&mut chain) {
                Ok(true) => {}
                Ok(false) | Err(DatasetError::Truncated { .. }) => break,
                Err(error) => return Err(error),
            }
            let scores = known.get(&number);
            if scores.is_some() || self.old_scores == OldScores::Replaced {
                let mut scores = scores.into_iter().flatten();
                for link in &mut chain.links {
                    link.score = if link.kept { scores.next().copied() } else { None };
                }
            }
            writer.write(&chain)?;
        }
        let counts = writer.counts();
        Ok((writer.finish()?, counts))
    }
}

/// The games that are to be scored, in order.
struct Games {
    source: Box<dyn ChainSource + Send>,
    next: u64,
    old_scores: OldScores,
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
            if self.old_scores == OldScores::Kept && chain.has_scores() {
                continue;
            }
            if !known.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&number) {
                return Ok(Some((number, chain)));
            }
        }
    }
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
