//! A random order for data that does not fit into memory.
//!
//! Chains are dealt to temporary files at random; each of these fits into memory, is shuffled there and written out. Any
//! order is as likely as any other, and the same seed over the same input gives the same bytes.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
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

/// Bytes in memory for each chain besides its own.
const OVERHEAD: u64 = 24;
/// Chains are written with their length in front.
const LENGTH: usize = 4;
/// The most temporary files; more would need more open files than systems allow.
const MOST_PILES: u64 = 256;
/// Temporary files are filled to about this part, for chance makes some larger than others.
const FILL: f64 = 0.6;

impl Shuffle {
    /// Reads all chains and writes them as one shard in random order. Temporary files stand beside the output, and are gone
    /// afterwards.
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
        for pile in 0..piles.files.len() {
            let mut chains = piles.take(pile)?;
            numbers.shuffle(&mut chains);
            for bytes in chains {
                writer.write_encoded(&EncodedChains { counts: counts(&bytes), bytes })?;
            }
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
        let mut piles = Self { files: Vec::new() };
        for number in 0..count {
            let mut name = output.file_name().unwrap_or_default().to_owned();
            name.push(format!(".pile{number}"));
            let path = output.with_file_name(name);
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
    fn take(&mut self, pile: usize) -> Result<Vec<Vec<u8>>, DatasetError> {
        let Some((path, file)) = self.files.get_mut(pile) else {
            return Ok(Vec::new());
        };
        if let Some(mut file) = file.take() {
            file.flush().map_err(DatasetError::io(path))?;
        }
        let mut reader = BufReader::with_capacity(1 << 18, File::open(&*path).map_err(DatasetError::io(path))?);
        let mut chains = Vec::new();
        let mut length = [0; LENGTH];
        loop {
            match reader.read_exact(&mut length) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(DatasetError::io(path)(error)),
            }
            let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
            reader.read_exact(&mut bytes).map_err(DatasetError::io(path))?;
            chains.push(bytes);
        }
        fs::remove_file(&*path).map_err(DatasetError::io(path))?;
        Ok(chains)
    }
}

impl Drop for Piles {
    fn drop(&mut self) {
        for (path, _) in &self.files {
            // Already gone in the ordinary case.
            let _ = fs::remove_file(path);
        }
    }
}
