//! A legal move as two small numbers: which piece, and which of its targets.
//!
//! The numbers are part of the file format: own pieces by square, from a1 to h8, then the piece's targets by square, own pieces
//! left out. Targets are chosen so that they cost next to nothing to find:
//!
//! | piece | targets |
//! |---|---|
//! | bishop, rook, queen | their lines on an empty board |
//! | knight | its leaps |
//! | king | the squares beside it, and the rooks with which it may still castle |
//! | pawn | free squares ahead, enemies to take, the en-passant square; four numbers each where it promotes, knight first |
//!
//! Which of them are legal is looked at only after the choice. That costs a fraction of a bit, but takes slider tables,
//! checks and pins out of the chain of things that wait for each other: the CPU plays on while it makes sure.
//!
//! **Invariant:** whatever bits are read, a move that comes out is legal.

use kiebitz_chess::attacks;
use kiebitz_chess::{Bitboard, Color, Move, MoveKind, PieceKind, Position, Rank, Square};

use crate::bits::{BitReader, BitWriter};
use crate::pick::Pick;

/// What a pawn may become, in the order of the format.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Writes a move; `false`, with nothing written, when it is not legal here.
pub(crate) fn put_move(writer: &mut BitWriter, position: &Position, mv: Move) -> bool {
    let Some(kind) = position.board().kind_at(mv.from()) else {
        return false;
    };
    if !position.is_legal(mv) {
        return false;
    }
    let own = position.board().color(position.side_to_move());
    let targets = targets(position, mv.from(), kind);
    let (target, count) = (squares_before(targets, mv.to()), targets.len() as u32);
    writer.put_choice(squares_before(own, mv.from()), own.len() as u32);
    match mv.promotion() {
        Some(kind) => writer.put_choice(target * 4 + (kind as u32 - PieceKind::Knight as u32), count * 4),
        None => writer.put_choice(target, count),
    }
    true
}

/// Reads a move; `None` when the choice is not a legal move, which no writer makes.
#[inline(always)]
pub(crate) fn take_move(reader: &mut BitReader<'_>, position: &Position, pick: impl Pick) -> Option<Move> {
    let board = position.board();
    let us = position.side_to_move();
    let own = board.color(us);
    let from = pick.nth(own, reader.take_choice(own.len() as u32))?;
    let kind = board.kind_at(from)?;
    let targets = targets(position, from, kind);
    let count = targets.len() as u32;
    if count == 0 {
        return None;
    }
    let promoting = kind == PieceKind::Pawn && from.rank() == Rank::Seventh.relative_to(us);
    let (target, promotion) = if promoting {
        let number = reader.take_choice(count * 4);
        (number / 4, number % 4)
    } else {
        (reader.take_choice(count), 0)
    };
    let to = pick.nth(targets, target)?;
    let capture = board.occupied().contains(to);
    let ordinary = if capture { MoveKind::Capture } else { MoveKind::Quiet };
    let mv = match kind {
        PieceKind::Pawn if promoting => {
            Move::new(from, to, MoveKind::promotion(PROMOTIONS[promotion as usize], capture))
        }
        PieceKind::Pawn if position.en_passant() == Some(to) && from.file() != to.file() => {
            return Some(Move::new(from, to, MoveKind::EnPassant)).filter(|&mv| position.is_legal(mv));
        }
        PieceKind::Pawn if (to as u8).abs_diff(from as u8) == 16 => Move::new(from, to, MoveKind::DoublePush),
        PieceKind::King => return king_move(position, from, to, ordinary),
        _ => Move::new(from, to, ordinary),
    };
    let legality = position.legality();
    let blocked = kind != PieceKind::Knight && attacks::between(from, to).intersects(board.occupied());
    if blocked || !legality.targets().contains(to) {
        return None;
    }
    let pinned = legality.pinned(position).contains(from);
    (!pinned || position.is_legal_with(mv, &legality)).then_some(mv)
}

/// The king's move to one of its targets, if it is legal.
#[inline]
fn king_move(position: &Position, from: Square, to: Square, ordinary: MoveKind) -> Option<Move> {
    let us = position.side_to_move();
    if position.board().color(us).contains(to) {
        let kind = if to.file() > from.file() { MoveKind::CastleKing } else { MoveKind::CastleQueen };
        return Some(Move::new(from, to, kind)).filter(|&mv| position.is_legal(mv));
    }
    // The king itself must not hide the square behind it.
    let attacked = position.attackers(to, !us, position.occupied().without(from)).any();
    (!attacked).then_some(Move::new(from, to, ordinary))
}

/// The targets that the numbers of one piece's moves refer to.
#[inline(always)]
fn targets(position: &Position, from: Square, kind: PieceKind) -> Bitboard {
    let board = position.board();
    let us = position.side_to_move();
    let own = board.color(us);
    match kind {
        PieceKind::Pawn => pawn_targets(us, from, own, board.occupied(), position.en_passant()),
        PieceKind::Knight => attacks::knight(from) - own,
        PieceKind::Bishop => attacks::diagonals(from) - own,
        PieceKind::Rook => attacks::straights(from) - own,
        PieceKind::Queen => (attacks::diagonals(from) | attacks::straights(from)) - own,
        PieceKind::King => (attacks::king(from) - own) | (position.castling_rooks() & own),
    }
}

/// How many squares of a set come before this one.
fn squares_before(set: Bitboard, square: Square) -> u32 {
    (set.0 & (square.bitboard().0 - 1)).count_ones()
}

#[inline(always)]
fn pawn_targets(us: Color, from: Square, own: Bitboard, occupied: Bitboard, en_passant: Option<Square>) -> Bitboard {
    let ahead: i8 = if us == Color::White { 8 } else { -8 };
    let single = from.bitboard().shifted(ahead) - occupied;
    let double = (single & Rank::Third.relative_to(us).bitboard()).shifted(ahead) - occupied;
    let prey = (occupied - own) | en_passant.map_or(Bitboard::EMPTY, Square::bitboard);
    single | double | attacks::pawn(us, from) & prey
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::ByHalving;

    /// Every legal move of positions with pins, checks, castling, promotions and en passant comes back.
    #[test]
    fn every_legal_move_comes_back() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "4k3/8/8/8/1b6/8/3P4/R3K2R w KQ - 0 1",
        ];
        for fen in fens {
            let position: Position = fen.parse().unwrap();
            for mv in position.legal_moves() {
                let mut writer = BitWriter::default();
                assert!(put_move(&mut writer, &position, mv), "{mv} in {fen}");
                writer.align();
                let bytes = writer.bytes().to_vec();
                assert_eq!(take_move(&mut BitReader::new(&bytes, 0), &position, ByHalving), Some(mv), "{fen}");
            }
        }
    }

    #[test]
    fn illegal_moves_are_not_written() {
        let mut writer = BitWriter::default();
        let position = Position::default();
        for mv in [
            Move::NULL,
            Move::new(Square::E2, Square::E5, MoveKind::Quiet),
            Move::new(Square::E7, Square::E5, MoveKind::DoublePush),
        ] {
            assert!(!put_move(&mut writer, &position, mv), "{mv}");
        }
        writer.align();
        assert!(writer.bytes().is_empty());
    }
}
