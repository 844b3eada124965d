//! A file that appears under its name only once it is complete.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
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

impl WrittenFile {
    /// A file that is there: reads all of it for the checksum.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn of(path: &Path) -> Result<Self, DatasetError> {
        let mut file = File::open(path).map_err(DatasetError::io(path))?;
        let mut hasher = crc32fast::Hasher::new();
        let mut buffer = vec![0; BUFFER];
        let mut bytes = 0;
        loop {
            match file.read(&mut buffer).map_err(DatasetError::io(path))? {
                0 => break,
                count => {
                    hasher.update(&buffer[..count]);
                    bytes += count as u64;
                }
            }
        }
        Ok(Self { file: name_of(path), bytes, crc32: format!("{:08x}", hasher.finalize()) })
    }
}

/// A file's name without its folder.
fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
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

    /// Begins a file whose first bytes are known only at the end; [`Self::finish_with`] says them.
    pub(crate) fn create_with_room(path: &Path, room: usize) -> Result<Self, DatasetError> {
        let mut file = Self::create(path)?;
        file.file.write_all(&vec![0; room]).map_err(DatasetError::io(&file.unfinished))?;
        file.bytes = room as u64;
        Ok(file)
    }

    /// Writes the first bytes into the room left for them, and completes the file.
    pub(crate) fn finish_with(mut self, start: &[u8]) -> Result<WrittenFile, DatasetError> {
        let unfinished = &self.unfinished;
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(start))
            .map_err(DatasetError::io(unfinished))?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(start);
        hasher.combine(&self.hasher);
        self.hasher = hasher;
        self.finish()
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
            file: name_of(&self.path),
            bytes: self.bytes,
            crc32: format!("{:08x}", self.hasher.clone().finalize()),
        })
    }
}

/// What was never finished is of no use to anybody, least of all on a full disk.
impl Drop for OutputFile {
    fn drop(&mut self) {
        // A finished file has another name by now.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// For libraries that write by themselves.
#[cfg(feature = "parquet")]
impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_file_is_what_lies_there() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        let mut file = OutputFile::create_with_room(&path, 4).unwrap();
        file.put(b"and the rest").unwrap();
        assert!(!path.exists(), "not before it is complete");
        let written = file.finish_with(b"head").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"headand the rest");
        assert_eq!(WrittenFile::of(&path).unwrap(), written);
    }

    #[test]
    fn what_was_given_up_leaves_nothing_behind() {
        let place = tempfile::tempdir().unwrap();
        let mut file = OutputFile::create(&place.path().join("file")).unwrap();
        file.put(b"half of it").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
