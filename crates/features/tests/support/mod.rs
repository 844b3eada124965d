//! What the tests of this crate share: walks through random games, positions with colors swapped, random expressions.

#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod expressions;
#[path = "../../../chess/tests/support/random_games.rs"]
pub(crate) mod random_games;

use kiebitz_chess::{Bitboard, Board, Color, Piece, Position, Setup, Square};
use kiebitz_features::BoardDelta;
use random_games::SplitMix;

/// Plays random games, null moves included, and shows every step.
pub(crate) fn walk(seed: u64, games: usize, plies: usize, mut step: impl FnMut(&Position, &Position, &BoardDelta)) {
    let mut random = SplitMix(seed);
    for _ in 0..games {
        let mut position = random_games::start(&mut random);
        for _ in 0..plies {
            let mut delta = BoardDelta::default();
            let mut next = position.clone();
            if random.below(12) == 0 && !position.is_check() {
                next.play_null();
            } else {
                let Some(mv) = random_games::random_move(&position, &mut random) else { break };
                next.play_observed(mv, &mut delta);
            }
            step(&position, &next, &delta);
            position = next;
        }
    }
}

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

/// Sorted, so that lists in any order can be compared.
pub(crate) fn sorted(mut indices: Vec<u32>) -> Vec<u32> {
    indices.sort_unstable();
    indices
}

/// Both sides.
pub(crate) const SIDES: [Color; 2] = Color::ALL;
