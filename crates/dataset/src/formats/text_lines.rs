//! Lines of text files, with their places.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::DatasetError;

/// No line is longer, in bytes: files of another kind should not fill the memory.
const LONGEST_LINE: u64 = 1 << 16;

/// Reads lines.
#[derive(Debug)]
pub(crate) struct TextLines {
    path: PathBuf,
    file: BufReader<File>,
    line: String,
    /// Where the current line begins, and where the next one does.
    at: u64,
    next: u64,
}

impl TextLines {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        let file = File::open(path).map_err(DatasetError::io(path))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::with_capacity(1 << 18, file),
            line: String::new(),
            at: 0,
            next: 0,
        })
    }

    /// Bytes read.
    pub(crate) fn consumed(&self) -> u64 {
        self.next
    }

    /// The next line without its end; `None` behind the last.
    pub(crate) fn next_line(&mut self) -> Result<Option<&str>, DatasetError> {
        self.at = self.next;
        let mut bytes = Vec::new();
        (&mut self.file).take(LONGEST_LINE).read_until(b'\n', &mut bytes).map_err(DatasetError::io(&self.path))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.next += bytes.len() as u64;
        if bytes.len() as u64 == LONGEST_LINE {
            return Err(self.damaged("a line is longer than lines of samples can be"));
        }
        self.line = String::from_utf8(bytes).map_err(|_| self.damaged("a line is not text"))?;
        Ok(Some(self.line.trim_end_matches(['\n', '\r'])))
    }

    /// What is wrong with the current line.
    pub(crate) fn damaged(&self, reason: impl ToString) -> DatasetError {
        DatasetError::damaged(&self.path, self.at, reason)
    }
}
