//! A position in 8 bytes and half a byte a piece.
//!
//! The occupied squares as a bitboard, then four bits for each piece from a1 to h8: its kind and color, or one of three things
//! that only certain pieces can say: a pawn that can be taken en passant, a rook that may still castle, and a
//! black king with Black to move. Then both counters.

use kiebitz_chess::{Bitboard, Color, Piece, PieceKind, Position, Rank, Setup};

use crate::bits::{BitReader, BitWriter};

const EN_PASSANT_PAWN: u64 = 12;
const CASTLING_ROOK: u64 = 13;
const BLACK_KING_TO_MOVE: u64 = 14;

/// Appends a position.
pub(crate) fn put_position(writer: &mut BitWriter, position: &Position) {
    let occupied = position.occupied();
    writer.put(occupied.0 & 0xffff_ffff, 32);
    writer.put(occupied.0 >> 32, 32);
    let black_to_move = position.side_to_move() == Color::Black;
    // The pawn stands behind the square on which it can be taken, as its own side sees it.
    let double_pushed =
        position.en_passant().map(|square| square.bitboard().shifted(if black_to_move { 8 } else { -8 }));
    for square in occupied {
        let Some(piece) = position.piece_at(square) else {
            continue;
        };
        let plain = piece.kind as u64 * 2 + piece.color as u64;
        let code = match piece.kind {
            PieceKind::Pawn if double_pushed == Some(square.bitboard()) => EN_PASSANT_PAWN,
            PieceKind::Rook if position.castling_rooks().contains(square) => CASTLING_ROOK,
            PieceKind::King if piece.color == Color::Black && black_to_move => BLACK_KING_TO_MOVE,
            _ => plain,
        };
        writer.put(code, 4);
    }
    writer.align();
    writer.put_varying(u32::from(position.halfmove_clock()));
    writer.put_varying(u32::from(position.fullmove_number()));
}

/// Reads a position; the reason when there is none.
pub(crate) fn take_position(reader: &mut BitReader<'_>) -> Result<Position, String> {
    let low = u64::from(reader.take(32));
    let occupied = Bitboard(low | u64::from(reader.take(32)) << 32);
    if occupied.len() > 32 {
        return Err(format!("{} pieces", occupied.len()));
    }
    let mut setup = Setup { side_to_move: Color::White, ..Setup::EMPTY };
    for square in occupied {
        let code = u64::from(reader.take(4));
        // Rooks that may castle stand on their own back rank, pawns that went two squares on their fourth.
        let white = matches!(square.rank(), Rank::First | Rank::Fourth);
        let by_rank = if white { Color::White } else { Color::Black };
        let piece = match code {
            EN_PASSANT_PAWN => {
                setup.en_passant = square.offset(0, if white { -1 } else { 1 });
                Piece::new(by_rank, PieceKind::Pawn)
            }
            CASTLING_ROOK => {
                setup.castling_rooks = setup.castling_rooks.with(square);
                Piece::new(by_rank, PieceKind::Rook)
            }
            BLACK_KING_TO_MOVE => {
                setup.side_to_move = Color::Black;
                Piece::new(Color::Black, PieceKind::King)
            }
            plain => match PieceKind::ALL.get(plain as usize / 2) {
                Some(&kind) => Piece::new(Color::ALL[plain as usize % 2], kind),
                None => return Err(format!("no piece has the code {plain}")),
            },
        };
        setup.board.set(square, Some(piece));
    }
    reader.align();
    let mut counter =
        || reader.take_varying().and_then(|value| u16::try_from(value).ok()).ok_or("a counter is too large");
    setup.halfmove_clock = counter()?;
    setup.fullmove_number = counter()?;
    Position::try_from(setup).map_err(|violation| violation.to_string())
}
