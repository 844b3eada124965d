//! A run's state in files that travel: parts of at most 15 MB and a list of them.
//!
//! A checkpoint is a folder `step-N` that appears complete: `checkpoint.json` names recipe, step and parts with their
//! checksums; the parts joined are all numbers of all parameters, little-endian, values, momentum and variance in turn.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kiebitz_network::checksum;
use serde::{Deserialize, Serialize};

use crate::data_record::DataRecord;
use crate::error::TrainError;
use crate::parameter::SavedParameter;
use crate::recipe::Recipe;
use crate::whole_file::{sync_folder, write_synced};

/// The largest part.
const PART_BYTES: usize = 15_000_000;

/// The list of parts.
pub(crate) const INDEX: &str = "checkpoint.json";

/// How the names of folders begin that are not finished, or no checkpoints any more.
const UNFINISHED: &str = ".step-";

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

/// Its version alone, which is to be known before the rest.
#[derive(Deserialize)]
struct Version {
    version: u32,
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

/// A folder and the checkpoint in it.
pub(crate) type Placed = (PathBuf, Checkpoint);

impl Checkpoint {
    /// The newest checkpoint in a folder of checkpoints, if there is one.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn newest(folder: &Path) -> Result<Option<PathBuf>, TrainError> {
        Ok(Self::all(folder)?.pop().map(|(_, path)| path))
    }

    /// The newest checkpoint of a folder that is whole, with its place, and what is wrong with newer ones.
    ///
    /// # Errors
    ///
    /// When there are checkpoints and none of them is whole, or one cannot be read for other reasons.
    pub(crate) fn newest_whole(folder: &Path) -> Result<(Option<Placed>, Vec<TrainError>), TrainError> {
        let mut damaged = Vec::new();
        for (_, path) in Self::all(folder)?.into_iter().rev() {
            match Self::read(&path) {
                Ok(checkpoint) => return Ok((Some((path, checkpoint)), damaged)),
                Err(error @ TrainError::Checkpoint { .. }) => damaged.push(error),
                Err(error) => return Err(error),
            }
        }
        match damaged.into_iter().next() {
            Some(newest) => Err(newest),
            None => Ok((None, Vec::new())),
        }
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

    /// Writes a checkpoint into a folder of checkpoints and removes all but the newest two. The folder must be nobody else's.
    ///
    /// # Errors
    ///
    /// When the disk is full; older checkpoints stay as they are.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, TrainError> {
        let place = folder.join(format!("step-{}", self.step));
        // A run that is stopped where it has just been saved has nothing to add, and could only lose what lies there.
        if Self::read(&place).is_ok_and(|there| there.is_same_state(self)) {
            return Ok(place);
        }
        let temporary = folder.join(format!("{UNFINISHED}{}.part", self.step));
        remove(&temporary)?;
        fs::create_dir_all(&temporary).map_err(TrainError::io(&temporary))?;
        self.write_files(&temporary)?;
        sync_folder(&temporary);
        let damaged = folder.join(format!("{UNFINISHED}{}.damaged", self.step));
        remove(&damaged)?;
        if place.exists() {
            fs::rename(&place, &damaged).map_err(TrainError::io(&place))?;
        }
        fs::rename(&temporary, &place).map_err(TrainError::io(&place))?;
        sync_folder(folder);
        let mut all = Self::all(folder)?;
        all.truncate(all.len().saturating_sub(2));
        for (_, old) in all {
            remove(&old)?;
        }
        Self::remove_unfinished(folder)?;
        Ok(place)
    }

    /// Whether this is the state of the same run after the same steps; older checkpoints of it may not say what it has learned from.
    fn is_same_state(&self, other: &Self) -> bool {
        let Self { recipe, step, begun_with, data: _, parameters } = self;
        (recipe, step, begun_with, parameters) == (&other.recipe, &other.step, &other.begun_with, &other.parameters)
    }

    /// Parts and their list.
    fn write_files(&self, folder: &Path) -> Result<(), TrainError> {
        let mut bytes = Vec::new();
        for parameter in &self.parameters {
            for list in [&parameter.values, &parameter.momentum, &parameter.variance] {
                bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        let mut parts = Vec::new();
        for (number, part) in bytes.chunks(PART_BYTES).enumerate() {
            let name = format!("part-{number:03}");
            write_synced(&folder.join(&name), part)?;
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
        let path = folder.join(INDEX);
        let text = serde_json::to_string_pretty(&index)
            .map_err(|error| TrainError::Io { path: path.clone(), error: std::io::Error::other(error) })?;
        write_synced(&path, text.as_bytes())
    }

    /// Removes what programs that were killed have left behind.
    fn remove_unfinished(folder: &Path) -> Result<(), TrainError> {
        for entry in fs::read_dir(folder).map_err(TrainError::io(folder))? {
            let entry = entry.map_err(TrainError::io(folder))?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    ///
    /// When a part is missing or damaged.
    pub fn read(place: &Path) -> Result<Self, TrainError> {
        let broken = |reason: String| TrainError::Checkpoint { path: place.to_owned(), reason };
        // A file that is not there was lost; one that cannot be read may be whole.
        let read = |name: &str| {
            let path = place.join(name);
            fs::read(&path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => broken(format!("{name} is missing")),
                _ => TrainError::Io { path, error },
            })
        };
        let text = read(INDEX)?;
        let damaged = |error: serde_json::Error| broken(format!("{INDEX}: {error}"));
        let Version { version } = serde_json::from_slice(&text).map_err(damaged)?;
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(TrainError::UnknownVersion { path: place.to_owned(), version });
        }
        let index: Index = serde_json::from_slice(&text).map_err(damaged)?;
        let mut bytes = Vec::new();
        for (name, expected) in &index.parts {
            if name.contains(['/', '\\']) {
                return Err(broken(format!("a part is named {name}")));
            }
            let part = read(name)?;
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

/// Removes a folder if it is there.
fn remove(folder: &Path) -> Result<(), TrainError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(TrainError::io(folder)(error)),
        _ => Ok(()),
    }
}
