//! Walks from whole files of games, by many threads, in the order of the games.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use kiebitz_dataset::{
    Chain, ChainEncoder, Counts, DatasetError, EncodedChains, Format, IntakeOutput, ManifestFile, Parts,
    inputs_with_sizes,
};
use kiebitz_inference::Network;
use serde_json::json;

use crate::{SelfPlayError, WalkRules, Walker};

/// Games that a thread takes at a time.
const GAMES_AT_A_TIME: usize = 16;

/// A job of walks.
pub struct Wandering<'a> {
    /// How walks are made.
    pub rules: WalkRules,
    /// Who scores them.
    pub network: &'a Network,
    /// The same in words, with the checksum of its file: another network makes another job.
    pub scored_by: String,
    /// Files of games.
    pub inputs: Vec<(PathBuf, Format)>,
}

/// How far a job of walks is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WanderingProgress {
    /// Walks are made.
    Walking {
        /// Bytes of all inputs that were read.
        consumed: u64,
        /// What was made of them.
        counts: Counts,
    },
    /// The parts become one file; nothing stops this any more.
    Joining {
        /// Bytes that were joined.
        done: u64,
        /// Bytes of all parts.
        all: u64,
    },
}

/// Some games in a row, with the number of the first.
struct Task {
    number: u64,
    games: Vec<Chain>,
    /// Bytes of all inputs up to here.
    consumed: u64,
}

/// What became of them.
struct Walked {
    consumed: u64,
    chains: EncodedChains,
}

impl Wandering<'_> {
    /// Makes all walks, or goes on behind the last part that was finished; `watch` hears how far that is, and may stop it.
    ///
    /// # Errors
    ///
    /// When an input cannot be read or ends too early, or the disk is full.
    pub fn run(
        &self,
        output: &IntakeOutput<'_>,
        threads: NonZeroUsize,
        mut watch: impl FnMut(WanderingProgress) -> ControlFlow<()>,
    ) -> Result<Vec<ManifestFile>, SelfPlayError> {
        let paths: Vec<PathBuf> = self.inputs.iter().map(|(path, _)| path.clone()).collect();
        let job = json!({
            "files": inputs_with_sizes(&paths),
            "rules": self.rules,
            "network": self.scored_by,
            "part": [output.limit.bytes, output.limit.samples],
        });
        let mut parts = Parts::open(output.format, output.path, &output.description, output.limit, output.fate, job)?;
        let before = parts.consumed();
        let (hand_out, tasks) = sync_channel::<Task>(2 * threads.get());
        let (hand_in, walked) = sync_channel::<(u64, Walked)>(2 * threads.get());
        let tasks = Mutex::new(tasks);
        thread::scope(|scope| {
            let reader = scope.spawn(move || self.read(before, &hand_out));
            for _ in 0..threads.get() {
                let (tasks, hand_in) = (&tasks, hand_in.clone());
                scope.spawn(move || self.work(tasks, &hand_in));
            }
            drop(hand_in);
            let written = write(&mut parts, before, walked, &mut watch);
            // Whoever still waits to hand something in or out has nobody left to hand it to.
            drop(tasks.lock().map(|mut tasks| *tasks = sync_channel(0).1));
            let read = reader.join().unwrap_or(Err(DatasetError::Empty));
            written?;
            Ok(read?)
        })
        .and_then(|()| {
            Ok(parts.finish(|done, all| {
                let _ = watch(WanderingProgress::Joining { done, all });
            })?)
        })
    }

    /// Reads games and hands them out, those of finished parts left out.
    fn read(&self, before: u64, tasks: &SyncSender<Task>) -> Result<(), DatasetError> {
        let (mut number, mut finished_bytes) = (0, 0);
        for (path, format) in &self.inputs {
            let mut source = format.open(path)?;
            loop {
                let mut games = Vec::with_capacity(GAMES_AT_A_TIME);
                let mut chain = Chain::default();
                while games.len() < GAMES_AT_A_TIME && source.next_chain(&mut chain)? {
                    games.push(std::mem::take(&mut chain));
                }
                if games.is_empty() {
                    break;
                }
                let task = Task { number, games, consumed: finished_bytes + source.consumed() };
                number += 1;
                if number > before && tasks.send(task).is_err() {
                    return Ok(());
                }
            }
            finished_bytes += source.consumed();
        }
        Ok(())
    }

    /// Takes tasks until there are none.
    fn work(&self, tasks: &Mutex<Receiver<Task>>, walked: &SyncSender<(u64, Walked)>) {
        let mut walker = Walker::new(self.rules, self.network);
        let mut encoder = ChainEncoder::default();
        loop {
            let Ok(Ok(task)) = tasks.lock().map(|tasks| tasks.recv()) else { return };
            let mut chains = EncodedChains::default();
            for (place, game) in (0..).zip(&task.games) {
                walker.walk(task.number * GAMES_AT_A_TIME as u64 + place, game, |walk| {
                    // A walk is short and its moves are legal.
                    let Ok(bytes) = encoder.encode(walk) else { return };
                    chains.bytes.extend_from_slice(bytes);
                    let (positions, samples) = (walk.links.len() as u64, walk.samples() as u64);
                    chains.counts += Counts { chains: 1, positions, samples };
                });
            }
            if walked.send((task.number, Walked { consumed: task.consumed, chains })).is_err() {
                return;
            }
        }
    }
}

