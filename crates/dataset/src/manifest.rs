//! What a set of files is and where it comes from, in a file beside them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::filter::Removals;
use crate::output_file::OutputFile;
use crate::{Counts, DatasetError, WrittenFile};

/// The version that is written, and the only one that is read.
pub const MANIFEST_VERSION: u32 = 1;

/// One file of a set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Name, size and checksum.
    #[serde(flatten)]
    pub written: WrittenFile,
    /// What it holds.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The record of a set of samples.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// See [`MANIFEST_VERSION`].
    pub version: u32,
    /// What made the files, in words: `import`, `shuffle`.
    pub made_by: String,
    /// The files, beside this one.
    pub files: Vec<ManifestFile>,
    /// Where the samples come from.
    pub sources: Vec<String>,
    /// The rules by which they were chosen.
    pub rules: serde_json::Value,
    /// How many positions were removed, and why.
    pub removed: Removals,
}

impl Manifest {
    /// The name of the manifest of a file: the same with `.json` behind it.
    #[must_use]
    pub fn path_of(file: &Path) -> PathBuf {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".json");
        file.with_file_name(name)
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// When the disk is full.
    pub fn write(&self, path: &Path) -> Result<(), DatasetError> {
        let mut file = OutputFile::create(path)?;
        let text = serde_json::to_string_pretty(self).map_err(|error| file.inexpressible(error))?;
        file.put(text.as_bytes())?;
        file.put(b"\n")?;
        file.finish().map(|_| ())
    }

    /// Reads one.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is something else, or is of another version.
    pub fn read(path: &Path) -> Result<Self, DatasetError> {
        let foreign =
            |reason: String| DatasetError::Foreign { file: path.to_owned(), expected: "a manifest of samples", reason };
        let text = std::fs::read(path).map_err(DatasetError::io(path))?;
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| foreign(error.to_string()))?;
        if manifest.version != MANIFEST_VERSION {
            let version = manifest.version;
            return Err(foreign(format!(
                "it has version {version}, and this program reads version {MANIFEST_VERSION}"
            )));
        }
        Ok(manifest)
    }

    /// Compares the files beside the manifest with what it says of them.
    ///
    /// # Errors
    ///
    /// Names the first file that is missing, or has another size or checksum.
    pub fn verify(&self, manifest: &Path) -> Result<(), DatasetError> {
        for entry in &self.files {
            let path = manifest.with_file_name(&entry.written.file);
            let WrittenFile { bytes, crc32, .. } = WrittenFile::of(&path)?;
            if bytes < entry.written.bytes {
                return Err(DatasetError::Truncated { file: path, at: bytes });
            }
            if bytes > entry.written.bytes || crc32 != entry.written.crc32 {
                return Err(DatasetError::damaged(&path, 0, "it is not the file of which the manifest speaks"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_held_to_their_manifest() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.kbz");
        let mut file = OutputFile::create(&path).unwrap();
        file.put(b"some samples").unwrap();
        let written = file.finish().unwrap();
        let manifest = Manifest {
            version: MANIFEST_VERSION,
            made_by: "test".to_owned(),
            files: vec![ManifestFile { written, counts: Counts { chains: 1, positions: 3, samples: 2 } }],
            sources: vec!["games.pgn".to_owned()],
            rules: serde_json::json!({ "seed": 7 }),
            removed: Removals::new(),
        };
        let place = Manifest::path_of(&path);
        assert!(place.ends_with("samples.kbz.json"));
        manifest.write(&place).unwrap();
        assert_eq!(Manifest::read(&place).unwrap(), manifest);
        manifest.verify(&place).unwrap();
        std::fs::write(&path, b"some sample").unwrap();
        assert!(matches!(manifest.verify(&place), Err(DatasetError::Truncated { at: 11, .. })));
        std::fs::write(&path, b"some Samples").unwrap();
        assert!(matches!(manifest.verify(&place), Err(DatasetError::Damaged { .. })));
        std::fs::remove_file(&path).unwrap();
        assert!(manifest.verify(&place).unwrap_err().to_string().contains("samples.kbz"));
    }
}
