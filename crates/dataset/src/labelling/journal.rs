//! The scores that are known so far, on the disk.
//!
//! ```text
//! file    "KBZJ", length of the job's text (4), text, checksum (4)
//! record  game (8), scores (4), a score (2) each, checksum (4)
//! ```
//!
//! Numbers are little-endian. A record that is incomplete, as after an interruption, is written anew.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{LabelError, Scores};
use crate::DatasetError;

const MAGIC: [u8; 4] = *b"KBZJ";
/// What an interruption may cost is what was found out since the last visit to the disk.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// Appends scores.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
    flushed: Instant,
}

impl Journal {
    /// Opens the journal beside an output, and reads what is known.
    pub(super) fn open(output: &Path, job: &str) -> Result<(Self, BTreeMap<u64, Scores>), LabelError> {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".labels");
        let path = output.with_file_name(name);
        let io = DatasetError::io(&path);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(&io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&io)?;
        let header = header(job);
        let mut known = BTreeMap::new();
        let mut good = header.len();
        if bytes.starts_with(&header) {
            while let Some((game, scores, end)) = record(&bytes, good) {
                known.insert(game, scores);
                good = end;
            }
        } else if let Some(was) = job_of(&bytes) {
            return Err(LabelError::OtherJob { journal: path.clone(), was, is: job.to_owned() });
        } else {
            // Not even the header was complete.
            file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&header)).map_err(&io)?;
        }
        file.set_len(good as u64).and_then(|()| file.seek(SeekFrom::Start(good as u64))).map_err(&io)?;
        drop(io);
        Ok((Self { path, file: BufWriter::new(file), flushed: Instant::now() }, known))
    }

    /// Adds the scores of a game.
    pub(super) fn put(&mut self, game: u64, scores: &[i16]) -> Result<(), DatasetError> {
        let mut bytes = Vec::with_capacity(16 + 2 * scores.len());
        bytes.extend(game.to_le_bytes());
        bytes.extend((scores.len() as u32).to_le_bytes());
        scores.iter().for_each(|score| bytes.extend(score.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.file.write_all(&bytes).map_err(DatasetError::io(&self.path))?;
        if self.flushed.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> Result<(), DatasetError> {
        self.flushed = Instant::now();
        self.file.flush().map_err(DatasetError::io(&self.path))
    }

    /// Everything is in the output now.
    pub(super) fn remove(self) {
        // A journal that stays behind costs space, nothing else.
        let _ = fs::remove_file(&self.path);
    }
}

fn header(job: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((job.len() as u32).to_le_bytes());
    bytes.extend(job.as_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The job of another journal, if its header is complete.
fn job_of(bytes: &[u8]) -> Option<String> {
    let length = number(bytes, 4)? as usize;
    let text = bytes.get(8..)?.get(..length)?;
    (bytes.starts_with(&MAGIC) && number(bytes, 8 + length)? == crc32fast::hash(&bytes[..8 + length]))
        .then(|| String::from_utf8_lossy(text).into_owned())
}

/// The record at a place, and where the next one begins.
fn record(bytes: &[u8], at: usize) -> Option<(u64, Scores, usize)> {
    let record = bytes.get(at..)?;
    let game = u64::from_le_bytes(*record.first_chunk()?);
    let length = 12 + 2 * number(record, 8)? as usize;
    if number(record, length)? != crc32fast::hash(record.get(..length)?) {
        return None;
    }
    let scores = record[12..length].chunks_exact(2).map(|score| i16::from_le_bytes([score[0], score[1]])).collect();
    Some((game, scores, at + length + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_was_cut_keeps_its_complete_records() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("out.kbz");
        let (mut journal, known) = Journal::open(&output, "job").unwrap();
        assert!(known.is_empty());
        journal.put(3, &[1, -2, 3]).unwrap();
        journal.put(1, &[]).unwrap();
        journal.put(7, &[-32_000]).unwrap();
        journal.flush().unwrap();
        let path = journal.path.clone();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let complete = BTreeMap::from([(3, vec![1, -2, 3]), (1, vec![]), (7, vec![-32_000])]);
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, known) = Journal::open(&output, "job").unwrap();
            assert!(known.iter().all(|(game, scores)| complete.get(game) == Some(scores)), "cut at {cut}");
            for (&game, scores) in complete.iter().filter(|(game, _)| !known.contains_key(game)) {
                journal.put(game, scores).unwrap();
            }
            journal.flush().unwrap();
            assert_eq!(Journal::open(&output, "job").unwrap().1, complete, "cut at {cut}");
        }
        fs::write(&path, &whole).unwrap();
        assert!(matches!(Journal::open(&output, "other"), Err(LabelError::OtherJob { .. })));
    }
}