/// Writes what comes in, in the order of its numbers.
fn write(
    parts: &mut Parts,
    before: u64,
    walked: Receiver<(u64, Walked)>,
    watch: &mut dyn FnMut(WanderingProgress) -> ControlFlow<()>,
) -> Result<(), SelfPlayError> {
    let (mut next, mut counts) = (before, Counts::default());
    let mut early = BTreeMap::new();
    for (number, part) in walked {
        early.insert(number, part);
        while let Some(Walked { consumed, chains }) = early.remove(&next) {
            parts.write_encoded(&chains)?;
            counts += chains.counts;
            next += 1;
            parts.unit_done(next, || json!(null))?;
            if watch(WanderingProgress::Walking { consumed, counts }).is_break() {
                return Err(SelfPlayError::Stopped);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use kiebitz_dataset::{Description, PartFate, PartLimit};

    use super::*;
    use crate::test_network::network;
    use crate::{Evaluation, PlayerRecord, Rules, SelfPlay};

    /// Walks by so many threads, stopped when so many samples are there; the bytes of the output.
    fn walked(games: &[(PathBuf, Format)], output: &Path, threads: usize, most: u64) -> Result<Vec<u8>, SelfPlayError> {
        let network = network();
        let rules = WalkRules { seed: 5, walks: 2, plies: 3 };
        let job = Wandering { rules, network: &network, scored_by: "a test".to_owned(), inputs: games.to_vec() };
        let into = IntakeOutput {
            path: output,
            format: Format::Kiebitz,
            description: Description::default(),
            limit: PartLimit { bytes: u64::MAX, samples: 2_000 },
            fate: PartFate::Joined,
        };
        let mut joined = None;
        job.run(&into, NonZeroUsize::new(threads).unwrap(), |progress| match progress {
            WanderingProgress::Walking { counts, .. } if counts.samples >= most => ControlFlow::Break(()),
            WanderingProgress::Walking { .. } => ControlFlow::Continue(()),
            WanderingProgress::Joining { done, all } => {
                joined = Some((done, all));
                ControlFlow::Continue(())
            }
        })?;
        assert!(joined.is_some_and(|(done, all)| done == all && all > 0), "{joined:?}");
        Ok(std::fs::read(output).unwrap())
    }

    #[test]
    fn threads_and_interruptions_do_not_show() {
        let place = tempfile::tempdir().unwrap();
        let quick =
            Rules { soft_nodes: 20, opening_nodes: 0, hash_mebibytes: 1, games_per_shard: 40, ..Rules::default() };
        let evaluation = Evaluation::MaterialAndTables;
        let play = SelfPlay { rules: quick, evaluation, player: PlayerRecord::default(), starts: Vec::new() };
        let signal = kiebitz_search::SearchSignal::new();
        let produced = play.run(place.path(), 0..80, NonZeroUsize::MIN, &signal, |_| ()).unwrap();
        let path = |file: &ManifestFile| (place.path().join(&file.written.file), Format::Kiebitz);
        let games: Vec<_> = produced.files.iter().map(path).collect();
        assert_eq!(games.len(), 2);

        let whole = walked(&games, &place.path().join("one.kbz"), 1, u64::MAX).unwrap();
        assert!(whole.len() > 20_000, "{} bytes", whole.len());
        assert_eq!(walked(&games, &place.path().join("three.kbz"), 3, u64::MAX).unwrap(), whole);
        let stopped = place.path().join("stopped.kbz");
        assert!(matches!(walked(&games, &stopped, 2, 3_000), Err(SelfPlayError::Stopped)));
        assert!(!stopped.exists() && place.path().join("stopped.kbz.state").exists());
        assert_eq!(walked(&games, &stopped, 2, u64::MAX).unwrap(), whole);
    }

    #[test]
    fn an_input_that_is_missing_is_named() {
        let place = tempfile::tempdir().unwrap();
        let missing = vec![(place.path().join("nothing.kbz"), Format::Kiebitz)];
        let error = walked(&missing, &place.path().join("out.kbz"), 2, u64::MAX).unwrap_err();
        assert!(error.to_string().contains("nothing.kbz"), "{error}");
    }
}
