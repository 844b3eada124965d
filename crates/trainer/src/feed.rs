//! Batches prepared ahead of the device.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use kiebitz_compute::CheckedSamples;
use kiebitz_dataset::{Batch, DatasetError, Loader, LoaderSettings};

use crate::error::TrainError;
use crate::recipe::Recipe;
use crate::schedule::Schedule;
use crate::targets::samples_of;

/// Threads that turn loaded batches into samples.
const MOST_PREPARERS: usize = 4;

/// Shards named directly, and all `.kbz` files of folders.
fn shards(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TrainError> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(TrainError::io(path))? {
            let file = entry.map_err(TrainError::io(path))?.path();
            if file.extension().is_some_and(|extension| extension == "kbz") {
                inside.push(file);
            }
        }
        inside.sort();
        found.append(&mut inside);
    }
    if found.is_empty() {
        return Err(DatasetError::Empty.into());
    }
    Ok(found)
}

pub(crate) fn loader(
    recipe: &Recipe,
    paths: &[PathBuf],
    threads: NonZeroUsize,
    step: u64,
) -> Result<Loader, TrainError> {
    let settings = LoaderSettings {
        batch: NonZeroUsize::new(recipe.training.batch).unwrap_or(NonZeroUsize::MIN),
        seed: recipe.seed,
        mixed_blocks: NonZeroUsize::new(recipe.data.mixed_blocks).unwrap_or(NonZeroUsize::MIN),
        threads,
        filter: recipe.data.filter.clone(),
    };
    Ok(Loader::start_at(&shards(paths)?, recipe.network.features(), &settings, step)?)
}

/// Batches prepared ahead of the device: one thread takes them from the loader, some turn them into samples by turns.
#[derive(Debug)]
pub struct Feed {
    /// Batch number n comes from preparer n modulo their number.
    prepared: Vec<Receiver<Result<CheckedSamples, TrainError>>>,
    samples: u64,
}

impl Feed {
    /// Begins with the batch of a step.
    ///
    /// # Errors
    ///
    /// When a shard cannot be read.
    pub fn start(recipe: &Recipe, schedule: &Schedule, threads: NonZeroUsize, first: u64) -> Result<Self, TrainError> {
        let mut loader = loader(recipe, &recipe.data.train, threads, first)?;
        let (samples, steps) = (loader.samples(), recipe.steps());
        let preparers = threads.get().min(MOST_PREPARERS) as u64;
        let (mut loaded, mut prepared) = (Vec::new(), Vec::new());
        for _ in 0..preparers {
            let (sender, batches) = sync_channel::<(u64, Result<Batch, DatasetError>)>(1);
            let (ready, receiver) = sync_channel(1);
            let (spec, scale, schedule) = (recipe.network.clone(), recipe.loss.score_scale as f32, schedule.clone());
            thread::spawn(move || {
                for (step, batch) in batches {
                    let share = schedule.result_share(step) as f32;
                    let samples =
                        batch.map_err(TrainError::from).and_then(|batch| Ok(samples_of(&spec, &batch, scale, share)?));
                    if ready.send(samples).is_err() {
                        return;
                    }
                }
            });
            loaded.push(sender);
            prepared.push(receiver);
        }
        thread::spawn(move || {
            for step in first..steps {
                let batch = loader.next_batch();
                let failed = batch.is_err();
                if loaded[(step % preparers) as usize].send((step, batch)).is_err() || failed {
                    return;
                }
            }
        });
        Ok(Self { prepared, samples })
    }

    /// Samples of an epoch, after the filter.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The batch of a step; steps have to be asked for one after the other.
    ///
    /// # Errors
    ///
    /// When a shard is damaged.
    pub fn next(&self, step: u64) -> Result<CheckedSamples, TrainError> {
        let preparer = &self.prepared[(step % self.prepared.len() as u64) as usize];
        preparer.recv().map_err(|_| DatasetError::Empty)?
    }
}
