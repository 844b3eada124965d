//! Reading shards from the first block to the last.
//!
//! Each block is mapped into memory on its own and decoded where it lies. Nothing is copied, and no more of a file counts as
//! memory of the program than the blocks that somebody holds.
//!
//! A mapped file that is cut off ends the program by a signal as soon as it touches what is gone; so does a disk that fails.
//! Through us it never happens, since shards are written under a temporary name and renamed. For others who cut a file off, its
//! length is looked up before each block is mapped: what is gone by then is an error. Only a cut in the milliseconds in which
//! a block is checked and decoded is not noticed in time.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use kiebitz_network::MappedFile;

use super::{
    BLOCK_HEADER, BlockEntry, BlockHeader, CHECKSUM, Counts, Description, FILE_HEADER, LARGEST_BLOCK,
    LARGEST_DESCRIPTION, SHARD_MAGIC, SHARD_VERSION,
};
use crate::chain_code::ChainDecoder;
use crate::{Chain, DatasetError, Sample};

/// The payload of one block, checked. It lies in the mapped file, also when the reader is gone; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The file from the header of the block on; nothing before a block was read.
    map: Option<MappedFile>,
    payload: usize,
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
        let bytes = self.map.as_ref().map(MappedFile::bytes).unwrap_or_default();
        bytes.get(BLOCK_HEADER..BLOCK_HEADER + self.payload).unwrap_or_default()
    }

    /// Decodes its chains.
    #[must_use]
    pub fn decoder(&self) -> ChainDecoder<'_> {
        ChainDecoder::new(self.payload())
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
    file: File,
    /// Its bytes when it was opened. One that is shorter later was cut off, even if the cut lies between two blocks.
    size: u64,
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
        let file = File::open(path).map_err(DatasetError::io(path))?;
        let metadata = file.metadata().map_err(DatasetError::io(path))?;
        if !metadata.is_file() {
            return Err(foreign(
                "it is a folder, a pipe or a device, and only files can be mapped into memory".to_owned(),
            ));
        }
        // Not every system maps a file of no bytes.
        if metadata.len() < FILE_HEADER as u64 {
            return Err(foreign("it is too short".to_owned()));
        }
        let map = map(path, &file, 0, FILE_HEADER + LARGEST_DESCRIPTION + CHECKSUM)?;
        let bytes = map.bytes();
        let Some((header, _)) = bytes.split_first_chunk::<FILE_HEADER>() else {
            return Err(foreign("it is too short".to_owned()));
        };
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
        let cut_off = || foreign("its header is cut off".to_owned());
        let (header, behind) = bytes.split_at_checked(FILE_HEADER + length).ok_or_else(cut_off)?;
        let sum = behind.first_chunk::<CHECKSUM>().ok_or_else(cut_off)?;
        if crc32fast::hash(header) != u32::from_le_bytes(*sum) {
            return Err(foreign("the checksum of its header is wrong".to_owned()));
        }
        let description = serde_json::from_slice(&header[FILE_HEADER..])
            .map_err(|error| foreign(format!("its description: {error}")))?;
        let at = (header.len() + CHECKSUM) as u64;
        Ok(Self { path: path.to_owned(), file, size: metadata.len(), description, at })
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
        let Some((header, map)) = self.map_block()? else {
            return Ok(false);
        };
        let next = Block {
            map: Some(map),
            payload: header.payload,
            counts: header.counts,
            file: self.path.clone(),
            at: self.at,
        };
        if BlockHeader::for_payload(next.payload(), header.counts)[20..] != header.checksum.to_le_bytes() {
            return Err(DatasetError::damaged(&self.path, self.at, "the checksum of a block is wrong"));
        }
        *block = next;
        self.at += (BLOCK_HEADER + header.payload) as u64;
        Ok(true)
    }

    /// Passes over the next block by its header alone; `None` behind the last.
    pub(super) fn skip_block(&mut self) -> Result<Option<BlockEntry>, DatasetError> {
        let Some((header, _)) = self.map_block()? else {
            return Ok(None);
        };
        let entry = BlockEntry { at: self.at, counts: header.counts, checksum: header.checksum };
        self.at += (BLOCK_HEADER + header.payload) as u64;
        Ok(Some(entry))
    }

    /// Goes to a block that an index names.
    pub fn seek(&mut self, at: u64) {
        self.at = at;
    }

    /// The header of the next block, and the file from there on with all of the block; `None` at the very end of the file.
    fn map_block(&self) -> Result<Option<(BlockHeader, MappedFile)>, DatasetError> {
        if self.at >= self.size {
            return Ok(None);
        }
        let truncated = || DatasetError::Truncated { file: self.path.clone(), at: self.at };
        // How long the block is only its header tells. Room in a map costs nothing before it is touched.
        let map = map(&self.path, &self.file, self.at, BLOCK_HEADER + LARGEST_BLOCK)?;
        let (header, behind) = map.bytes().split_first_chunk().ok_or_else(truncated)?;
        let header = BlockHeader::read(header).map_err(|reason| DatasetError::damaged(&self.path, self.at, reason))?;
        if behind.len() < header.payload {
            return Err(truncated());
        }
        Ok(Some((header, map)))
    }
}

