//! Moves as Stockfish's data numbers them.
//!
//! The moving piece among the mover's, by square; then the target among those that the piece could reach if no king were
//! ever in danger, by square. Promotions have four numbers a target. Castling follows the king's steps: queen's
//! side first, whichever rights are left.

use kiebitz_chess::{Bitboard, CastlingSide, Color, Move, MoveKind, PieceKind, Position, Rank, Square, attacks};

use super::bits::{HighBitReader, HighBitWriter};
use crate::pick::{ByHalving, Pick};

/// Bits that a number below `choices` takes.
fn width(choices: u32) -> u32 {
    if choices < 2 { 0 } else { 32 - (choices - 1).leading_zeros() }
}

/// How many squares of a set come before this one.
fn before(set: Bitboard, square: Square) -> u32 {
    (set.0 & (square.bitboard().0 - 1)).count_ones()
}

/// Where a piece other than a castling king could go.
fn targets(position: &Position, from: Square, kind: PieceKind) -> Bitboard {
    let us = position.side_to_move();
    let own = position.board().color(us);
    let occupied = position.occupied();
    if kind != PieceKind::Pawn {
        return attacks::piece(kind, us, from, occupied) - own;
    }
    let ahead: i8 = if us == Color::White { 8 } else { -8 };
    let single = from.bitboard().shifted(ahead) - occupied;
    let double = (single & Rank::Third.relative_to(us).bitboard()).shifted(ahead) - occupied;
    let prey = (occupied - own) | position.en_passant().map_or(Bitboard::EMPTY, Square::bitboard);
    single | double | attacks::pawn(us, from) & prey
}

/// The rooks with which the mover may still castle, the queen's side first.
fn castling_rooks(position: &Position) -> impl Iterator<Item = Square> + '_ {
    let us = position.side_to_move();
    [CastlingSide::Queen, CastlingSide::King].into_iter().filter_map(move |side| position.castling_rook(us, side))
}

fn promotes(position: &Position, from: Square, kind: PieceKind) -> bool {
    kind == PieceKind::Pawn && from.rank() == Rank::Seventh.relative_to(position.side_to_move())
}

/// Writes a move; `false` when it is not legal.
pub(super) fn put_move(writer: &mut HighBitWriter, position: &Position, mv: Move) -> bool {
    let Some(kind) = position.board().kind_at(mv.from()) else {
        return false;
    };
    if !position.is_legal(mv) {
        return false;
    }
    let own = position.board().color(position.side_to_move());
    let targets = targets(position, mv.from(), kind);
    let mut choices = targets.len() as u32;
    let mut number = before(targets, mv.to());
    if kind == PieceKind::King {
        if mv.castling().is_some() {
            number = choices + castling_rooks(position).take_while(|&rook| rook != mv.to()).count() as u32;
        }
        choices += castling_rooks(position).count() as u32;
    } else if let Some(promotion) = mv.promotion() {
        number = number * 4 + (promotion as u32 - PieceKind::Knight as u32);
        choices *= 4;
    }
    writer.put(before(own, mv.from()), width(own.len() as u32));
    writer.put(number, width(choices));
    true
}

/// Reads a move; `None` when it is not legal.
pub(super) fn take_move(reader: &mut HighBitReader<'_>, position: &Position) -> Option<Move> {
    let own = position.board().color(position.side_to_move());
    let from = ByHalving.nth(own, reader.take(width(own.len() as u32)))?;
    let kind = position.board().kind_at(from)?;
    let targets = targets(position, from, kind);
    let choices = targets.len() as u32;
    let mv = if promotes(position, from, kind) {
        let number = reader.take(width(choices * 4));
        let to = ByHalving.nth(targets, number / 4)?;
        let promotion = *PieceKind::ALL.get(PieceKind::Knight as usize + number as usize % 4)?;
        Move::new(from, to, MoveKind::promotion(promotion, position.occupied().contains(to)))
    } else if kind == PieceKind::King {
        let number = reader.take(width(choices + castling_rooks(position).count() as u32));
        if number >= choices {
            let rook = castling_rooks(position).nth((number - choices) as usize)?;
            let king_side = rook.file() > from.file();
            Move::new(from, rook, if king_side { MoveKind::CastleKing } else { MoveKind::CastleQueen })
        } else {
            plain_move(position, from, ByHalving.nth(targets, number)?, kind)
        }
    } else {
        plain_move(position, from, ByHalving.nth(targets, reader.take(width(choices)))?, kind)
    };
    Some(mv).filter(|&mv| position.is_legal(mv))
}

/// A move that neither castles nor promotes.
pub(super) fn plain_move(position: &Position, from: Square, to: Square, kind: PieceKind) -> Move {
    let pawn = kind == PieceKind::Pawn;
    let kind = if position.occupied().contains(to) {
        MoveKind::Capture
    } else if pawn && position.en_passant() == Some(to) && from.file() != to.file() {
        MoveKind::EnPassant
    } else if pawn && (to as u8).abs_diff(from as u8) == 16 {
        MoveKind::DoublePush
    } else {
        MoveKind::Quiet
    };
    Move::new(from, to, kind)
}
