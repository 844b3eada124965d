//! Reading shards from the first block to the last.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{
    BLOCK_HEADER, BlockEntry, BlockHeader, CHECKSUM, Counts, Description, FILE_HEADER, LARGEST_DESCRIPTION,
    SHARD_MAGIC, SHARD_VERSION,
};
use crate::chain_code::ChainDecoder;
use crate::{Chain, DatasetError, Sample};

/// The payload of one block, checked.
#[derive(Clone, Debug, Default)]
pub struct Block {
    payload: Vec<u8>,
    counts: Counts,
    file: PathBuf,
    at: u64,
}

impl Block {
    /// What it holds.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Its bytes.
    pub(crate) fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// Decodes its chains.
    #[must_use]
    pub fn decoder(&self) -> ChainDecoder<'_> {
        ChainDecoder::new(&self.payload)
    }

    /// Shows every position, kept or not.
    ///
    /// # Errors
    ///
    /// When the block's bytes are not chains, although its checksum is right.
    pub fn visit(&self, mut visitor: impl FnMut(Sample<'_>)) -> Result<(), DatasetError> {
        let mut decoder = self.decoder();
        let mut shown = Counts::default();
        let damaged = |error| DatasetError::damaged(&self.file, self.at, error);
        loop {
            let (mut positions, mut samples) = (0, 0);
            let more = decoder.visit_chain(|sample| {
                positions += 1;
                samples += u64::from(sample.link.kept);
                visitor(sample);
            });
            if !more.map_err(damaged)? {
                break;
            }
            shown += Counts { chains: 1, positions, samples };
        }
        if shown == self.counts {
            return Ok(());
        }
        Err(DatasetError::damaged(&self.file, self.at, "the counts of a block are wrong"))
    }

    /// Shows every chain.
    ///
    /// # Errors
    ///
    /// As [`Self::visit`].
    pub fn visit_chains(&self, mut visitor: impl FnMut(&mut Chain)) -> Result<(), DatasetError> {
        let mut decoder = self.decoder();
        let mut chain = Chain::default();
        while decoder.next_chain(&mut chain).map_err(|error| DatasetError::damaged(&self.file, self.at, error))? {
            visitor(&mut chain);
        }
        Ok(())
    }
}

/// Reads a shard block by block, in order or at will.
#[derive(Debug)]
pub struct ShardReader {
    path: PathBuf,
    file: BufReader<File>,
    description: Description,
    /// Where the next block begins.
    at: u64,
}

impl ShardReader {
    /// Opens a shard.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is something else, or is of another version.
    pub fn open(path: &Path) -> Result<Self, DatasetError> {
        let foreign =
            |reason: String| DatasetError::Foreign { file: path.to_owned(), expected: "a shard of Kiebitz", reason };
        let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(DatasetError::io(path))?);
        let mut header = vec![0; FILE_HEADER];
        file.read_exact(&mut header).map_err(|_| foreign("it is too short".to_owned()))?;
        if header[..4] != SHARD_MAGIC {
            return Err(foreign("it does not begin with KBZD".to_owned()));
        }
        let version = u16::from_le_bytes([header[4], header[5]]);
        if version != SHARD_VERSION {
            return Err(foreign(format!("it has version {version}, and this program reads version {SHARD_VERSION}")));
        }
        let length = u32::from_le_bytes([header[8], header[9], header[10], header[11]]) as usize;
        if length > LARGEST_DESCRIPTION {
            return Err(foreign("its description is impossibly long".to_owned()));
        }
        header.resize(FILE_HEADER + length, 0);
        let mut sum = [0; CHECKSUM];
        file.read_exact(&mut header[FILE_HEADER..])
            .and_then(|()| file.read_exact(&mut sum))
            .map_err(|_| foreign("its header is cut off".to_owned()))?;
        if crc32fast::hash(&header) != u32::from_le_bytes(sum) {
            return Err(foreign("the checksum of its header is wrong".to_owned()));
        }
        let description = serde_json::from_slice(&header[FILE_HEADER..])
            .map_err(|error| foreign(format!("its description: {error}")))?;
        Ok(Self { path: path.to_owned(), file, description, at: (header.len() + CHECKSUM) as u64 })
    }

    /// What the shard says about itself.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the next block begins, in bytes.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Reads the next block into `block`; `false` behind the last.
    ///
    /// # Errors
    ///
    /// When the block is incomplete ([`DatasetError::Truncated`]) or damaged. Everything before it was good.
    pub fn next_block(&mut self, block: &mut Block) -> Result<bool, DatasetError> {
        let Some(header) = self.header()? else {
            return Ok(false);
        };
        block.payload.resize(header.payload, 0);
        self.file.read_exact(&mut block.payload).map_err(|error| self.incomplete(error))?;
        if BlockHeader::for_payload(&block.payload, header.counts)[20..] != header.checksum.to_le_bytes() {
            return Err(DatasetError::damaged(&self.path, self.at, "the checksum of a block is wrong"));
        }
        block.counts = header.counts;
        block.file.clone_from(&self.path);
        block.at = self.at;
        self.at += (BLOCK_HEADER + header.payload) as u64;
        Ok(true)
    }

    /// Passes over the next block by its header alone; `None` behind the last.
    pub(super) fn skip_block(&mut self) -> Result<Option<BlockEntry>, DatasetError> {
        let Some(header) = self.header()? else {
            return Ok(None);
        };
        let entry = BlockEntry { at: self.at, counts: header.counts };
        let end = self.at + (BLOCK_HEADER + header.payload) as u64;
        let size = self.file.get_ref().metadata().map_err(DatasetError::io(&self.path))?.len();
        if end > size {
            return Err(self.incomplete(io::ErrorKind::UnexpectedEof.into()));
        }
        self.seek(end)?;
        Ok(Some(entry))
    }

    /// Goes to a block that an index names.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn seek(&mut self, at: u64) -> Result<(), DatasetError> {
        self.file.seek(SeekFrom::Start(at)).map_err(DatasetError::io(&self.path))?;
        self.at = at;
        Ok(())
    }

    /// The next header; `None` at the very end of the file.
    fn header(&mut self) -> Result<Option<BlockHeader>, DatasetError> {
        let mut bytes = [0; BLOCK_HEADER];
        let mut filled = 0;
        while filled < BLOCK_HEADER {
            match self.file.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(self.incomplete(io::ErrorKind::UnexpectedEof.into())),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.incomplete(error)),
            }
        }
        BlockHeader::read(&bytes).map(Some).map_err(|reason| DatasetError::damaged(&self.path, self.at, reason))
    }

    fn incomplete(&self, error: io::Error) -> DatasetError {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            DatasetError::Truncated { file: self.path.clone(), at: self.at }
        } else {
            DatasetError::Io { file: self.path.clone(), source: error }
        }
    }
}
