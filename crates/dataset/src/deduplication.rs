//! Each position once, in bounded memory.
//!
//! Positions are told apart by their hash, clocks and past left out. When the hashes of all samples do not fit, the file
//! is read several times, each time for a share of the hashes; what remains in memory is one bit a sample. Of equal
//! positions the first stays.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;

use crate::filter::{Removal, Removals};
use crate::seeded::mixed;
use crate::shard::{Block, ShardIndex, ShardReader, ShardWriter};
use crate::{Counts, DatasetError, WrittenFile};

/// Memory for one hash in the set, in bytes: eight and a tag, in a table whose size is a power of two and at most seven
/// eighths of which are filled.
const PER_HASH: u64 = 21;
/// Shares differ a little in size; room beyond the mean, as a part of it, so that no set has to grow.
const SHARE_ROOM: u64 = 50;

/// Hashes are already as random as hashing could make them.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

type Hashes = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// Writes a shard again without the samples whose position came before, and counts those. Of so many bytes of memory, one bit
/// a sample is always needed; the rest is for hashes.
///
/// # Errors
///
/// When the input is damaged or the disk is full.
pub fn deduplicate(
    input: &Path,
    output: &Path,
    memory: u64,
    removals: &mut Removals,
    mut progress: impl FnMut(u64, u64),
) -> Result<(WrittenFile, Counts), DatasetError> {
    let index = ShardIndex::read(input)?;
    let samples = index.counts().samples;
    let room = memory.saturating_sub(samples / 8).max(memory / 2).max(1);
    let shares = (samples * PER_HASH).div_ceil(room).max(1);
    let share_samples = samples.div_ceil(shares);
    let rounds = shares + 1;
    let blocks = index.blocks.len() as u64;
    let mut duplicates = vec![0_u64; (samples as usize).div_ceil(64)];
    let mut block = Block::default();
    for share in 0..shares {
        let room = usize::try_from(share_samples + share_samples / SHARE_ROOM).unwrap_or(0);
        let mut seen = Hashes::with_capacity_and_hasher(room, BuildHasherDefault::default());
        let mut reader = ShardReader::open(input)?;
        let (mut number, mut done) = (0_usize, 0);
        while reader.next_block(&mut block)? {
            block.visit(|sample| {
                if !sample.link.kept {
                    return;
                }
                let hash = mixed(sample.position.key().0);
                if hash % shares == share
                    && !seen.insert(hash)
                    && let Some(word) = duplicates.get_mut(number / 64)
                {
                    *word |= 1 << (number % 64);
                }
                number += 1;
            })?;
            done += 1;
            progress(share * blocks + done, rounds * blocks);
        }
    }
    let mut reader = ShardReader::open(input)?;
    let mut writer = ShardWriter::create(output, &index.description)?;
    let (mut number, mut done) = (0_usize, 0);
    while reader.next_block(&mut block)? {
        let mut outcome = Ok(());
        block.visit_chains(|chain| {
            for link in chain.links.iter_mut().filter(|link| link.kept) {
                if duplicates.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1) {
                    link.kept = false;
                    *removals.entry(Removal::Duplicate).or_default() += 1;
                }
                number += 1;
            }
            let last = chain.links.iter().rposition(|link| link.kept).map_or(0, |last| last + 1);
            chain.links.truncate(last);
            if outcome.is_ok() {
                outcome = writer.write(chain);
            }
        })?;
        outcome?;
        done += 1;
        progress(shares * blocks + done, rounds * blocks);
    }
    let counts = writer.counts();
    Ok((writer.finish()?, counts))
}
