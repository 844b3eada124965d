//! Bullet's boards: 32 bytes each, seen by the side to move.
//!
//! ```text
//! 0   occupied squares, 8 bytes           24  score, 2 bytes
//! 8   pieces, half a byte each, 16 bytes  26  result: 0, 1 or 2 half points
//!     (8 for the opponent's)              27  own king, opponent's king (seen by the opponent), 3 bytes of nothing
//! ```
//!
//! The board is turned so that the mover plays up the board as White does; castling, en passant and counters are
//! not said. Reading therefore yields positions with White to move.

use std::path::Path;

use kiebitz_chess::{Bitboard, Color, Outcome, Piece, PieceKind, Position, Setup};

use super::fixed_records::FixedRecords;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, ChainHead, DatasetError, Link, WrittenFile};

const RECORD: usize = 32;
/// The bit that tells the opponent's pieces.
const OPPONENT: u8 = 8;

/// Reads boards.
#[derive(Debug)]
pub(crate) struct BulletformatSource(FixedRecords);

impl BulletformatSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        FixedRecords::open(path).map(Self)
    }
}

impl ChainSource for BulletformatSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        let Some(record) = self.0.next_record::<RECORD>()? else {
            return Ok(false);
        };
        *chain = read_record(&record).map_err(|reason| self.0.damaged(reason))?;
        Ok(true)
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

fn read_record(record: &[u8; RECORD]) -> Result<Chain, String> {
    let mut setup = Setup { side_to_move: Color::White, ..Setup::EMPTY };
    let (occupied, rest) = record.split_first_chunk::<8>().ok_or("too short")?;
    let occupied = Bitboard(u64::from_le_bytes(*occupied));
    if occupied.len() > 32 {
        return Err(format!("{} pieces", occupied.len()));
    }
    for (number, square) in occupied.into_iter().enumerate() {
        let code = rest[number / 2] >> (number % 2 * 4) & 15;
        let color = if code & OPPONENT == 0 { Color::White } else { Color::Black };
        let kind = PieceKind::ALL.get(usize::from(code & !OPPONENT)).ok_or(format!("no piece has the code {code}"))?;
        setup.board.set(square, Some(Piece::new(color, *kind)));
    }
    let start = Position::try_from(setup).map_err(|violation| violation.to_string())?;
    let score = i16::from_le_bytes([record[24], record[25]]);
    let result = match record[26] {
        0 => Outcome::Win(Color::Black),
        1 => Outcome::Draw,
        2 => Outcome::Win(Color::White),
        other => return Err(format!("{other} is not a result")),
    };
    let link = Link { score: Some(score), ..Link::new(None) };
    Ok(Chain { head: ChainHead { start, result: Some(result), ratings: [None; 2] }, links: vec![link] })
}

/// Writes boards.
#[derive(Debug)]
pub(crate) struct BulletformatSink(OutputFile);

impl BulletformatSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        OutputFile::create(path).map(Self)
    }
}

/// The record of a position, or what it lacks.
fn record(position: &Position, link: &Link, result: Option<Outcome>) -> Result<[u8; RECORD], &'static str> {
    let us = position.side_to_move();
    let turned = |set: Bitboard| {
        if us == Color::White { set } else { set.flip_ranks() }
    };
    let mut bytes = [0; RECORD];
    let occupied = turned(position.occupied());
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (number, square) in occupied.into_iter().enumerate() {
        let piece = position.piece_at(square.relative_to(us)).ok_or("piece")?;
        let code = piece.kind as u8 | if piece.color == us { 0 } else { OPPONENT };
        bytes[8 + number / 2] |= code << (number % 2 * 4);
    }
    let score = link.score.ok_or("score")?;
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = (result.ok_or("result")?.points(us) * 2.0) as u8;
    bytes[27] = position.king(us).relative_to(us) as u8;
    bytes[28] = position.king(!us).relative_to(!us) as u8;
    Ok(bytes)
}

impl ChainSink for BulletformatSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let mut records = Vec::with_capacity(chain.links.len() * RECORD);
        let mut missing = None;
        chain.visit(|position, link| {
            if link.kept {
                match record(position, link, chain.head.result) {
                    Ok(record) => records.extend(record),
                    Err(what) => missing = Some(what),
                }
            }
        });
        match missing {
            Some(what) => Err(self.0.inexpressible(super::lacking(what))),
            None => self.0.put(&records),
        }
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        Ok(vec![self.0.finish()?])
    }
}
