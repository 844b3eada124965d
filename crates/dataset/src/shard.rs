//! Files of chains: our own format.
//!
//! ```text
//! file    "KBZD", version (2 bytes), 0 (2 bytes), length of the description (4), description (JSON), checksum (4)
//! block   "BLCK", length of the payload (4), chains (4), positions (4), samples (4), checksum (4), payload
//! ```
//!
//! Numbers are little-endian; a checksum is the CRC-32 of everything before it in its header and, in blocks, of the payload. A block holds
//! whole chains (see `chain_code`) and stands for itself: the complete blocks of a file that was cut off stay readable,
//! and headers alone tell where a sample is. There is no index to lose.
//!
//! **Invariants:** a finished file appears under its name all at once. A damaged or incomplete block is an error that
//! names its place, never a wrong sample. Blocks are mapped and never copied; see `reader` for what that asks of others.

mod index;
mod reader;
mod writer;

pub use index::{BlockEntry, ShardIndex};
pub use reader::{Block, ShardReader};
pub use writer::ShardWriter;

use serde::{Deserialize, Serialize};

/// The first bytes of a shard.
pub const SHARD_MAGIC: [u8; 4] = *b"KBZD";
/// The version that is written, and the only one that is read.
pub const SHARD_VERSION: u16 = 1;
/// The first bytes of a block.
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
/// A block is finished once its payload has so many bytes.
const BLOCK_BYTES: usize = 256 << 10;
/// No block is larger: one chain of the longest kind may come on top of [`BLOCK_BYTES`].
const LARGEST_BLOCK: usize = 4 << 20;
/// No description is larger, in bytes.
const LARGEST_DESCRIPTION: usize = 1 << 20;
/// Bytes before the description, and the checksum behind it.
const FILE_HEADER: usize = 12;
const CHECKSUM: usize = 4;
/// Bytes before a block's payload.
const BLOCK_HEADER: usize = 24;

/// What a shard says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Description {
    /// Whose view scores and results take; always `side to move` for scores here, said for those who read the bytes.
    #[serde(default = "score_view")]
    pub score_view: String,
    /// What a score is, in words: `centipawns of Stockfish 15.1 at 1000 nodes`.
    #[serde(default)]
    pub score_unit: String,
    /// Where the chains come from.
    #[serde(default)]
    pub sources: Vec<String>,
}

fn score_view() -> String {
    "side to move".to_owned()
}

/// How much a block or a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Chains.
    pub chains: u64,
    /// Positions, kept or not.
    pub positions: u64,
    /// Positions that are samples.
    pub samples: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.chains += other.chains;
        self.positions += other.positions;
        self.samples += other.samples;
    }
}

/// The header of a block as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlockHeader {
    payload: usize,
    counts: Counts,
    checksum: u32,
}

impl BlockHeader {
    /// The header in front of this payload.
    fn for_payload(payload: &[u8], counts: Counts) -> [u8; BLOCK_HEADER] {
        let mut bytes = [0; BLOCK_HEADER];
        bytes[..4].copy_from_slice(&BLOCK_MAGIC);
        let numbers = [payload.len() as u64, counts.chains, counts.positions, counts.samples];
        for (number, place) in numbers.into_iter().zip(bytes[4..20].chunks_exact_mut(4)) {
            place.copy_from_slice(&(number as u32).to_le_bytes());
        }
        let checksum = checksum(&bytes[..20], payload);
        bytes[20..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; BLOCK_HEADER]) -> Result<Self, &'static str> {
        if bytes[..4] != BLOCK_MAGIC {
            return Err("no block begins here");
        }
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let header = Self {
            payload: number(4) as usize,
            counts: Counts { chains: number(8).into(), positions: number(12).into(), samples: number(16).into() },
            checksum: number(20),
        };
        if header.payload > LARGEST_BLOCK {
            return Err("a block is larger than blocks can be");
        }
        Ok(header)
    }
}

/// The checksum of a block.
fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}
