//! Records of a fixed size, with their places.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::DatasetError;

/// Reads records.
#[derive(Debug)]
pub(crate) struct FixedRecords {
    path: PathBuf,
    file: BufReader<File>,
    at: u64,
    next: u64,
}

impl FixedRecords {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        let file = File::open(path).map_err(DatasetError::io(path))?;
        Ok(Self { path: path.to_owned(), file: BufReader::with_capacity(1 << 18, file), at: 0, next: 0 })
    }

    /// Bytes read.
    pub(crate) fn consumed(&self) -> u64 {
        self.next
    }

    /// The next record; `None` at the very end of the file.
    pub(crate) fn next_record<const SIZE: usize>(&mut self) -> Result<Option<[u8; SIZE]>, DatasetError> {
        self.at = self.next;
        let mut record = [0; SIZE];
        let mut filled = 0;
        while filled < SIZE {
            match self.file.read(&mut record[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(self.truncated()),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    return Err(DatasetError::Io { file: self.path.clone(), source });
                }
            }
        }
        self.next += SIZE as u64;
        Ok(Some(record))
    }

    /// Fills a buffer; the file must not end before.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DatasetError> {
        match self.file.read_exact(bytes) {
            Ok(()) => {
                self.next += bytes.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.truncated()),
            Err(source) => Err(DatasetError::Io { file: self.path.clone(), source }),
        }
    }

    /// The file ends inside the current record.
    pub(crate) fn truncated(&self) -> DatasetError {
        DatasetError::Truncated { file: self.path.clone(), at: self.at }
    }

    /// What is wrong with the current record.
    pub(crate) fn damaged(&self, reason: impl ToString) -> DatasetError {
        DatasetError::damaged(&self.path, self.at, reason)
    }
}
