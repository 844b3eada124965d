//! Which samples a run learns from, as its checkpoints and its network remember them.
//!
//! Recipes name paths, and a folder may hold other files tomorrow. Names, sizes, counts and checksums of the files tell whether
//! the samples are still the same. Shards carry a checksum in the header of every block, so that nothing else of them is read.

use std::path::{Path, PathBuf};

use kiebitz_dataset::ShardIndex;
use kiebitz_network::checksum;
use serde::{Deserialize, Serialize};

use crate::error::TrainError;
use crate::recipe::{LossKind, Recipe};
use crate::source::data_files;

/// A file of samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Its name, without its folder.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Samples in it before the filter, or triplets.
    pub samples: u64,
    /// The SHA-256 of the checksums of its blocks; of triplets that of all bytes.
    pub checksum: String,
}

/// The files of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecord {
    /// What is learned from.
    pub train: Vec<DataFile>,
    /// What the network is judged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<DataFile>,
}

impl DataRecord {
    /// The files that a recipe names, as they are now.
    ///
    /// # Errors
    ///
    /// When one does not exist or cannot be read.
    pub fn of(recipe: &Recipe) -> Result<Self, TrainError> {
        let kind = recipe.loss.kind;
        let validation = &recipe.data.validation;
        Ok(Self {
            train: files(&recipe.data.train, kind)?,
            validation: if validation.is_empty() { Vec::new() } else { files(validation, kind)? },
        })
    }

    /// Where `now` differs first, in words; nothing if the samples are the same.
    #[must_use]
    pub fn difference(&self, now: &Self) -> Option<String> {
        difference(&self.train, &now.train).or_else(|| difference(&self.validation, &now.validation))
    }
}

fn files(paths: &[PathBuf], kind: LossKind) -> Result<Vec<DataFile>, TrainError> {
    match kind {
        LossKind::Value => data_files(paths, "kbz")?.iter().map(|path| shard(path)).collect(),
        LossKind::Pqr => data_files(paths, "pqr")?.iter().map(|path| triplets(path)).collect(),
    }
}

fn shard(path: &Path) -> Result<DataFile, TrainError> {
    let index = ShardIndex::read(path)?;
    let sums: Vec<u8> = index.blocks.iter().flat_map(|block| block.checksum.to_le_bytes()).collect();
    let bytes = std::fs::metadata(path).map_err(TrainError::io(path))?.len();
    Ok(DataFile { file: name(path), bytes, samples: index.counts().samples, checksum: checksum(&sums) })
}

fn triplets(path: &Path) -> Result<DataFile, TrainError> {
    let text = std::fs::read(path).map_err(TrainError::io(path))?;
    let samples = text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() as u64;
    Ok(DataFile { file: name(path), bytes: text.len() as u64, samples, checksum: checksum(&text) })
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn difference(before: &[DataFile], now: &[DataFile]) -> Option<String> {
    let is_named = |files: &[DataFile], wanted: &DataFile| files.iter().any(|file| file.file == wanted.file);
    if let Some(gone) = before.iter().find(|file| !is_named(now, file)) {
        return Some(format!("{} is missing", gone.file));
    }
    if let Some(new) = now.iter().find(|file| !is_named(before, file)) {
        return Some(format!("{} was not among them", new.file));
    }
    // Files of one name may lie in several folders; then their order tells them apart.
    let changed = before.iter().zip(now).find(|(before, now)| before != now);
    let changed = changed.map(|(before, now)| match (before.bytes, before.samples) == (now.bytes, now.samples) {
        true => format!("{} has other contents", now.file),
        false => format!(
            "{} has {} bytes with {} samples instead of {} with {}",
            now.file, now.bytes, now.samples, before.bytes, before.samples
        ),
    });
    changed.or_else(|| {
        (before.len() != now.len()).then(|| format!("there are {} files instead of {}", now.len(), before.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(files: &[(&str, u64, &str)]) -> DataRecord {
        let file = |&(name, bytes, sum): &(&str, u64, &str)| DataFile {
            file: name.to_owned(),
            bytes,
            samples: bytes / 2,
            checksum: sum.to_owned(),
        };
        DataRecord { train: files.iter().map(file).collect(), validation: Vec::new() }
    }

    #[test]
    fn a_difference_names_its_file() {
        let before = record(&[("a.kbz", 10, "x"), ("b.kbz", 20, "y")]);
        assert_eq!(before.difference(&before), None);
        for (now, words) in [
            (record(&[("a.kbz", 10, "x")]), "b.kbz is missing"),
            (record(&[("a.kbz", 10, "x"), ("b.kbz", 20, "y"), ("c.kbz", 2, "z")]), "c.kbz was not among them"),
            (record(&[("a.kbz", 10, "x"), ("b.kbz", 20, "z")]), "b.kbz has other contents"),
            (
                record(&[("a.kbz", 12, "x"), ("b.kbz", 20, "y")]),
                "a.kbz has 12 bytes with 6 samples instead of 10 with 5",
            ),
            (record(&[("a.kbz", 10, "x"), ("b.kbz", 20, "y"), ("b.kbz", 20, "y")]), "there are 3 files instead of 2"),
        ] {
            assert_eq!(before.difference(&now).as_deref(), Some(words));
        }
        let validation = DataRecord { validation: before.train.clone(), ..before.clone() };
        assert_eq!(before.difference(&validation).as_deref(), Some("a.kbz was not among them"));
    }
}