/// At most so many bytes of a shard from a place on.
fn map(path: &Path, file: &File, from: u64, most: usize) -> Result<MappedFile, DatasetError> {
    MappedFile::part(file, from, most).map_err(|error| {
        let sentence = format!("the system cannot map it into memory ({error}); copy it to another disk");
        DatasetError::Io { file: path.to_owned(), source: io::Error::new(error.kind(), sentence) }
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kiebitz_chess::Position;

    use super::*;
    use crate::{Link, ShardIndex, ShardWriter};

    /// Chains of a block; together they take several pages of memory.
    const CHAINS: u64 = 10_000;

    /// A shard with so many equal blocks, and where they begin.
    fn shard(path: &Path, blocks: usize) -> Vec<u64> {
        let mut writer = ShardWriter::create(path, &Description::default()).unwrap();
        let moves = Position::default().legal_moves();
        for number in 0..CHAINS as usize {
            let links = vec![Link::new(Some(moves[number % moves.len()]))];
            writer.write(&Chain { links, ..Chain::default() }).unwrap();
        }
        writer.finish().unwrap();
        let mut block = Block::default();
        assert!(ShardReader::open(path).unwrap().next_block(&mut block).unwrap());
        let mut writer = ShardWriter::create(path, &Description::default()).unwrap();
        for _ in 0..blocks {
            writer.write_block(&block).unwrap();
        }
        writer.finish().unwrap();
        ShardIndex::read(path).unwrap().blocks.iter().map(|block| block.at).collect()
    }

    fn chains(block: &Block) -> u64 {
        let mut count = 0;
        block.visit_chains(|_| count += 1).unwrap();
        count
    }

    #[test]
    fn a_file_cut_off_after_it_was_opened_is_an_error_and_no_signal() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.kbz");
        let begins = shard(&path, 3);
        let (second, length) = (begins[1], begins[2] - begins[1]);
        assert!(length > 20_000, "a block of several pages");
        // The second block ends early, in its middle, in its header, right before it; the first one ends early; nothing is left.
        for left in [begins[2] - 1, second + length / 2, second + 10, second, begins[0] + 100, 0] {
            shard(&path, 3);
            let mut reader = ShardReader::open(&path).unwrap();
            let mut block = Block::default();
            assert!(reader.next_block(&mut block).unwrap());
            assert_eq!(chains(&block), CHAINS);
            File::options().write(true).open(&path).unwrap().set_len(left).unwrap();
            for _ in 0..2 {
                let error = reader.next_block(&mut block).unwrap_err();
                assert!(matches!(error, DatasetError::Truncated { at, .. } if at == second), "{left} bytes: {error}");
                let error = reader.skip_block().unwrap_err();
                assert!(matches!(error, DatasetError::Truncated { at, .. } if at == second), "{left} bytes: {error}");
            }
        }
    }

    #[test]
    fn a_cut_between_blocks_before_opening_is_the_end_and_one_within_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.kbz");
        let begins = shard(&path, 3);
        let whole = fs::read(&path).unwrap();
        for (left, blocks, cut_at) in [
            (begins[2], 2, None),
            (begins[2] + 1, 2, Some(begins[2])),
            (begins[1] + 24, 1, Some(begins[1])),
            (whole.len() as u64 - 1, 2, Some(begins[2])),
            (whole.len() as u64, 3, None),
        ] {
            fs::write(&path, &whole[..left as usize]).unwrap();
            let index = ShardIndex::read(&path).unwrap();
            assert_eq!((index.blocks.len(), index.cut_at), (blocks, cut_at), "{left} bytes");
        }
    }

    #[test]
    fn a_block_stays_when_its_reader_goes_and_its_file_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.kbz");
        shard(&path, 1);
        let mut block = Block::default();
        assert!(block.payload().is_empty());
        assert!(ShardReader::open(&path).unwrap().next_block(&mut block).unwrap());
        ShardWriter::create(&path, &Description::default()).unwrap().finish().unwrap();
        assert_eq!(chains(&block), CHAINS);
        fs::remove_file(&path).unwrap();
        assert_eq!(chains(&block.clone()), CHAINS);
    }

    #[test]
    fn what_is_too_short_or_no_file_is_told_so() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.kbz");
        for bytes in [&b""[..], b"KBZD"] {
            fs::write(&path, bytes).unwrap();
            let error = ShardReader::open(&path).unwrap_err().to_string();
            assert!(error.ends_with("samples.kbz is not a shard of Kiebitz: it is too short"), "{error}");
        }
        fs::write(&path, b"KBZD\x01\0\0\0\x09\0\0\0{}").unwrap();
        let error = ShardReader::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("its header is cut off"), "{error}");
        let error = ShardReader::open(place.path()).unwrap_err().to_string();
        assert!(error.contains("it is a folder, a pipe or a device"), "{error}");
    }
}
