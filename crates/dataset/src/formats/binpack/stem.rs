//! The first position of a chain in 32 bytes.

use kiebitz_chess::{Bitboard, Color, Move, MoveKind, Outcome, Piece, PieceKind, Position, Rank, Setup, Square};

use super::moves::plain_move;
use super::points;

/// Its size.
pub(super) const STEM: usize = 32;

/// Codes of pieces that say more than what they are; the others are `kind * 2 + color`.
const EN_PASSANT_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// The kinds of moves, in the upper two bits of a move.
const NORMAL: u16 = 0;
const PROMOTION: u16 = 1;
const CASTLING: u16 = 2;
const EN_PASSANT: u16 = 3;

/// Bits of the ply; the result stands above.
const PLY_BITS: u32 = 14;

/// A position with everything known about it.
#[derive(Clone, Debug)]
pub(super) struct Stem {
    pub(super) position: Position,
    pub(super) mv: Option<Move>,
    pub(super) score: i16,
    pub(super) result: Outcome,
}

impl Stem {
    pub(super) fn read(bytes: &[u8; STEM]) -> Result<Self, String> {
        let number = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let mut setup = Setup { side_to_move: Color::White, ..Setup::EMPTY };
        let (occupied, pieces) = bytes.split_first_chunk::<8>().ok_or("too short")?;
        let occupied = Bitboard(u64::from_be_bytes(*occupied));
        if occupied.len() > 32 {
            return Err(format!("{} pieces", occupied.len()));
        }
        for (index, square) in occupied.into_iter().enumerate() {
            let piece = read_piece(&mut setup, square, pieces[index / 2] >> (index % 2 * 4) & 15)?;
            setup.board.set(square, Some(piece));
        }
        let ply_and_result = number(28);
        let ply = ply_and_result & ((1 << PLY_BITS) - 1);
        setup.fullmove_number = ply / 2 + 1;
        setup.halfmove_clock = number(30);
        let mover = setup.side_to_move;
        let result = match ply_and_result >> PLY_BITS {
            0 => Outcome::Draw,
            1 => Outcome::Win(!mover),
            2 => Outcome::Win(mover),
            _ => return Err("a result is neither win, draw nor loss".to_owned()),
        };
        let position = Position::try_from(setup).map_err(|violation| violation.to_string())?;
        let folded = number(26);
        let score = (folded >> 1) as i16 ^ -((folded & 1) as i16);
        let mv = read_move(number(24), &position)?;
        Ok(Self { position, mv, score, result })
    }

    pub(super) fn to_bytes(&self) -> Result<[u8; STEM], String> {
        let position = &self.position;
        if position.is_chess960() {
            return Err(format!("the format cannot express castling in {position}"));
        }
        let mut bytes = [0; STEM];
        bytes[..8].copy_from_slice(&position.occupied().0.to_be_bytes());
        for (index, square) in position.occupied().into_iter().enumerate() {
            bytes[8 + index / 2] |= piece_code(position, square) << (index % 2 * 4);
        }
        let folded_score = (self.score << 1 ^ self.score >> 15) as u16;
        let result = match points(self.result, position) {
            0 => 0,
            -1 => 1,
            _ => 2,
        };
        let ply = u16::try_from(position.ply()).unwrap_or(u16::MAX).min((1 << PLY_BITS) - 1);
        let numbers = [move_bits(self.mv), folded_score, ply | result << PLY_BITS, position.halfmove_clock()];
        for (number, place) in numbers.into_iter().zip(bytes[24..].chunks_exact_mut(2)) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        Ok(bytes)
    }
}

fn read_piece(setup: &mut Setup, square: Square, code: u8) -> Result<Piece, String> {
    Ok(match code {
        EN_PASSANT_PAWN => {
            let white = square.rank() == Rank::Fourth;
            setup.en_passant = square.offset(0, if white { -1 } else { 1 });
            Piece::new(if white { Color::White } else { Color::Black }, PieceKind::Pawn)
        }
        WHITE_CASTLING_ROOK | BLACK_CASTLING_ROOK => {
            setup.castling_rooks = setup.castling_rooks.with(square);
            Piece::new(if code == WHITE_CASTLING_ROOK { Color::White } else { Color::Black }, PieceKind::Rook)
        }
        BLACK_KING_TO_MOVE => {
            setup.side_to_move = Color::Black;
            Piece::new(Color::Black, PieceKind::King)
        }
        _ => {
            let kind = PieceKind::ALL.get(usize::from(code / 2)).ok_or(format!("no piece has the code {code}"))?;
            Piece::new(Color::ALL[usize::from(code % 2)], *kind)
        }
    })
}

fn piece_code(position: &Position, square: Square) -> u8 {
    let Some(piece) = position.piece_at(square) else {
        return 0;
    };
    let double_pushed = position
        .en_passant()
        .map(|passed| passed.bitboard().shifted(if position.side_to_move() == Color::Black { 8 } else { -8 }));
    match (piece.kind, piece.color) {
        (PieceKind::Pawn, _) if double_pushed == Some(square.bitboard()) => EN_PASSANT_PAWN,
        (PieceKind::Rook, Color::White) if position.castling_rooks().contains(square) => WHITE_CASTLING_ROOK,
        (PieceKind::Rook, Color::Black) if position.castling_rooks().contains(square) => BLACK_CASTLING_ROOK,
        (PieceKind::King, Color::Black) if position.side_to_move() == Color::Black => BLACK_KING_TO_MOVE,
        (kind, color) => kind as u8 * 2 + color as u8,
    }
}

fn read_move(bits: u16, position: &Position) -> Result<Option<Move>, String> {
    if bits == 0 {
        return Ok(None);
    }
    let square = |shift: u32| Square::ALL[usize::from(bits >> shift & 63)];
    let (from, to) = (square(8), square(2));
    let mv = match bits >> 14 {
        PROMOTION => {
            let kind = PieceKind::ALL[usize::from(bits & 3) + PieceKind::Knight as usize];
            Move::new(from, to, MoveKind::promotion(kind, position.occupied().contains(to)))
        }
        CASTLING => {
            let king_side = to.file() > from.file();
            Move::new(from, to, if king_side { MoveKind::CastleKing } else { MoveKind::CastleQueen })
        }
        EN_PASSANT => Move::new(from, to, MoveKind::EnPassant),
        _ => plain_move(position, from, to, position.board().kind_at(from).unwrap_or(PieceKind::King)),
    };
    if position.is_legal(mv) { Ok(Some(mv)) } else { Err(format!("{mv} is not legal in {position}")) }
}

fn move_bits(mv: Option<Move>) -> u16 {
    let Some(mv) = mv else { return 0 };
    let (kind, promotion) = match (mv.kind(), mv.promotion()) {
        (_, Some(promotion)) => (PROMOTION, promotion as u16 - PieceKind::Knight as u16),
        (MoveKind::CastleKing | MoveKind::CastleQueen, _) => (CASTLING, 0),
        (MoveKind::EnPassant, _) => (EN_PASSANT, 0),
        _ => (NORMAL, 0),
    };
    kind << 14 | (mv.from() as u16) << 8 | (mv.to() as u16) << 2 | promotion
}
