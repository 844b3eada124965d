//! Which samples belong to which step.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::LoaderSettings;
use super::group::{Deal, visit};
use crate::filter::{Filter, Removals};
use crate::seeded::{SeededNumbers, mixed};
use crate::shard::ShardIndex;
use crate::{Counts, DatasetError};

/// Where a block is, and what the filter leaves of it.
#[derive(Clone, Debug)]
pub(super) struct BlockPlace {
    pub(super) shard: Arc<PathBuf>,
    pub(super) at: u64,
    pub(super) kept: u64,
}

/// The order of everything.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) blocks: Vec<BlockPlace>,
    pub(super) counts: Counts,
    pub(super) removals: Removals,
    batch: u64,
    seed: u64,
    mixed_blocks: usize,
    samples: u64,
    /// The epochs that were asked for last.
    epochs: Mutex<Vec<Arc<Epoch>>>,
}

/// The order of the blocks in one epoch.
#[derive(Debug)]
struct Epoch {
    number: u64,
    order: Vec<u32>,
    /// Where each group begins, counted in samples of the epoch, and where the last one ends.
    begins: Vec<u64>,
}

/// One group of one epoch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GroupPlan {
    /// Counted over all epochs.
    pub(super) number: u64,
    /// Its blocks, by their numbers in the plan.
    pub(super) blocks: Vec<u32>,
    /// The place of its samples in the endless sequence.
    pub(super) samples: Range<u64>,
    /// Decides the order of its samples.
    pub(super) seed: u64,
}

/// Epochs that are remembered: a small batch may look at several in turn.
const REMEMBERED_EPOCHS: usize = 3;

impl Plan {
    pub(super) fn new(shards: &[PathBuf], settings: &LoaderSettings) -> Result<Self, DatasetError> {
        let mut blocks = Vec::new();
        let mut counts = Counts::default();
        for path in shards {
            let index = ShardIndex::read(path)?;
            if let Some(at) = index.cut_at {
                return Err(DatasetError::Incomplete { file: path.clone(), at });
            }
            counts += index.counts();
            let shard = Arc::new(path.clone());
            let place = |block: &crate::BlockEntry| BlockPlace {
                shard: Arc::clone(&shard),
                at: block.at,
                kept: block.counts.samples,
            };
            blocks.extend(index.blocks.iter().map(place));
        }
        // The order in which shards are named is not to matter.
        blocks.sort_by(|one, other| (&one.shard, one.at).cmp(&(&other.shard, other.at)));
        let mut removals = Removals::new();
        if settings.filter != Filter::default() {
            removals = count(&mut blocks, &settings.filter, settings.threads.get())?;
        }
        let samples = blocks.iter().map(|block| block.kept).sum();
        if samples == 0 {
            return Err(DatasetError::Empty);
        }
        Ok(Self {
            blocks,
            counts,
            removals,
            batch: settings.batch.get() as u64,
            seed: settings.seed,
            mixed_blocks: settings.mixed_blocks.get(),
            samples,
            epochs: Mutex::new(Vec::new()),
        })
    }

    /// Samples of an epoch; at least one.
    pub(super) fn samples(&self) -> u64 {
        self.samples
    }

    /// Deals the samples of a group to its steps.
    pub(super) fn deal(&self, group: &GroupPlan) -> Deal {
        Deal::new(group, group.blocks.iter().map(|&block| self.blocks[block as usize].kept), self.batch)
    }

    /// Which of the steps of a group this one is.
    pub(super) fn slot(&self, group: &GroupPlan, step: u64) -> usize {
        step.saturating_sub(group.samples.start / self.batch) as usize
    }

    /// The samples of a step, as places in the endless sequence.
    pub(super) fn samples_of(&self, step: u64) -> Range<u64> {
        step.saturating_mul(self.batch)..step.saturating_add(1).saturating_mul(self.batch)
    }

    /// The epoch of the last sample before a step.
    pub(super) fn epoch_before(&self, step: u64) -> u64 {
        self.samples_of(step).start.saturating_sub(1) / self.samples
    }

    fn groups_per_epoch(&self) -> u64 {
        self.blocks.len().div_ceil(self.mixed_blocks) as u64
    }

    /// The number of the group that a sample of the endless sequence is in.
    pub(super) fn group_of(&self, sample: u64) -> u64 {
        let epoch = self.epoch(sample / self.samples);
        let within = sample % self.samples;
        // Groups that the filter leaves empty begin where the next one does, and are passed over.
        let group = epoch.begins.partition_point(|&begin| begin <= within) as u64 - 1;
        epoch.number * self.groups_per_epoch() + group
    }

    /// A group.
    pub(super) fn group(&self, number: u64) -> GroupPlan {
        let (epoch, group) = (self.epoch(number / self.groups_per_epoch()), number % self.groups_per_epoch());
        let first = epoch.number * self.samples;
        let blocks = epoch.order.chunks(self.mixed_blocks).nth(group as usize).unwrap_or_default().to_vec();
        let begin = |group: u64| first + epoch.begins.get(group as usize).copied().unwrap_or(self.samples);
        let seed = mixed(self.seed ^ mixed(epoch.number) ^ mixed(group + 1));
        GroupPlan { number, blocks, samples: begin(group)..begin(group + 1), seed }
    }

    fn epoch(&self, number: u64) -> Arc<Epoch> {
        let mut epochs = self.epochs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(epoch) = epochs.iter().find(|epoch| epoch.number == number) {
            return Arc::clone(epoch);
        }
        let mut order: Vec<u32> = (0..self.blocks.len() as u32).collect();
        SeededNumbers::new(self.seed ^ mixed(number)).shuffle(&mut order);
        let mut begins = vec![0];
        let mut end = 0;
        for group in order.chunks(self.mixed_blocks) {
            end += group.iter().map(|&block| self.blocks[block as usize].kept).sum::<u64>();
            begins.push(end);
        }
        let epoch = Arc::new(Epoch { number, order, begins });
        if epochs.len() == REMEMBERED_EPOCHS {
            epochs.remove(0);
        }
        epochs.push(Arc::clone(&epoch));
        epoch
    }
}

/// Counts what the filter leaves of every block.
fn count(blocks: &mut [BlockPlace], filter: &Filter, threads: usize) -> Result<Removals, DatasetError> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(blocks.len()));
    let places: &[BlockPlace] = blocks;
    thread::scope(|scope| {
        for _ in 0..threads.min(places.len()) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(place) = places.get(number) else { break };
                    let mut kept = 0;
                    let removals = visit(place, filter, |_| kept += 1);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((number, kept, removals));
                }
            });
        }
    });
    let mut all = Removals::new();
    for (number, kept, removals) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        for (reason, count) in removals? {
            *all.entry(reason).or_default() += count;
        }
        blocks[number].kept = kept;
    }
    Ok(all)
}
