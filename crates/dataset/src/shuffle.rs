//! A random order for data that does not fit into memory.
//!
//! Chains are dealt to temporary files at random; each of these fits into memory, is shuffled there and written out. Any
//! order is as likely as any other, and the same seed over the same input gives the same bytes. A run that was killed leaves
//! its temporary files; the next one for the same output begins anew and removes them.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::chain_code::{ChainEncoder, EncodedChains};
use crate::seeded::{SeededNumbers, mixed};
use crate::shard::ShardWriter;
use crate::{Chain, ChainSource, Counts, DatasetError, Description, WrittenFile};

/// What is moved around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShuffleUnit {
    /// Whole chains: small files, and samples of one game stay neighbours.
    Chain,
    /// Single samples: the best mixture, at about ten times the size.
    Sample,
}

/// How to shuffle.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    /// What is moved around.
    pub unit: ShuffleUnit,
    /// Decides the order.
    pub seed: u64,
    /// How many bytes of encoded chains may be held at a time.
    pub memory: u64,
    /// How many bytes the input has when encoded, roughly; decides the number of temporary files.
    pub expected_bytes: u64,
}

/// Bytes in memory for each chain besides its own: its length, and where it lies.
const OVERHEAD: u64 = (LENGTH + size_of::<Range<usize>>()) as u64;
/// Chains are written with their length in front, so many bytes.
const LENGTH: usize = 4;
/// The most temporary files; more would need more open files than systems allow.
const MOST_PILES: u64 = 256;
/// Temporary files are filled to about this part, for chance makes some larger than others.
const FILL: f64 = 0.6;

impl Shuffle {
    /// Reads all chains and writes them as one shard in random order. Temporary files stand beside the output, and are gone
    /// afterwards. `progress` hears of bytes of the source, each of which counts twice: once dealt, once written.
    ///
    /// # Errors
    ///
    /// When the source is damaged or the disk is full.
    pub fn run(
        &self,
        source: &mut dyn ChainSource,
        output: &Path,
        description: &Description,
        mut progress: impl FnMut(u64),
    ) -> Result<(WrittenFile, Counts), DatasetError> {
        let piles = (self.expected_bytes as f64 / (self.memory as f64 * FILL)).ceil() as u64;
        let mut piles = Piles::create(output, piles.clamp(1, MOST_PILES))?;
        let mut numbers = SeededNumbers::new(mixed(self.seed));
        let mut encoder = ChainEncoder::default();
        let mut chain = Chain::default();
        while source.next_chain(&mut chain)? {
            let mut outcome = Ok(());
            let mut deal = |chain: &Chain| {
                if outcome.is_ok() && chain.samples() > 0 {
                    let count = piles.files.len() as u64;
                    let pile = numbers.below(count) as usize;
                    outcome = encoder
                        .encode(chain)
                        .map_err(|error| DatasetError::Inexpressible {
                            file: output.to_owned(),
                            reason: error.to_string(),
                        })
                        .and_then(|bytes| piles.put(pile, bytes));
                }
            };
            match self.unit {
                ShuffleUnit::Chain => deal(&chain),
                ShuffleUnit::Sample => chain.singles(|single| deal(&single)),
            }
            outcome?;
            progress(source.consumed());
        }
        let mut writer = ShardWriter::create(output, description)?;
        let (dealt, count) = (source.consumed(), piles.files.len());
        for number in 0..count {
            let mut pile = piles.take(number)?;
            numbers.shuffle(&mut pile.chains);
            for place in pile.chains {
                let bytes = pile.bytes.get(place).unwrap_or_default().to_vec();
                writer.write_encoded(&EncodedChains { counts: counts(&bytes), bytes })?;
            }
            progress(dealt + (dealt as f64 * (number + 1) as f64 / count as f64) as u64);
        }
        let counts = writer.counts();
        Ok((writer.finish()?, counts))
    }

    /// About how many bytes of memory the chains of an input take when it holds so much.
    #[must_use]
    pub fn expected_bytes(unit: ShuffleUnit, file_bytes: u64, counts: Counts) -> u64 {
        match unit {
            ShuffleUnit::Chain => file_bytes + counts.chains * OVERHEAD,
            // A position takes 8 bytes and half a byte a piece; then there are flags, counters, move and score.
            ShuffleUnit::Sample => counts.samples * (34 + OVERHEAD),
        }
    }
}

/// What one encoded chain holds.
fn counts(bytes: &[u8]) -> Counts {
    let mut chain = Chain::default();
    // These bytes were encoded a moment ago, so they can be decoded.
    let decoded = crate::ChainDecoder::new(bytes).next_chain(&mut chain).unwrap_or(false);
    Counts { chains: decoded.into(), positions: chain.links.len() as u64, samples: chain.samples() as u64 }
}

/// Temporary files; removed when dropped, whatever happens.
struct Piles {
    files: Vec<(PathBuf, Option<BufWriter<File>>)>,
}

impl Piles {
    fn create(output: &Path, count: u64) -> Result<Self, DatasetError> {
        let path_of = |number: u64| {
            let mut name = output.file_name().unwrap_or_default().to_owned();
            name.push(format!(".pile{number}"));
            output.with_file_name(name)
        };
        // A killed run with less memory has left more of them. What is not there need not be removed.
        (count..MOST_PILES).for_each(|number| drop(fs::remove_file(path_of(number))));
        let mut piles = Self { files: Vec::new() };
        for number in 0..count {
            let path = path_of(number);
            let file = File::create(&path).map_err(DatasetError::io(&path))?;
            piles.files.push((path, Some(BufWriter::with_capacity(1 << 16, file))));
        }
        Ok(piles)
    }

    fn put(&mut self, pile: usize, bytes: &[u8]) -> Result<(), DatasetError> {
        let Some((path, Some(file))) = self.files.get_mut(pile) else {
            return Ok(());
        };
        let length = (bytes.len() as u32).to_le_bytes();
        file.write_all(&length).and_then(|()| file.write_all(bytes)).map_err(DatasetError::io(path))
    }

    /// Reads a file back and removes it.
    fn take(&mut self, pile: usize) -> Result<Pile, DatasetError> {
        let Some((path, file)) = self.files.get_mut(pile) else {
            return Ok(Pile::default());
        };
        if let Some(mut file) = file.take() {
            file.flush().map_err(DatasetError::io(path))?;
        }
        let bytes = fs::read(&*path).map_err(DatasetError::io(path))?;
        fs::remove_file(&*path).map_err(DatasetError::io(path))?;
        let mut chains = Vec::new();
        let mut place = 0;
        while let Some(&length) = bytes.get(place..).and_then(|rest| rest.first_chunk::<LENGTH>()) {
            let start = place + LENGTH;
            place = start + u32::from_le_bytes(length) as usize;
            chains.push(start..place);
        }
        Ok(Pile { bytes, chains })
    }
}

/// A temporary file in memory.
#[derive(Default)]
struct Pile {
    bytes: Vec<u8>,
    /// Where each chain lies.
    chains: Vec<Range<usize>>,
}

impl Drop for Piles {
    fn drop(&mut self) {
        for (path, _) in &self.files {
            // Already gone in the ordinary case.
            let _ = fs::remove_file(path);
        }
    }
}
