//! What a run learns from: samples with targets, or triplets.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use kiebitz_compute::CheckedSamples;
use kiebitz_dataset::{Batch, DatasetError, Loader, LoaderSettings};

use crate::error::TrainError;
use crate::recipe::{LossKind, Recipe};
use crate::targets::{samples_of, triplets_of};
use crate::triplet_reader::{TripletLine, TripletReader, positions_of};

/// An endless sequence of steps.
#[derive(Debug)]
pub(crate) enum Source {
    /// Positions with scores and results.
    Samples(Box<Loader>),
    /// Positions with a move played and another one.
    Triplets(TripletReader),
}

/// What a step learns from, before it was made ready for a device.
pub(crate) enum Loaded {
    Samples(Box<Batch>),
    Triplets(Vec<TripletLine>),
}

impl Source {
    /// Begins with a step.
    pub(crate) fn open(
        recipe: &Recipe,
        paths: &[PathBuf],
        threads: NonZeroUsize,
        step: u64,
    ) -> Result<Self, TrainError> {
        let batch = recipe.training.batch;
        if recipe.loss.kind == LossKind::Pqr {
            let files = data_files(paths, "pqr")?;
            return Ok(Self::Triplets(TripletReader::open(&files, recipe.seed, recipe.things(), step)?));
        }
        let settings = LoaderSettings {
            batch: NonZeroUsize::new(batch).unwrap_or(NonZeroUsize::MIN),
            seed: recipe.seed,
            mixed_blocks: NonZeroUsize::new(recipe.data.mixed_blocks).unwrap_or(NonZeroUsize::MIN),
            threads,
            filter: recipe.data.filter.clone(),
        };
        let loader = Loader::start_at(&data_files(paths, "kbz")?, recipe.network.features(), &settings, step)?;
        Ok(Self::Samples(Box::new(loader)))
    }

    /// Positions of a round.
    pub(crate) fn samples(&self) -> u64 {
        match self {
            Self::Samples(loader) => loader.samples(),
            Self::Triplets(reader) => 3 * reader.len() as u64,
        }
    }

    /// Steps that a look at validation samples takes.
    pub(crate) fn validation_steps(&self, recipe: &Recipe) -> u64 {
        recipe.training.validation.min(self.samples()).div_ceil(recipe.training.batch as u64).max(1)
    }

    /// The next step.
    pub(crate) fn next(&mut self) -> Result<Loaded, TrainError> {
        Ok(match self {
            Self::Samples(loader) => Loaded::Samples(Box::new(loader.next_batch()?)),
            Self::Triplets(reader) => Loaded::Triplets(reader.next()),
        })
    }
}

impl Loaded {
    /// As a device takes it; `result_share` of a target is the result.
    pub(crate) fn prepare(&self, recipe: &Recipe, result_share: f64) -> Result<CheckedSamples, TrainError> {
        let spec = &recipe.network;
        Ok(match self {
            Self::Samples(batch) => samples_of(spec, batch, recipe.loss.score_scale as f32, result_share as f32)?,
            Self::Triplets(lines) => triplets_of(spec, &positions_of(spec, lines)?)?,
        })
    }

    /// Its positions; those of a triplet stand one behind the other.
    pub(crate) fn positions(self, recipe: &Recipe) -> Result<Batch, TrainError> {
        match self {
            Self::Samples(batch) => Ok(*batch),
            Self::Triplets(lines) => positions_of(&recipe.network, &lines),
        }
    }
}

/// Files named directly, and all files of folders with an ending, as a recipe's data are read.
///
/// # Errors
///
/// When one does not exist, or there is none at all.
pub fn data_files(paths: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>, TrainError> {
    let mut found = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(TrainError::MissingData(path.clone()));
        }
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(TrainError::io(path))? {
            let file = entry.map_err(TrainError::io(path))?.path();
            if file.extension().is_some_and(|extension| extension == ending) {
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
