//! Viridithas' games: a packed board of 32 bytes, four bytes a move, four zero bytes at the end.
//!
//! ```text
//! board   occupied squares (8), pieces at half a byte (16; 8 for Black's, 6 for a rook that may castle), side and
//!         en-passant square (1), halfmove clock (1), move number (2), score (2), White's half points (1), extra (1)
//! move    from, to (6 bits each), promotion (2), kind (2): 0 plain, 1 en passant, 2 castling, 3 promotion; then the score (2)
//! ```
//!
//! Scores are White's. Castling is king takes rook.

use std::path::Path;

use kiebitz_chess::{Bitboard, Color, Move, MoveKind, Outcome, Piece, PieceKind, Position, Setup, Square};

use super::fixed_records::FixedRecords;
use super::{ChainSink, ChainSource};
use crate::chain_code::MAX_LINKS;
use crate::output_file::OutputFile;
use crate::{Chain, DatasetError, Link, WrittenFile};

const BOARD: usize = 32;
const STEP: usize = 4;
const BLACK: u8 = 8;
const CASTLING_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;

const KIND_SHIFT: u32 = 14;
const PROMOTION_SHIFT: u32 = 12;
const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
const PROMOTION: u16 = 3;

/// Reads games.
#[derive(Debug)]
pub(crate) struct ViriformatSource(FixedRecords);

impl ViriformatSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        FixedRecords::open(path).map(Self)
    }
}

impl ChainSource for ViriformatSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            let Some(board) = self.0.next_record::<BOARD>()? else {
                return Ok(false);
            };
            let (start, result) = read_board(&board).map_err(|reason| self.0.damaged(reason))?;
            let mut position = start.clone();
            chain.head.start = start;
            chain.head.result = Some(result);
            chain.head.ratings = [None; 2];
            chain.links.clear();
            loop {
                let step = self.0.next_record::<STEP>()?.ok_or_else(|| self.0.truncated())?;
                if step == [0; STEP] {
                    break;
                }
                let mv = read_move(u16::from_le_bytes([step[0], step[1]]), &position);
                let mv = mv.ok_or_else(|| self.0.damaged(format!("a move is not legal in {position}")))?;
                let white = i16::from_le_bytes([step[2], step[3]]);
                let score = if position.side_to_move() == Color::White { white } else { white.saturating_neg() };
                if chain.links.len() == MAX_LINKS {
                    return Err(self.0.damaged("a game is longer than games can be"));
                }
                chain.links.push(Link { score: Some(score), ..Link::new(Some(mv)) });
                position.play(mv);
            }
            // A game without a move has nothing to say.
            if !chain.links.is_empty() {
                return Ok(true);
            }
        }
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

fn read_board(board: &[u8; BOARD]) -> Result<(Position, Outcome), String> {
    let mut setup = Setup { side_to_move: Color::White, ..Setup::EMPTY };
    let (occupied, rest) = board.split_first_chunk::<8>().ok_or("too short")?;
    let occupied = Bitboard(u64::from_le_bytes(*occupied));
    if occupied.len() > 32 {
        return Err(format!("{} pieces", occupied.len()));
    }
    for (number, square) in occupied.into_iter().enumerate() {
        let code = rest[number / 2] >> (number % 2 * 4) & 15;
        let color = if code & BLACK == 0 { Color::White } else { Color::Black };
        let kind = if code & !BLACK == CASTLING_ROOK {
            setup.castling_rooks = setup.castling_rooks.with(square);
            PieceKind::Rook
        } else {
            *PieceKind::ALL.get(usize::from(code & !BLACK)).ok_or(format!("no piece has the code {code}"))?
        };
        setup.board.set(square, Some(Piece::new(color, kind)));
    }
    if board[24] & BLACK_TO_MOVE != 0 {
        setup.side_to_move = Color::Black;
    }
    setup.en_passant = Square::ALL.get(usize::from(board[24] & !BLACK_TO_MOVE)).copied();
    setup.halfmove_clock = u16::from(board[25]);
    setup.fullmove_number = u16::from_le_bytes([board[26], board[27]]).max(1);
    let result = match board[30] {
        0 => Outcome::Win(Color::Black),
        1 => Outcome::Draw,
        2 => Outcome::Win(Color::White),
        other => return Err(format!("{other} is not a result")),
    };
    Ok((Position::try_from(setup).map_err(|violation| violation.to_string())?, result))
}

