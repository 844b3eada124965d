//! Stockfish's compressed training data, read and written by ourselves: the readers that exist trust their input.
//!
//! ```text
//! file    chunks: "BINP", size (4, little-endian), chains
//! chain   occupied squares (8), pieces at half a byte (16), move (2), score (2), ply and result (2), halfmove clock (2),
//!         count of further positions (2), all big-endian; then bits, the highest of a byte first, filled up to a byte
//! bits    number of the moving piece, number of its target, difference of the score: see `moves` and `put_score`
//! ```
//!
//! Scores and results are the side to move's; 32002 stands for no score.

mod bits;
mod moves;
mod stem;

use std::path::Path;

use kiebitz_chess::{Outcome, Position};

use self::bits::{HighBitReader, HighBitWriter};
use self::moves::{put_move, take_move};
use self::stem::{STEM, Stem};
use super::fixed_records::FixedRecords;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, DatasetError, Link, WrittenFile};

const MAGIC: [u8; 4] = *b"BINP";
/// A chunk is finished once it has so many bytes.
const CHUNK: usize = 1 << 20;
/// No chunk is larger.
const LARGEST_CHUNK: usize = 100 << 20;
/// Bytes of the count behind the stem.
const COUNT: usize = 2;
/// The score of a position that has none.
const NO_SCORE: i16 = 32_002;
/// Bits of a score's difference between two marks that tell whether more follow.
const SCORE_PART: u32 = 4;

/// Reads chains.
#[derive(Debug)]
pub(crate) struct BinpackSource {
    records: FixedRecords,
    chunk: Vec<u8>,
    at: usize,
}

impl BinpackSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self { records: FixedRecords::open(path)?, chunk: Vec::new(), at: 0 })
    }

    /// Reads the next chunk; `false` behind the last.
    fn next_chunk(&mut self) -> Result<bool, DatasetError> {
        let Some(header) = self.records.next_record::<8>()? else {
            return Ok(false);
        };
        if header[..4] != MAGIC {
            return Err(self.records.damaged("no chunk begins here"));
        }
        let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if size > LARGEST_CHUNK {
            return Err(self.records.damaged("a chunk is larger than chunks can be"));
        }
        self.chunk.resize(size, 0);
        self.at = 0;
        let mut chunk = std::mem::take(&mut self.chunk);
        let filled = self.records.fill(&mut chunk);
        self.chunk = chunk;
        filled.map(|()| true)
    }
}

impl ChainSource for BinpackSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        while self.at + STEM + COUNT > self.chunk.len() {
            if !self.next_chunk()? {
                return Ok(false);
            }
        }
        let rest = &self.chunk[self.at..];
        let used = read_chain(rest, chain).map_err(|reason| self.records.damaged(reason))?;
        self.at += used;
        Ok(true)
    }

    fn consumed(&self) -> u64 {
        self.records.consumed()
    }
}

/// Reads one chain; says how many bytes it takes.
fn read_chain(bytes: &[u8], chain: &mut Chain) -> Result<usize, String> {
    let (stem, rest) = bytes.split_first_chunk::<STEM>().ok_or("a chain is cut off")?;
    let (count, rest) = rest.split_first_chunk::<COUNT>().ok_or("a chain is cut off")?;
    let stem = Stem::read(stem)?;
    chain.head.start = stem.position.clone();
    chain.head.result = Some(stem.result);
    chain.head.ratings = [None; 2];
    chain.links.clear();
    chain.links.push(Link { score: read_score(stem.score), ..Link::new(stem.mv) });
    let mut position = stem.position;
    let (mut mv, mut score) = (stem.mv, stem.score);
    let mut reader = HighBitReader::new(rest);
    for _ in 0..u16::from_be_bytes(*count) {
        position.play(mv.ok_or("a chain goes on after a position without a move")?);
        let next = take_move(&mut reader, &position).ok_or_else(|| format!("a move is not legal in {position}"))?;
        score = score.wrapping_neg().wrapping_add(take_score(&mut reader));
        mv = Some(next);
        chain.links.push(Link { score: read_score(score), ..Link::new(mv) });
    }
    let used = reader.whole_bytes();
    if used > rest.len() {
        return Err("a chain is cut off".to_owned());
    }
    Ok(STEM + COUNT + used)
}

