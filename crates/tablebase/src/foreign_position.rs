//! Our position as the tables' reader knows positions.
//!
//! **Invariant:** built from bitboards, never through text: this is on the path of every probe.

use std::num::NonZeroU32;

use kiebitz_chess::{Bitboard, Color, PieceKind, Position};
use shakmaty::{ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};

use crate::ProbeError;

fn refused(reason: impl ToString) -> ProbeError {
    ProbeError::Refused { reason: reason.to_string() }
}

fn foreign(squares: Bitboard) -> shakmaty::Bitboard {
    shakmaty::Bitboard(squares.0)
}

/// The same position, castling rights excepted, which no table knows.
pub(crate) fn foreign_position(position: &Position) -> Result<Chess, ProbeError> {
    let board = position.board();
    let roles = ByRole {
        pawn: foreign(board.kind(PieceKind::Pawn)),
        knight: foreign(board.kind(PieceKind::Knight)),
        bishop: foreign(board.kind(PieceKind::Bishop)),
        rook: foreign(board.kind(PieceKind::Rook)),
        queen: foreign(board.kind(PieceKind::Queen)),
        king: foreign(board.kind(PieceKind::King)),
    };
    let colors = ByColor { white: foreign(board.color(Color::White)), black: foreign(board.color(Color::Black)) };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(roles, colors).map_err(refused)?;
    setup.turn = match position.side_to_move() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    setup.ep_square = position.en_passant().map(|square| shakmaty::Square::new(square as u32));
    setup.halfmoves = u32::from(position.halfmove_clock());
    setup.fullmoves = NonZeroU32::new(u32::from(position.fullmove_number())).unwrap_or(NonZeroU32::MIN);
    Chess::from_setup(setup, CastlingMode::Chess960)
        // Tables hold positions that no game can reach; those two refusals are about the past only.
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(refused)
}