fn read_move(bits: u16, position: &Position) -> Option<Move> {
    let from = *Square::ALL.get(usize::from(bits & 63))?;
    let to = *Square::ALL.get(usize::from(bits >> 6 & 63))?;
    let capture = position.occupied().contains(to);
    let kind = match bits >> KIND_SHIFT {
        PROMOTION => {
            let kind = PieceKind::ALL.get(usize::from(bits >> PROMOTION_SHIFT & 3) + PieceKind::Knight as usize)?;
            MoveKind::promotion(*kind, capture)
        }
        CASTLING if to.file() > from.file() => MoveKind::CastleKing,
        CASTLING => MoveKind::CastleQueen,
        EN_PASSANT => MoveKind::EnPassant,
        _ if capture => MoveKind::Capture,
        _ if position.board().kind_at(from) == Some(PieceKind::Pawn) && (to as u8).abs_diff(from as u8) == 16 => {
            MoveKind::DoublePush
        }
        _ => MoveKind::Quiet,
    };
    Some(Move::new(from, to, kind)).filter(|&mv| position.is_legal(mv))
}

/// Writes games.
#[derive(Debug)]
pub(crate) struct ViriformatSink(OutputFile);

impl ViriformatSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        OutputFile::create(path).map(Self)
    }
}

impl ChainSink for ViriformatSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let mut bytes = Vec::new();
        let mut missing = None;
        chain.kept_runs(|run| {
            if let Err(what) = put_game(&run, &mut bytes) {
                missing = Some(what);
            }
        });
        match missing {
            Some(what) => Err(self.0.inexpressible(super::lacking(what))),
            None => self.0.put(&bytes),
        }
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        Ok(vec![self.0.finish()?])
    }
}

fn put_game(chain: &Chain, bytes: &mut Vec<u8>) -> Result<(), &'static str> {
    let start = &chain.head.start;
    let result = chain.head.result.ok_or("result")?;
    bytes.extend(start.occupied().0.to_le_bytes());
    let mut pieces = [0; 16];
    for (number, square) in start.occupied().into_iter().enumerate() {
        let piece = start.piece_at(square).ok_or("piece")?;
        let kind = if start.castling_rooks().contains(square) { CASTLING_ROOK } else { piece.kind as u8 };
        pieces[number / 2] |= (kind | (piece.color as u8 * BLACK)) << (number % 2 * 4);
    }
    bytes.extend(pieces);
    let passed = start.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes.push((start.side_to_move() as u8 * BLACK_TO_MOVE) | passed);
    bytes.push(u8::try_from(start.halfmove_clock()).unwrap_or(u8::MAX));
    bytes.extend(start.fullmove_number().to_le_bytes());
    bytes.extend([0; 2]);
    bytes.push((result.points(Color::White) * 2.0) as u8);
    bytes.push(0);
    let mut mover = start.side_to_move();
    for link in &chain.links {
        let score = link.score.ok_or("score")?;
        let white = if mover == Color::White { score } else { score.saturating_neg() };
        bytes.extend(move_bits(link.mv.ok_or("move")?).to_le_bytes());
        bytes.extend(white.to_le_bytes());
        mover = !mover;
    }
    bytes.extend([0; STEP]);
    Ok(())
}

fn move_bits(mv: Move) -> u16 {
    let kind = match mv.kind() {
        MoveKind::EnPassant => EN_PASSANT << KIND_SHIFT,
        MoveKind::CastleKing | MoveKind::CastleQueen => CASTLING << KIND_SHIFT,
        _ => match mv.promotion() {
            Some(kind) => PROMOTION << KIND_SHIFT | (kind as u16 - PieceKind::Knight as u16) << PROMOTION_SHIFT,
            None => 0,
        },
    };
    mv.from() as u16 | (mv.to() as u16) << 6 | kind
}
