//! Batches of feature indices for training, prepared on several threads.
//!
//! ```text
//! shards ──▶ blocks in random order ──▶ groups of blocks ──▶ samples of a group dealt to steps at random ──▶ batches
//! ```
//!
//! Every epoch draws a new order of all blocks; some of them at a time form a group, whose samples are mixed: chance decides to
//! which step a sample belongs, not its place within the batch. The groups of all epochs follow each other, and steps are equal
//! pieces of that sequence. How many samples of each block the filter leaves is
//! counted before the first batch, so that any step can be begun with directly. Two groups are in memory at a time, and a third
//! while its last batches are made: the threads decode blocks of the next one when no batch is due.
//!
//! **Invariant:** the batch of a step is a function of shards, features, filter, seed, batch size, the number of blocks that
//! are mixed, and the step; threads, timing and the step at which a loader began never show.

mod batch;
mod group;
mod plan;
mod workshop;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use kiebitz_features::FeatureSet;

pub use self::batch::{Batch, SparseRows};
use self::plan::Plan;
use self::workshop::Workshop;
use crate::filter::{Filter, Removals};
use crate::{Counts, DatasetError};

/// How batches are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoaderSettings {
    /// Samples in a batch.
    pub batch: NonZeroUsize,
    /// Decides the order.
    pub seed: u64,
    /// How many blocks are mixed at a time; each holds about a hundred thousand samples of whole games, and takes 100 bytes a
    /// sample while it is in memory, more with sets of over 65 536 features.
    pub mixed_blocks: NonZeroUsize,
    /// How many threads prepare them.
    pub threads: NonZeroUsize,
    /// Which samples are used.
    pub filter: Filter,
}

/// An endless sequence of batches, epoch after epoch.
///
/// ```no_run
/// # use std::num::NonZeroUsize;
/// # use kiebitz_dataset::{DatasetError, Filter, Loader, LoaderSettings};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let number = |value| NonZeroUsize::new(value).unwrap_or(NonZeroUsize::MIN);
/// let settings = LoaderSettings {
///     batch: number(16_384),
///     seed: 7,
///     mixed_blocks: number(32),
///     threads: number(16),
///     filter: Filter { no_check: true, ..Filter::default() },
/// };
/// let features = kiebitz_features::FeatureSet::parse("halfkp")?;
/// // Training that was interrupted after 5000 steps goes on with the very batch that would have come next.
/// let mut loader = Loader::start_at(&["games.kbz".into()], &features, &settings, 5_000)?;
/// let batch = loader.next_batch()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Loader {
    workshop: Arc<Workshop>,
    threads: Vec<JoinHandle<()>>,
    /// The step of the next batch.
    step: u64,
}

impl Loader {
    /// Begins to prepare batches of the samples of all shards.
    ///
    /// # Errors
    ///
    /// As [`Self::start_at`].
    pub fn start(shards: &[PathBuf], features: &FeatureSet, settings: &LoaderSettings) -> Result<Self, DatasetError> {
        Self::start_at(shards, features, settings, 0)
    }

    /// Begins with the batch of a step, as if all before had been taken. A filter has all samples looked at once before; without
    /// one this takes no time.
    ///
    /// # Errors
    ///
    /// When a shard cannot be read or is cut off, or the filter leaves no sample.
    pub fn start_at(
        shards: &[PathBuf],
        features: &FeatureSet,
        settings: &LoaderSettings,
        step: u64,
    ) -> Result<Self, DatasetError> {
        let plan = Plan::new(shards, settings)?;
        let workshop = Arc::new(Workshop::new(plan, features.clone(), settings.filter.clone(), settings.threads, step));
        let work = |_| {
            let workshop = Arc::clone(&workshop);
            thread::spawn(move || workshop.work())
        };
        let threads = (0..settings.threads.get()).map(work).collect();
        Ok(Self { workshop, threads, step })
    }

    /// What the shards hold, before the filter.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.workshop.plan.counts
    }

    /// The samples of an epoch: what the filter leaves.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.workshop.plan.samples()
    }

    /// The step of the next batch.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Which round through all samples the last batch ended in, beginning with 0.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.workshop.plan.epoch_before(self.step)
    }

    /// What the filter removes in every epoch.
    #[must_use]
    pub fn removals(&self) -> &Removals {
        &self.workshop.plan.removals
    }

    /// The next batch, always full; it may reach into the next epoch.
    ///
    /// # Errors
    ///
    /// When a block is damaged; afterwards there are no more batches.
    pub fn next_batch(&mut self) -> Result<Batch, DatasetError> {
        let batch = self.workshop.take(self.step)?;
        self.step += 1;
        Ok(batch)
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.workshop.close();
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}
