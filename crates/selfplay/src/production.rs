//! Many games at a time, written as shards of fixed ranges.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use kiebitz_chess::Position;
use kiebitz_dataset::{
    ChainEncoder, Counts, Description, EncodedChains, MANIFEST_VERSION, Manifest, ManifestFile, Removals, ShardIndex,
    ShardWriter, WrittenFile,
};
use kiebitz_search::SearchSignal;
use serde::{Deserialize, Serialize};

use crate::{Evaluation, GamePlayer, Rules, SelfPlayError};

/// The name of the manifest in a folder of games.
pub const MANIFEST: &str = "manifest.json";

/// Who plays, for the record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// The program with its version and commit: another one may play other moves.
    pub program: String,
    /// The evaluation in words, or the name of the network's file.
    pub evaluation: String,
    /// The checksum of the network's file.
    pub network_crc32: Option<String>,
    /// The name of the book.
    pub book: Option<String>,
}

/// What a folder's games were made by; a folder is never continued with anything else.
#[derive(Serialize)]
struct Recipe<'a> {
    #[serde(flatten)]
    rules: &'a Rules,
    #[serde(flatten)]
    player: &'a PlayerRecord,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Progress {
    /// Games finished in this run.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games that this run has to play altogether.
    pub wanted_games: u64,
}

/// What a run has produced.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Produced {
    /// The shards that are in the folder now, in the order of their games.
    pub files: Vec<ManifestFile>,
    /// What they hold together.
    pub counts: Counts,
    /// What this run has played; more than it wrote, if it was stopped.
    pub played: Progress,
    /// Whether all games are there.
    pub complete: bool,
}

/// A job of self-play.
pub struct SelfPlay {
    /// How games are played.
    pub rules: Rules,
    /// Who plays.
    pub evaluation: Evaluation,
    /// The same in words.
    pub player: PlayerRecord,
    /// Where games begin; the initial position if there are none.
    pub starts: Vec<Position>,
}

/// One range of games.
#[derive(Clone, Debug)]
struct Shard {
    path: PathBuf,
    games: Range<u64>,
}

/// Games of shards that are not complete yet: shard, then place in the shard.
type Pending = BTreeMap<usize, BTreeMap<u64, EncodedChains>>;

impl SelfPlay {
    /// Plays the games of a range, rounded up to whole shards, as far as their shards are not yet in the folder. Stopped by the
    /// signal, it leaves complete shards and a manifest of them.
    ///
    /// # Errors
    ///
    /// When the folder belongs to other rules, a shard in it is damaged, or the disk is full. Shards that are finished stay.
    pub fn run(
        &self,
        folder: &Path,
        games: Range<u64>,
        threads: NonZeroUsize,
        signal: &SearchSignal,
        mut progress: impl FnMut(Progress),
    ) -> Result<Produced, SelfPlayError> {
        fs::create_dir_all(folder).map_err(|source| SelfPlayError::Folder { folder: folder.to_owned(), source })?;
        self.check_recipe(folder)?;
        let shards = self.shards(folder, &games)?;
        let mut files: Vec<Option<ManifestFile>> = Vec::new();
        for shard in &shards {
            files.push(if shard.path.exists() { Some(existing(shard)?) } else { None });
        }
        self.write_manifest(folder, &files)?;
        let missing: Vec<usize> = (0..shards.len()).filter(|&number| files[number].is_none()).collect();
        let todo: Vec<(usize, u64)> =
            missing.iter().flat_map(|&shard| shards[shard].games.clone().map(move |game| (shard, game))).collect();
        let mut played = Progress { wanted_games: todo.len() as u64, ..Progress::default() };
        let mut pending = Pending::new();
        let result = self.play(&todo, threads, signal, |shard, game, chains| {
            played.games += 1;
            played.positions += chains.counts.positions;
            let finished = pending.entry(shard).or_default();
            finished.insert(game, chains);
            let range = &shards[shard].games;
            if finished.len() as u64 == range.end - range.start {
                let games = pending.remove(&shard).unwrap_or_default();
                files[shard] = Some(self.write_shard(&shards[shard].path, games)?);
                self.write_manifest(folder, &files)?;
            }
            progress(played);
            Ok(())
        });
        result?;
        let complete = files.iter().all(Option::is_some);
        let files: Vec<ManifestFile> = files.into_iter().flatten().collect();
        let mut counts = Counts::default();
        files.iter().for_each(|file| counts += file.counts);
        Ok(Produced { files, counts, played, complete })
    }

