//! A file that appears under its name only once it is complete.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::DatasetError;

/// Buffered bytes before the system is asked.
const BUFFER: usize = 1 << 18;

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrittenFile {
    /// The file's name, without its folder.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// The CRC-32 of all its bytes, in hexadecimal.
    pub crc32: String,
}

/// Grows beside its final name; [`Self::finish`] moves it there.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    unfinished: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
    hasher: crc32fast::Hasher,
}

impl OutputFile {
    /// Begins a file; one that was left unfinished before is begun anew.
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".unfinished");
        let unfinished = path.with_file_name(name);
        let file = File::create(&unfinished).map_err(DatasetError::io(&unfinished))?;
        Ok(Self {
            path: path.to_owned(),
            unfinished,
            file: BufWriter::with_capacity(BUFFER, file),
            bytes: 0,
            hasher: crc32fast::Hasher::new(),
        })
    }

    /// Bytes so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends bytes.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(DatasetError::io(&self.unfinished))
    }

    /// Says that the format cannot express something.
    pub(crate) fn inexpressible(&self, reason: impl ToString) -> DatasetError {
        DatasetError::Inexpressible { file: self.path.clone(), reason: reason.to_string() }
    }

    /// Completes the file and gives it its name.
    pub(crate) fn finish(mut self) -> Result<WrittenFile, DatasetError> {
        self.file.flush().map_err(DatasetError::io(&self.unfinished))?;
        self.file.get_ref().sync_all().map_err(DatasetError::io(&self.unfinished))?;
        fs::rename(&self.unfinished, &self.path).map_err(DatasetError::io(&self.path))?;
        Ok(WrittenFile {
            file: self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            bytes: self.bytes,
            crc32: format!("{:08x}", self.hasher.finalize()),
        })
    }
}
