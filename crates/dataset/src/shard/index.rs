//! Where the blocks of shards are.

use std::path::{Path, PathBuf};

use super::{Counts, Description, ShardReader};
use crate::DatasetError;

/// One block of a shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockEntry {
    /// Where it begins, in bytes.
    pub at: u64,
    /// What it holds.
    pub counts: Counts,
    /// The checksum in its header: of the rest of the header and the payload.
    pub checksum: u32,
}

/// The blocks of one shard, found by their headers alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardIndex {
    /// The file.
    pub path: PathBuf,
    /// What the shard says about itself.
    pub description: Description,
    /// The complete blocks, in order.
    pub blocks: Vec<BlockEntry>,
    /// Where the file is cut off, if it is.
    pub cut_at: Option<u64>,
}

impl ShardIndex {
    /// Reads all headers; a file that is cut off has the blocks before the cut.
    ///
    /// # Errors
    ///
    /// When the file is no shard, cannot be read, or a header is damaged.
    pub fn read(path: &Path) -> Result<Self, DatasetError> {
        let mut reader = ShardReader::open(path)?;
        let mut blocks = Vec::new();
        let cut_at = loop {
            match reader.skip_block() {
                Ok(Some(entry)) => blocks.push(entry),
                Ok(None) => break None,
                Err(DatasetError::Truncated { at, .. }) => break Some(at),
                Err(error) => return Err(error),
            }
        };
        Ok(Self { path: path.to_owned(), description: reader.description().clone(), blocks, cut_at })
    }

    /// What the complete blocks hold together.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut total = Counts::default();
        for block in &self.blocks {
            total += block.counts;
        }
        total
    }
}
