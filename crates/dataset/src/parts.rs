//! Output in parts, each of which appears complete: what an interruption cannot take away.
//!
//! ```text
//! out.kbz   with parts kept: out-00000.kbz, out-00001.kbz …   joined: out.kbz alone, its parts are gone
//! state     out.kbz.state: the job, the finished parts, and how far the input was read for them
//! ```
//!
//! A part is finished between two units of input (a chunk of games, a chain), and the state is written after it. A run of
//! the same job begins behind the last finished part, so that its output has the same bytes as that of an undisturbed run.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output_file::OutputFile;
use crate::shard::{Block, ShardReader, ShardWriter};
use crate::{Chain, ChainSink, Counts, DatasetError, Description, EncodedChains, Format, ManifestFile, WrittenFile};

/// When a part is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartLimit {
    /// Bytes of a part, roughly: a unit of input is never divided.
    pub bytes: u64,
    /// Samples of a part.
    pub samples: u64,
}

/// What becomes of the parts in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartFate {
    /// They are the output.
    Kept,
    /// They become one file; our own shards only.
    Joined,
    /// There is one part, however large, under the name of the output; an interrupted run begins anew.
    Alone,
}

/// What is on the disk.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct State {
    job: Value,
    parts: Vec<Vec<WrittenFile>>,
    counts: Vec<Counts>,
    consumed: u64,
    note: Value,
}

/// Writes parts.
pub struct Parts {
    format: Format,
    output: PathBuf,
    description: Description,
    limit: PartLimit,
    fate: PartFate,
    state: State,
    sink: Option<Box<dyn ChainSink + Send>>,
    counts: Counts,
}

impl Parts {
    /// Begins a job, or goes on with it. The job is whatever tells it from others: inputs, rules.
    ///
    /// # Errors
    ///
    /// When the disk refuses, or a finished part is not there any more.
    pub fn open(
        format: Format,
        output: &Path,
        description: &Description,
        limit: PartLimit,
        fate: PartFate,
        job: Value,
    ) -> Result<Self, DatasetError> {
        let mut parts = Self {
            format,
            output: output.to_owned(),
            description: description.clone(),
            limit,
            fate,
            state: State { job, ..State::default() },
            sink: None,
            counts: Counts::default(),
        };
        let path = parts.state_path();
        if let Ok(text) = fs::read(&path)
            && let Ok(state) = serde_json::from_slice::<State>(&text)
            && state.job == parts.state.job
        {
            for part in state.parts.iter().flatten() {
                let path = output.with_file_name(&part.file);
                if fs::metadata(&path).map_err(DatasetError::io(&path))?.len() != part.bytes {
                    return Err(DatasetError::damaged(
                        &path,
                        0,
                        "a finished part has changed; remove it and the state",
                    ));
                }
            }
            parts.state = state;
        }
        Ok(parts)
    }