    /// Has all threads play, and hands the games over in the order in which they finish.
    fn play(
        &self,
        todo: &[(usize, u64)],
        threads: NonZeroUsize,
        signal: &SearchSignal,
        mut take: impl FnMut(usize, u64, EncodedChains) -> Result<(), SelfPlayError>,
    ) -> Result<(), SelfPlayError> {
        let next = AtomicUsize::new(0);
        let (sender, finished) = sync_channel(threads.get());
        // Failing here ends our threads, but not what else listens to the caller's signal.
        let failed = std::sync::atomic::AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..threads.get().min(todo.len()) {
                let sender: SyncSender<_> = sender.clone();
                let (next, failed) = (&next, &failed);
                scope.spawn(move || {
                    let mut player = GamePlayer::new(&self.rules, &self.starts, &self.evaluation, signal);
                    let mut encoder = ChainEncoder::default();
                    while let Some(&(shard, game)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(chain) = player.play(game).filter(|_| !failed.load(Ordering::Relaxed)) else { return };
                        let positions = chain.links.len() as u64;
                        let counts = Counts { chains: 1, positions, samples: positions };
                        // The longest game is far shorter than chains can be, and its moves were found by a search.
                        let Ok(bytes) = encoder.encode(&chain) else { return };
                        let chains = EncodedChains { bytes: bytes.to_vec(), counts };
                        if sender.send((shard, game, chains)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            for (shard, game, chains) in finished {
                if result.is_ok() {
                    result = take(shard, game, chains);
                    failed.store(result.is_err(), Ordering::Relaxed);
                }
            }
            result
        })
    }

    /// The shards of a range of games.
    fn shards(&self, folder: &Path, games: &Range<u64>) -> Result<Vec<Shard>, SelfPlayError> {
        let size = u64::from(self.rules.games_per_shard.max(1));
        if !games.start.is_multiple_of(size) {
            return Err(SelfPlayError::First { first: games.start, per_shard: self.rules.games_per_shard });
        }
        let shard = |number: u64| {
            let first = number * size;
            Shard { path: folder.join(format!("games-{first:09}.kbz")), games: first..first + size }
        };
        Ok((games.start / size..games.end.div_ceil(size)).map(shard).collect())
    }

    fn write_shard(&self, path: &Path, games: BTreeMap<u64, EncodedChains>) -> Result<ManifestFile, SelfPlayError> {
        let unit = format!(
            "centipawns of {} ({}) after {} soft nodes; mates as 32000 less the plies",
            self.player.program, self.player.evaluation, self.rules.soft_nodes
        );
        let description = Description { score_unit: unit, ..Description::default() };
        let mut writer = ShardWriter::create(path, &description)?;
        for chains in games.values() {
            writer.write_encoded(chains)?;
        }
        let counts = writer.counts();
        Ok(ManifestFile { written: writer.finish()?, counts })
    }

    fn recipe(&self) -> serde_json::Value {
        // Numbers and strings always become JSON; null would only be refused later.
        serde_json::to_value(Recipe { rules: &self.rules, player: &self.player }).unwrap_or_default()
    }

    /// Refuses a folder that was begun by other rules.
    fn check_recipe(&self, folder: &Path) -> Result<(), SelfPlayError> {
        let path = folder.join(MANIFEST);
        if !path.exists() {
            return Ok(());
        }
        let (was, is) = (Manifest::read(&path)?.rules, self.recipe());
        let names = is.as_object().into_iter().flat_map(serde_json::Map::keys);
        for name in names {
            if was.get(name) != is.get(name) {
                let text = |value: Option<&serde_json::Value>| value.map_or("unknown".to_owned(), ToString::to_string);
                return Err(SelfPlayError::OtherRules {
                    folder: folder.to_owned(),
                    what: name.clone(),
                    was: text(was.get(name)),
                    is: text(is.get(name)),
                });
            }
        }
        Ok(())
    }

    fn write_manifest(&self, folder: &Path, files: &[Option<ManifestFile>]) -> Result<(), SelfPlayError> {
        let manifest = Manifest {
            version: MANIFEST_VERSION,
            made_by: "selfplay".to_owned(),
            files: files.iter().flatten().cloned().collect(),
            sources: Vec::new(),
            rules: self.recipe(),
            removed: Removals::new(),
        };
        Ok(manifest.write(&folder.join(MANIFEST))?)
    }
}

/// A shard that was finished before.
fn existing(shard: &Shard) -> Result<ManifestFile, SelfPlayError> {
    let refuse = |reason: String| SelfPlayError::Shard {
        shard: shard.path.clone(),
        first: shard.games.start,
        last: shard.games.end - 1,
        reason,
    };
    let index = ShardIndex::read(&shard.path).map_err(|error| refuse(error.to_string()))?;
    let counts = index.counts();
    if index.cut_at.is_some() || counts.chains != shard.games.end - shard.games.start {
        return Err(refuse(format!("it has {} complete games", counts.chains)));
    }
    Ok(ManifestFile { written: WrittenFile::of(&shard.path)?, counts })
}
