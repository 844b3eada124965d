//! Our own shards as a source and as a sink.

use std::path::Path;

use super::{ChainSink, ChainSource};
use crate::shard::{Block, ShardReader, ShardWriter};
use crate::{Chain, Counts, DatasetError, Description, EncodedChains, WrittenFile};

/// Reads the chains of a shard.
#[derive(Debug)]
pub struct OwnSource {
    reader: ShardReader,
    block: Block,
    chains: std::vec::IntoIter<Chain>,
}

impl OwnSource {
    /// Opens a shard.
    ///
    /// # Errors
    ///
    /// As [`ShardReader::open`].
    pub fn open(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self { reader: ShardReader::open(path)?, block: Block::default(), chains: Vec::new().into_iter() })
    }

    /// What the shard says about itself.
    #[must_use]
    pub fn description(&self) -> &Description {
        self.reader.description()
    }
}

impl ChainSource for OwnSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            if let Some(next) = self.chains.next() {
                *chain = next;
                return Ok(true);
            }
            if !self.reader.next_block(&mut self.block)? {
                return Ok(false);
            }
            // What the header counts is a claim until all is decoded; room for it is not made on its word.
            let mut chains = Vec::new();
            self.block.visit_chains(|chain| chains.push(chain.clone()))?;
            self.chains = chains.into_iter();
        }
    }

    fn consumed(&self) -> u64 {
        self.reader.at()
    }
}

/// Writes a shard.
#[derive(Debug)]
pub struct OwnSink(ShardWriter);

impl OwnSink {
    /// Begins a shard.
    ///
    /// # Errors
    ///
    /// As [`ShardWriter::create`].
    pub fn create(path: &Path, description: &Description) -> Result<Self, DatasetError> {
        ShardWriter::create(path, description).map(Self)
    }

    /// What was written so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.0.counts()
    }
}

impl ChainSink for OwnSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        self.0.write(chain)
    }

    fn write_encoded(&mut self, chains: &EncodedChains) -> Result<(), DatasetError> {
        self.0.write_encoded(chains)
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        Ok(vec![self.0.finish()?])
    }
}