    /// How much of the input is in finished parts, in the units of the job; 0 for a new one.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.state.consumed
    }

    /// What was said at the end of the last finished part.
    #[must_use]
    pub fn note(&self) -> &Value {
        &self.state.note
    }

    fn state_path(&self) -> PathBuf {
        let mut name = self.output.file_name().unwrap_or_default().to_owned();
        name.push(".state");
        self.output.with_file_name(name)
    }

    /// The name of a part.
    fn part_path(&self, number: usize) -> PathBuf {
        let stem = self.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ending = self.output.extension().unwrap_or_default().to_string_lossy().into_owned();
        self.output.with_file_name(match self.fate {
            PartFate::Kept => format!("{stem}-{number:05}.{ending}"),
            PartFate::Joined => format!("{stem}.{ending}.part{number:05}"),
            PartFate::Alone => return self.output.clone(),
        })
    }

    fn sink(&mut self) -> Result<&mut Box<dyn ChainSink + Send>, DatasetError> {
        if self.sink.is_none() {
            self.sink = Some(self.format.create(&self.part_path(self.state.parts.len()), &self.description)?);
        }
        self.sink.as_mut().ok_or(DatasetError::Empty)
    }

    /// Adds a chain.
    ///
    /// # Errors
    ///
    /// As [`ChainSink::write`].
    pub fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        self.counts += Counts { chains: 1, positions: chain.links.len() as u64, samples: chain.samples() as u64 };
        self.sink()?.write(chain)
    }

    /// Adds chains that were encoded elsewhere.
    ///
    /// # Errors
    ///
    /// As [`ChainSink::write`].
    pub fn write_encoded(&mut self, chains: &EncodedChains) -> Result<(), DatasetError> {
        self.counts += chains.counts;
        self.sink()?.write_encoded(chains)
    }

    /// A unit of the input is done: so much has been consumed. A part that is full is finished here, with a note for whoever goes on.
    ///
    /// # Errors
    ///
    /// When the disk is full. Finished parts stay, and the job can be continued.
    pub fn unit_done(&mut self, consumed: u64, note: impl FnOnce() -> Value) -> Result<(), DatasetError> {
        let Some(sink) = &self.sink else { return Ok(()) };
        let full = sink.bytes() >= self.limit.bytes || self.counts.samples >= self.limit.samples;
        if self.fate == PartFate::Alone || !full {
            return Ok(());
        }
        self.end_part()?;
        self.state.consumed = consumed;
        self.state.note = note();
        let mut file = OutputFile::create(&self.state_path())?;
        let text = serde_json::to_vec(&self.state).map_err(|error| file.inexpressible(error))?;
        file.put(&text)?;
        file.finish().map(|_| ())
    }

    fn end_part(&mut self) -> Result<(), DatasetError> {
        if let Some(sink) = self.sink.take() {
            self.state.parts.push(sink.finish()?);
            self.state.counts.push(std::mem::take(&mut self.counts));
        }
        Ok(())
    }

    /// Completes the output and forgets the state; where parts are joined, `progress` hears how many bytes of how many.
    ///
    /// # Errors
    ///
    /// When the disk is full.
    pub fn finish(mut self, mut progress: impl FnMut(u64, u64)) -> Result<Vec<ManifestFile>, DatasetError> {
        self.end_part()?;
        if self.state.parts.is_empty() {
            // An empty output is an output, too.
            self.sink()?;
            self.end_part()?;
        }
        let files = match self.fate {
            PartFate::Kept | PartFate::Alone => {
                // Of formats with several files, the first speaks for all.
                let parts = self.state.parts.iter().zip(&self.state.counts);
                parts
                    .flat_map(|(files, &counts)| {
                        files.iter().enumerate().map(move |(number, written)| ManifestFile {
                            written: written.clone(),
                            counts: if number == 0 { counts } else { Counts::default() },
                        })
                    })
                    .collect()
            }
            PartFate::Joined => vec![self.join(&mut progress)?],
        };
        // The state goes first: without it nobody looks for parts that are gone. What cannot be removed only costs space.
        let _ = fs::remove_file(self.state_path());
        if self.fate == PartFate::Joined {
            for path in self.part_paths() {
                let _ = fs::remove_file(path);
            }
        }
        Ok(files)
    }

    fn part_paths(&self) -> Vec<PathBuf> {
        self.state.parts.iter().flatten().map(|part| self.output.with_file_name(&part.file)).collect()
    }

    /// Writes the blocks of all parts behind each other.
    fn join(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<ManifestFile, DatasetError> {
        let mut writer = ShardWriter::create(&self.output, &self.description)?;
        let mut block = Block::default();
        let (mut before, all) = (0, self.state.parts.iter().flatten().map(|part| part.bytes).sum());
        for path in self.part_paths() {
            let mut reader = ShardReader::open(&path)?;
            while reader.next_block(&mut block)? {
                writer.write_block(&block)?;
                progress(before + reader.at(), all);
            }
            before += reader.at();
        }
        let counts = writer.counts();
        Ok(ManifestFile { written: writer.finish()?, counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;
    use kiebitz_chess::Position;

    fn chain(number: usize) -> Chain {
        let moves = Position::default().legal_moves();
        Chain { links: vec![Link::new(Some(moves[number % moves.len()]))], ..Chain::default() }
    }

    /// Writes chains 0 to 99 in parts, stopping without a word after some of them.
    fn write(place: &Path, fate: PartFate, stop_after: Option<usize>) -> Option<Vec<ManifestFile>> {
        let limit = PartLimit { bytes: u64::MAX, samples: 15 };
        let job = serde_json::json!({ "job": 1 });
        let output = place.join("out.kbz");
        let mut parts = Parts::open(Format::Kiebitz, &output, &Description::default(), limit, fate, job).unwrap();
        for number in parts.consumed() as usize..100 {
            if stop_after == Some(number) {
                return None;
            }
            parts.write(&chain(number)).unwrap();
            parts.unit_done(number as u64 + 1, || serde_json::json!(number)).unwrap();
        }
        let mut heard = Vec::new();
        let files = parts.finish(|done, all| heard.push((done, all))).unwrap();
        if fate == PartFate::Joined {
            assert!(heard.len() > 1 && heard.is_sorted_by(|one, next| one.0 < next.0 && one.1 == next.1), "{heard:?}");
            assert!(heard.last().is_some_and(|(done, all)| done == all), "{heard:?}");
        } else {
            assert_eq!(heard, []);
        }
        Some(files)
    }

    #[test]
    fn interrupted_parts_are_the_same_as_others() {
        for fate in [PartFate::Kept, PartFate::Joined] {
            let (peaceful, disturbed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let expected = write(peaceful.path(), fate, None).unwrap();
            for stop in [3, 20, 44, 46, 90] {
                assert_eq!(write(disturbed.path(), fate, Some(stop)), None);
            }
            assert_eq!(write(disturbed.path(), fate, None).unwrap(), expected);
            assert_eq!(expected.len(), if fate == PartFate::Kept { 7 } else { 1 });
            assert_eq!(expected.iter().map(|file| file.counts.chains).sum::<u64>(), 100);
            for file in &expected {
                let read = |place: &Path| fs::read(place.join(&file.written.file)).unwrap();
                assert!(read(peaceful.path()) == read(disturbed.path()));
            }
            let left = fs::read_dir(disturbed.path()).unwrap().count();
            assert_eq!(left, expected.len(), "nothing else stays behind");
        }
    }
}
