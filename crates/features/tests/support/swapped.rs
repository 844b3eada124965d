//! Positions with colors swapped.

use kiebitz_chess::{Bitboard, Board, Piece, Position, Setup, Square};

/// The position with colors swapped and every square combined with `mask`; castling rights are dropped.
pub(crate) fn swapped(position: &Position, mask: usize) -> Option<Position> {
    let mut board = Board::EMPTY;
    for (square, piece) in position.board().iter() {
        board.set(Square::from_index(square.index() ^ mask)?, Some(Piece::new(!piece.color, piece.kind)));
    }
    let setup = Setup {
        board,
        side_to_move: !position.side_to_move(),
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    Position::try_from(setup).ok()
}
