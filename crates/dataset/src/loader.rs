//! Batches of feature indices for training, prepared on several threads.
//!
//! Blocks of all shards are taken in a random order, a few at a time; their samples are decoded, filtered and turned into
//! indices by all threads, mixed, and cut into batches. The next blocks are prepared while the current batches are used.
//!
//! **Invariant:** the sequence of batches is a function of shards, features, filter, seed, batch size and the number of blocks that
//! are mixed; threads and timing never show.

mod prepared;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use kiebitz_features::FeatureSet;

use self::prepared::{Prepared, prepare};
use crate::filter::{Filter, Removals};
use crate::seeded::{SeededNumbers, mixed};
use crate::shard::ShardIndex;
use crate::{Counts, DatasetError};

/// How batches are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoaderSettings {
    /// Samples in a batch.
    pub batch: NonZeroUsize,
    /// Decides the order.
    pub seed: u64,
    /// How many blocks are mixed at a time; each holds about a hundred thousand samples of whole games.
    pub mixed_blocks: NonZeroUsize,
    /// How many threads prepare them.
    pub threads: NonZeroUsize,
    /// Which samples are used.
    pub filter: Filter,
}

/// Lists of indices, one a sample, one behind the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SparseRows {
    /// All indices.
    pub indices: Vec<u32>,
    /// Where each sample's indices end.
    pub ends: Vec<u32>,
}

impl SparseRows {
    /// The indices of one sample; none if there is no such sample.
    #[must_use]
    pub fn row(&self, number: usize) -> &[u32] {
        let start = match number {
            0 => 0,
            _ => self.ends.get(number - 1).copied().unwrap_or(0) as usize,
        };
        let end = self.ends.get(number).copied().unwrap_or(0) as usize;
        self.indices.get(start..end).unwrap_or_default()
    }

    fn end_row(&mut self) {
        self.ends.push(self.indices.len() as u32);
    }
}

/// Samples as a trainer takes them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    /// Active features as the side to move sees them.
    pub own: SparseRows,
    /// Active features as the other side sees them.
    pub other: SparseRows,
    /// Scores for the side to move; not a number where there is none.
    pub scores: Vec<f32>,
    /// Points of the side to move, 1, ½ or 0; not a number where the result is unknown.
    pub points: Vec<f32>,
}

impl Batch {
    /// How many samples it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    fn push(&mut self, from: &Prepared, row: usize) {
        for (to, from) in [(&mut self.own, &from.own), (&mut self.other, &from.other)] {
            to.indices.extend_from_slice(from.row(row));
            to.end_row();
        }
        self.scores.push(from.scores[row]);
        self.points.push(from.points[row]);
    }
}

/// An endless sequence of batches, epoch after epoch.
#[derive(Debug)]
pub struct Loader {
    groups: Receiver<Result<Group, DatasetError>>,
    group: Group,
    next: usize,
    batch: usize,
    counts: Counts,
}

/// Blocks that are mixed with each other, and the order of their samples as block and row.
#[derive(Debug, Default)]
struct Group {
    blocks: Vec<Prepared>,
    order: Vec<(u32, u32)>,
    epoch: u64,
    removals: Removals,
}

impl Loader {
    /// Begins to prepare batches of the samples of all shards.
    ///
    /// # Errors
    ///
    /// When a shard cannot be read, or all of them together have no sample.
    pub fn start(shards: &[PathBuf], features: &FeatureSet, settings: &LoaderSettings) -> Result<Self, DatasetError> {
        let mut blocks = Vec::new();
        let mut counts = Counts::default();
        for path in shards {
            let index = ShardIndex::read(path)?;
            counts += index.counts();
            blocks.extend(index.blocks.iter().map(|block| (path.clone(), block.at)));
        }
        if counts.samples == 0 {
            return Err(DatasetError::Empty);
        }
        let (sender, groups) = sync_channel(1);
        let (features, settings, batch) = (features.clone(), settings.clone(), settings.batch.get());
        thread::spawn(move || produce(blocks, &features, &settings, &sender));
        Ok(Self { groups, group: Group::default(), next: 0, batch, counts })
    }

    /// What the shards hold, before the filter.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Which round through all samples the last batch came from, beginning with 0.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.group.epoch
    }

    /// The next batch, always full; it may reach into the next epoch.
    ///
    /// # Errors
    ///
    /// When a block is damaged, or the filter leaves nothing.
    pub fn next_batch(&mut self) -> Result<Batch, DatasetError> {
        let mut batch = Batch::default();
        while batch.len() < self.batch {
            let Some(&(block, row)) = self.group.order.get(self.next) else {
                self.group = self.groups.recv().map_err(|_| DatasetError::Empty)??;
                self.next = 0;
                continue;
            };
            self.next += 1;
            batch.push(&self.group.blocks[block as usize], row as usize);
        }
        Ok(batch)
    }

    /// What the filter has removed from the blocks of the current batches.
    #[must_use]
    pub fn removals(&self) -> &Removals {
        &self.group.removals
    }
}

/// Prepares groups until nobody wants them any more.
fn produce(
    mut blocks: Vec<(PathBuf, u64)>,
    features: &FeatureSet,
    settings: &LoaderSettings,
    sender: &SyncSender<Result<Group, DatasetError>>,
) {
    for epoch in 0.. {
        // Sorted first, so that an epoch's order does not depend on the one before.
        blocks.sort();
        SeededNumbers::new(settings.seed ^ mixed(epoch)).shuffle(&mut blocks);
        let mut samples = 0;
        for (number, chosen) in blocks.chunks(settings.mixed_blocks.get()).enumerate() {
            let seed = mixed(settings.seed ^ mixed(epoch) ^ mixed(number as u64 + 1));
            let group = prepare(chosen, features, &settings.filter, settings.threads).map(|(blocks, removals)| {
                let rows = |(block, prepared): (usize, &Prepared)| {
                    (0..prepared.scores.len()).map(move |row| (block as u32, row as u32))
                };
                let mut order: Vec<_> = blocks.iter().enumerate().flat_map(rows).collect();
                SeededNumbers::new(seed).shuffle(&mut order);
                Group { blocks, order, epoch, removals }
            });
            samples += group.as_ref().map_or(1, |group| group.order.len());
            let failed = group.is_err();
            if sender.send(group).is_err() || failed {
                return;
            }
        }
        // A filter that removes everything would have us search for ever.
        if samples == 0 {
            return;
        }
    }
}
