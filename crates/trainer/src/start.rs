//! Where a run begins: with chance, with the weights of another run, or with those of a network file.

use std::fs;
use std::path::{Path, PathBuf};

use kiebitz_compute::Device;
use kiebitz_network::{FloatWeights, NetworkFile, checksum, dequantise};

use crate::checkpoint::{Checkpoint, INDEX};
use crate::error::TrainError;
use crate::initial::initial_weights;
use crate::model::Model;
use crate::parameter::SavedParameter;
use crate::recipe::Recipe;

/// What the weights before the first step are.
pub(crate) enum Start {
    Chance,
    Checkpoint(PathBuf, Box<Checkpoint>),
    Network(Box<NetworkFile>),
}

impl Start {
    pub(crate) fn of(recipe: &Recipe) -> Result<Self, TrainError> {
        let Some(path) = &recipe.training.start else { return Ok(Self::Chance) };
        if path.is_file() {
            let file = NetworkFile::read(path).map_err(|error| TrainError::StartFile { path: path.clone(), error })?;
            if file.header.spec.played() != recipe.network.played() {
                return Err(TrainError::OtherStart(path.clone()));
            }
            return Ok(Self::Network(Box::new(file)));
        }
        let path = newest_checkpoint(path)?;
        let checkpoint = Checkpoint::read(&path)?;
        if checkpoint.recipe.network != recipe.network {
            return Err(TrainError::OtherStart(path));
        }
        Ok(Self::Checkpoint(path, Box::new(checkpoint)))
    }

    /// The weights that a model is made with; those of a checkpoint are [restored](Self::restore) afterwards.
    pub(crate) fn weights(&self, recipe: &Recipe) -> Result<FloatWeights, TrainError> {
        match self {
            Self::Chance | Self::Checkpoint(..) => Ok(initial_weights(&recipe.network, recipe.seed)),
            Self::Network(file) => Ok(dequantise(&recipe.network, &file.weights)?),
        }
    }

    pub(crate) fn restore<D: Device>(&self, model: &mut Model<D>) -> Result<(), TrainError> {
        if let Self::Checkpoint(path, checkpoint) = self {
            let parameters: Vec<_> = checkpoint.parameters.iter().map(SavedParameter::at_rest).collect();
            if !model.restore(&parameters)? {
                return Err(TrainError::OtherStart(path.clone()));
            }
        }
        Ok(())
    }

    /// The recipes of the runs that led here, the last one first; of a network file those that its manifest tells.
    pub(crate) fn begun_with(&self) -> Vec<Recipe> {
        match self {
            Self::Chance => Vec::new(),
            Self::Checkpoint(_, checkpoint) => {
                [vec![checkpoint.recipe.clone()], checkpoint.begun_with.clone()].concat()
            }
            Self::Network(file) => {
                let manifest = &file.header.manifest;
                let earlier = manifest["begun_with"].as_array().map_or(&[][..], Vec::as_slice);
                let recipes = std::iter::once(&manifest["recipe"]).chain(earlier);
                recipes.filter_map(|recipe| serde_json::from_value(recipe.clone()).ok()).collect()
            }
        }
    }
}

/// What decides the weights that a recipe begins with, if it names any: the checksum of the network file, or of the list of parts of the
/// checkpoint.
///
/// # Errors
///
/// When there is nothing where the recipe says, or it cannot be read.
pub fn fingerprint_of_start(recipe: &Recipe) -> Result<Option<String>, TrainError> {
    let Some(start) = &recipe.training.start else { return Ok(None) };
    let path = if start.is_file() { start.clone() } else { newest_checkpoint(start)?.join(INDEX) };
    let bytes = fs::read(&path).map_err(TrainError::io(&path))?;
    Ok(Some(checksum(&bytes)))
}

fn newest_checkpoint(folder: &Path) -> Result<PathBuf, TrainError> {
    Checkpoint::newest(folder)?.ok_or_else(|| TrainError::NoStart(folder.to_owned()))
}
