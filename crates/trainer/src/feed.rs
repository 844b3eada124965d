//! Batches prepared ahead of the device.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use kiebitz_compute::CheckedSamples;
use kiebitz_dataset::DatasetError;

use crate::error::TrainError;
use crate::recipe::Recipe;
use crate::schedule::Schedule;
use crate::source::{Loaded, Source};

/// Threads that turn loaded batches into samples.
const MOST_PREPARERS: usize = 4;

/// Batches prepared ahead of the device: one thread takes them from their source, some turn them into samples by turns.
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
    /// When a file of samples cannot be read.
    pub fn start(recipe: &Recipe, schedule: &Schedule, threads: NonZeroUsize, first: u64) -> Result<Self, TrainError> {
        let mut source = Source::open(recipe, &recipe.data.train, threads, first)?;
        let (samples, steps) = (source.samples(), recipe.steps());
        let preparers = threads.get().min(MOST_PREPARERS) as u64;
        let (mut loaded, mut prepared) = (Vec::new(), Vec::new());
        for _ in 0..preparers {
            let (sender, batches) = sync_channel::<(u64, Result<Loaded, TrainError>)>(1);
            let (ready, receiver) = sync_channel(1);
            let (recipe, schedule) = (recipe.clone(), schedule.clone());
            thread::spawn(move || {
                for (step, batch) in batches {
                    let samples = batch.and_then(|batch| batch.prepare(&recipe, schedule.result_share(step)));
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
                let batch = source.next();
                let failed = batch.is_err();
                if loaded[(step % preparers) as usize].send((step, batch)).is_err() || failed {
                    return;
                }
            }
        });
        Ok(Self { prepared, samples })
    }

    /// Positions of an epoch of the data, after the filter.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The batch of a step; steps have to be asked for one after the other.
    ///
    /// # Errors
    ///
    /// When a file of samples is damaged.
    pub fn next(&self, step: u64) -> Result<CheckedSamples, TrainError> {
        let preparer = &self.prepared[(step % self.prepared.len() as u64) as usize];
        preparer.recv().map_err(|_| DatasetError::Empty)?
    }
}
