//! A run's state in files that travel: parts of at most 15 MB and a list of them.
//!
//! A checkpoint is a folder `step-N` that appears complete: `checkpoint.json` names recipe, step and parts with their
//! checksums; the parts joined are all numbers of all parameters, little-endian, values, momentum and variance in turn.

use std::fs;
use std::path::{Path, PathBuf};

use kiebitz_network::checksum;
use serde::{Deserialize, Serialize};

use crate::data_record::DataRecord;
use crate::error::TrainError;
use crate::parameter::SavedParameter;
use crate::recipe::Recipe;

/// The largest part.
const PART_BYTES: usize = 15_000_000;

/// The list of parts.
const INDEX: &str = "checkpoint.json";

/// What stands in `checkpoint.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    version: u32,
    recipe: Recipe,
    step: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    begun_with: Vec<Recipe>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<DataRecord>,
    parameters: Vec<(String, usize)>,
    parts: Vec<(String, String)>,
}

/// The version that is written.
const VERSION: u32 = 2;

/// The oldest version that is read; it says nothing about data.
const OLDEST_VERSION: u32 = 1;

/// The state of a run after some steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The recipe of the run.
    pub recipe: Recipe,
    /// Steps done.
    pub step: u64,
    /// The recipes of the runs that this one goes on from, the last one first.
    pub begun_with: Vec<Recipe>,
    /// What was learned from; checkpoints of older versions do not say it.
    pub data: Option<DataRecord>,
    pub(crate) parameters: Vec<SavedParameter>,
}

impl Checkpoint {
    /// The newest checkpoint in a folder of checkpoints, if there is one.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn newest(folder: &Path) -> Result<Option<PathBuf>, TrainError> {
        Ok(Self::all(folder)?.pop().map(|(_, path)| path))
    }

    /// What decides the weights that a recipe begins with, if it begins with those of another run: the checksum of the list of parts of the
    /// checkpoint that it takes.
    ///
    /// # Errors
    ///
    /// When there is no checkpoint where the recipe says, or its list cannot be read.
    pub fn fingerprint_of_start(recipe: &Recipe) -> Result<Option<String>, TrainError> {
        let Some(folder) = &recipe.training.start else { return Ok(None) };
        let path = Self::newest(folder)?.ok_or_else(|| TrainError::NoStart(folder.clone()))?.join(INDEX);
        let text = fs::read(&path).map_err(TrainError::io(&path))?;
        Ok(Some(checksum(&text)))
    }

    /// All checkpoints of a folder by their steps.
    fn all(folder: &Path) -> Result<Vec<(u64, PathBuf)>, TrainError> {
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(TrainError::io(folder))? {
            let path = entry.map_err(TrainError::io(folder))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(step) = name.strip_prefix("step-").and_then(|step| step.parse::<u64>().ok()) {
                found.push((step, path));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Writes a checkpoint into a folder of checkpoints and removes all but the newest two.
    ///
    /// # Errors
    ///
    /// When the disk is full; older checkpoints stay as they are.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, TrainError> {
        let place = folder.join(format!("step-{}", self.step));
        let temporary = folder.join(format!(".step-{}.{}.part", self.step, std::process::id()));
        if temporary.exists() {
            fs::remove_dir_all(&temporary).map_err(TrainError::io(&temporary))?;
        }
        fs::create_dir_all(&temporary).map_err(TrainError::io(&temporary))?;
        let mut bytes = Vec::new();
        for parameter in &self.parameters {
            for list in [&parameter.values, &parameter.momentum, &parameter.variance] {
                bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        let mut parts = Vec::new();
        for (number, part) in bytes.chunks(PART_BYTES).enumerate() {
            let name = format!("part-{number:03}");
            let path = temporary.join(&name);
            fs::write(&path, part).map_err(TrainError::io(&path))?;
            parts.push((name, checksum(part)));
        }
        let index = Index {
            version: VERSION,
            recipe: self.recipe.clone(),
            step: self.step,
            begun_with: self.begun_with.clone(),
            data: self.data.clone(),
            parameters: self.parameters.iter().map(|saved| (saved.name.clone(), saved.values.len())).collect(),
            parts,
        };
        let path = temporary.join(INDEX);
        let text = serde_json::to_string_pretty(&index)
            .map_err(|error| TrainError::Checkpoint { path: path.clone(), reason: error.to_string() })?;
        fs::write(&path, text).map_err(TrainError::io(&path))?;
        if place.exists() {
            fs::remove_dir_all(&place).map_err(TrainError::io(&place))?;
        }
        fs::rename(&temporary, &place).map_err(TrainError::io(&place))?;
        let mut all = Self::all(folder)?;
        all.truncate(all.len().saturating_sub(2));
        for (_, old) in all {
            fs::remove_dir_all(&old).map_err(TrainError::io(&old))?;
        }
        Ok(place)
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    ///
    /// When a part is missing or damaged.
    pub fn read(place: &Path) -> Result<Self, TrainError> {
        let broken = |reason: String| TrainError::Checkpoint { path: place.to_owned(), reason };
        let path = place.join(INDEX);
        let text = fs::read(&path).map_err(TrainError::io(&path))?;
        let index: Index = serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
        if !(OLDEST_VERSION..=VERSION).contains(&index.version) {
            let version = index.version;
            return Err(broken(format!(
                "it has version {version}, and this program reads versions {OLDEST_VERSION} to {VERSION}"
            )));
        }
        let mut bytes = Vec::new();
        for (name, expected) in &index.parts {
            if name.contains(['/', '\\']) {
                return Err(broken(format!("a part is named {name}")));
            }
            let path = place.join(name);
            let part = fs::read(&path).map_err(TrainError::io(&path))?;
            if checksum(&part) != *expected {
                return Err(broken(format!("{name} is damaged: its checksum is not that of the list")));
            }
            bytes.extend(part);
        }
        let needed: usize = index.parameters.iter().map(|(_, length)| 12 * length).sum();
        if bytes.len() != needed {
            return Err(broken(format!("it has {} bytes, {needed} are needed", bytes.len())));
        }
        let mut numbers =
            bytes.chunks_exact(4).map(|chunk| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]));
        let mut parameters = Vec::new();
        for (name, length) in index.parameters {
            let mut list = || numbers.by_ref().take(length).collect::<Vec<f32>>();
            parameters.push(SavedParameter { name, values: list(), momentum: list(), variance: list() });
        }
        let Index { recipe, step, begun_with, data, .. } = index;
        Ok(Self { recipe, step, begun_with, data, parameters })
    }
}
