//! Writing shards.

use std::path::Path;

use super::{
    BLOCK_BYTES, Block, BlockHeader, CHECKSUM, Counts, Description, FILE_HEADER, LARGEST_BLOCK, SHARD_MAGIC,
    SHARD_VERSION,
};
use crate::chain_code::ChainEncoder;
use crate::output_file::OutputFile;
use crate::{Chain, DatasetError, EncodedChains, WrittenFile};

/// Writes one shard. Nothing stands under the final name before [`Self::finish`].
#[derive(Debug)]
pub struct ShardWriter {
    file: OutputFile,
    encoder: ChainEncoder,
    payload: Vec<u8>,
    block: Counts,
    total: Counts,
}

impl ShardWriter {
    /// Begins a shard under a temporary name beside the final one.
    ///
    /// # Errors
    ///
    /// When the file cannot be created.
    pub fn create(path: &Path, description: &Description) -> Result<Self, DatasetError> {
        let mut file = OutputFile::create(path)?;
        file.put(&header(description))?;
        Ok(Self {
            file,
            encoder: ChainEncoder::default(),
            payload: Vec::with_capacity(BLOCK_BYTES * 5 / 4),
            block: Counts::default(),
            total: Counts::default(),
        })
    }

    /// Adds a chain. Chains without a sample are left out.
    ///
    /// # Errors
    ///
    /// When the chain cannot be encoded, or the disk is full.
    pub fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let samples = chain.samples() as u64;
        if samples == 0 {
            return Ok(());
        }
        let encoded = self.encoder.encode(chain).map_err(|error| self.file.inexpressible(error))?;
        self.payload.extend_from_slice(encoded);
        self.block += Counts { chains: 1, positions: chain.links.len() as u64, samples };
        if self.payload.len() >= BLOCK_BYTES { self.end_block() } else { Ok(()) }
    }

    /// Adds chains that were encoded elsewhere; each must have a sample.
    ///
    /// # Errors
    ///
    /// When they are too many for one block, or the disk is full.
    pub fn write_encoded(&mut self, chains: &EncodedChains) -> Result<(), DatasetError> {
        if self.payload.len() + chains.bytes.len() > LARGEST_BLOCK {
            self.end_block()?;
        }
        self.payload.extend_from_slice(&chains.bytes);
        self.block += chains.counts;
        if self.payload.len() >= BLOCK_BYTES { self.end_block() } else { Ok(()) }
    }

    /// Copies a block as it is.
    pub(crate) fn write_block(&mut self, block: &Block) -> Result<(), DatasetError> {
        self.end_block()?;
        self.payload.extend_from_slice(block.payload());
        self.block = block.counts();
        self.end_block()
    }

    /// Bytes so far, the current block included.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.bytes() + self.payload.len() as u64
    }

    /// What was written so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = self.total;
        counts += self.block;
        counts
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    ///
    /// When the disk is full.
    pub fn finish(mut self) -> Result<WrittenFile, DatasetError> {
        self.end_block()?;
        self.file.finish()
    }

    fn end_block(&mut self) -> Result<(), DatasetError> {
        if self.payload.is_empty() {
            return Ok(());
        }
        if self.payload.len() > LARGEST_BLOCK {
            let bytes = self.payload.len();
            return Err(self.file.inexpressible(format!("{bytes} bytes of chains at once do not fit into a block")));
        }
        self.file.put(&BlockHeader::for_payload(&self.payload, self.block))?;
        self.file.put(&self.payload)?;
        self.payload.clear();
        self.total += std::mem::take(&mut self.block);
        Ok(())
    }
}

/// The header of a file, with its checksum.
fn header(description: &Description) -> Vec<u8> {
    // A description of strings always becomes JSON; an empty one would only lose words.
    let description = serde_json::to_vec(description).unwrap_or_default();
    let mut bytes = Vec::with_capacity(FILE_HEADER + description.len() + CHECKSUM);
    bytes.extend(SHARD_MAGIC);
    bytes.extend(SHARD_VERSION.to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}
