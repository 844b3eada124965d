//! The hash that Polyglot books use.

use kiebitz_chess::{CastlingSide, Color, PieceKind, Position, Setup, Square, attacks};

use super::polyglot_numbers::NUMBERS;

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The Polyglot key of a position.
///
/// The format hashes the en-passant file whenever an enemy pawn stands beside the pawn that has just moved, even if it
/// is pinned; a [`Position`] remembers only captures that are legal. In those rare positions the keys differ from the
/// format's; [`polyglot_key_of_setup`] gives it from what a FEN says.
#[must_use]
pub fn polyglot_key(position: &Position) -> u64 {
    polyglot_key_of_setup(&position.to_setup())
}

/// The Polyglot key of whatever a FEN says.
#[must_use]
pub fn polyglot_key_of_setup(setup: &Setup) -> u64 {
    let mut key = 0;
    for square in Square::ALL {
        if let Some(piece) = setup.board.piece_at(square) {
            // Black pawn, white pawn, black knight, …, white king.
            let kind = 2 * piece.kind as usize + usize::from(piece.color == Color::White);
            key ^= NUMBERS[64 * kind + square as usize];
        }
    }
    for color in Color::ALL {
        for side in [CastlingSide::King, CastlingSide::Queen] {
            if may_castle(setup, color, side) {
                key ^= NUMBERS[CASTLING + 2 * color as usize + side as usize];
            }
        }
    }
    let us = setup.side_to_move;
    if let Some(square) = setup.en_passant {
        let takers = attacks::pawn(!us, square) & setup.board.pieces(us, PieceKind::Pawn);
        if takers.any() {
            key ^= NUMBERS[EN_PASSANT + square.file() as usize];
        }
    }
    if us == Color::White {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}

fn may_castle(setup: &Setup, color: Color, side: CastlingSide) -> bool {
    let Some(king) = setup.board.king(color) else { return false };
    setup.castling_rooks_of(color).into_iter().any(|rook| (rook.file() > king.file()) == (side == CastlingSide::King))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_chess::FenMode;

    /// The keys that the description of the format gives.
    #[test]
    fn the_published_keys_come_out() {
        let keys = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ];
        for (fen, expected) in keys {
            let position = Position::from_fen(fen, FenMode::Lenient).unwrap();
            assert_eq!(polyglot_key(&position), expected, "{fen}");
        }
    }

    #[test]
    fn a_pinned_pawn_counts_for_the_format() {
        let fen = "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1";
        let setup = Setup::from_fen(fen, FenMode::Lenient).unwrap();
        let position = Position::from_fen(fen, FenMode::Lenient).unwrap();
        assert_eq!(polyglot_key_of_setup(&setup) ^ polyglot_key(&position), NUMBERS[EN_PASSANT + 3]);
    }
}