fn read_score(score: i16) -> Option<i16> {
    (score != NO_SCORE).then_some(score)
}

/// A difference of scores: folded to 0, -1, 1, -2, …, then four bits at a time, the lowest first, each with a bit in
/// front that tells whether more follow.
fn put_score(writer: &mut HighBitWriter, difference: i16) {
    let mut folded = (difference << 1 ^ difference >> 15) as u16;
    loop {
        let part = u32::from(folded & ((1 << SCORE_PART) - 1));
        folded >>= SCORE_PART;
        let more = u32::from(folded > 0) << SCORE_PART;
        writer.put(part | more, SCORE_PART + 1);
        if more == 0 {
            return;
        }
    }
}

fn take_score(reader: &mut HighBitReader<'_>) -> i16 {
    let mut folded = 0_u16;
    for shift in (0..16).step_by(SCORE_PART as usize) {
        let part = reader.take(SCORE_PART + 1);
        folded |= ((part & ((1 << SCORE_PART) - 1)) << shift) as u16;
        if part >> SCORE_PART == 0 {
            break;
        }
    }
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

/// Writes chains.
#[derive(Debug)]
pub(crate) struct BinpackSink {
    file: OutputFile,
    chunk: Vec<u8>,
}

impl BinpackSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self { file: OutputFile::create(path)?, chunk: Vec::with_capacity(CHUNK * 9 / 8) })
    }

    fn end_chunk(&mut self) -> Result<(), DatasetError> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.file.put(&MAGIC)?;
        self.file.put(&(self.chunk.len() as u32).to_le_bytes())?;
        self.file.put(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }
}

impl ChainSink for BinpackSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let mut chunk = std::mem::take(&mut self.chunk);
        let mut problem = None;
        chain.kept_runs(|run| {
            if let Err(reason) = put_chain(&run, &mut chunk) {
                problem = Some(reason);
            }
        });
        self.chunk = chunk;
        if let Some(reason) = problem {
            return Err(self.file.inexpressible(reason));
        }
        if self.chunk.len() >= CHUNK { self.end_chunk() } else { Ok(()) }
    }

    fn bytes(&self) -> u64 {
        self.file.bytes() + self.chunk.len() as u64
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        self.end_chunk()?;
        Ok(vec![self.file.finish()?])
    }
}

fn put_chain(chain: &Chain, bytes: &mut Vec<u8>) -> Result<(), String> {
    let Some((first, others)) = chain.links.split_first() else {
        return Ok(());
    };
    let result = chain.head.result.ok_or("the format needs a result, and a sample has none")?;
    let mut position = chain.head.start.clone();
    let mut mv = first.mv;
    let mut score = first.score.unwrap_or(NO_SCORE);
    let stem = Stem { position: position.clone(), mv, score, result }.to_bytes()?;
    let mut writer = HighBitWriter::default();
    let mut count = 0_u16;
    for link in others {
        position.play(mv.ok_or("only the last position of a chain may be without a move")?);
        let Some(next) = link.mv else {
            // The format's positions all have moves; one that has none stands alone.
            let last = Chain { head: crate::ChainHead { start: position, ..chain.head.clone() }, links: vec![*link] };
            finish_chain(bytes, &stem, count, &mut writer);
            return put_chain(&last, bytes);
        };
        if !put_move(&mut writer, &position, next) {
            return Err(format!("{next} is not legal in {position}"));
        }
        let next_score = link.score.unwrap_or(NO_SCORE);
        put_score(&mut writer, next_score.wrapping_sub(score.wrapping_neg()));
        (mv, score) = (Some(next), next_score);
        count = count.checked_add(1).ok_or("a chain is longer than the format allows")?;
    }
    finish_chain(bytes, &stem, count, &mut writer);
    Ok(())
}

fn finish_chain(bytes: &mut Vec<u8>, stem: &[u8; STEM], count: u16, writer: &mut HighBitWriter) {
    bytes.extend(stem);
    bytes.extend(count.to_be_bytes());
    bytes.extend(writer.finish());
}

/// The result for the side to move: 1, 0 or -1.
fn points(result: Outcome, position: &Position) -> i16 {
    match result {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == position.side_to_move() => 1,
        Outcome::Win(_) => -1,
    }
}
