//! What the tests of this crate share: walks through random games, positions with colors swapped, random expressions.

#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod expressions;
#[path = "../../../chess/tests/support/random_games.rs"]
pub(crate) mod random_games;

use kiebitz_chess::{Bitboard, Board, Color, Move, MoveKind, Piece, Position, Setup, Square};
use kiebitz_features::BoardDelta;
use random_games::SplitMix;

/// How often a walk came by moves that change more than one piece on two squares.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RareMoves {
    pub(crate) castlings: usize,
    pub(crate) en_passants: usize,
    pub(crate) promotions: usize,
    pub(crate) null_moves: usize,
}

impl RareMoves {
    pub(crate) fn add(&mut self, other: Self) {
        self.castlings += other.castlings;
        self.en_passants += other.en_passants;
        self.promotions += other.promotions;
        self.null_moves += other.null_moves;
    }

    /// Fails if a kind is missing: then a law was not tried on it.
    pub(crate) fn assert_all(self, what: &str) {
        let Self { castlings, en_passants, promotions, null_moves } = self;
        assert!(castlings > 0 && en_passants > 0 && promotions > 0 && null_moves > 0, "{what}: {self:?}");
    }
}

/// A random move; castling, en passant and promotions are preferred, for by chance alone dozens of games have no en passant.
fn rare_move(position: &Position, random: &mut SplitMix) -> Option<Move> {
    let is_rare = |mv: &Move| mv.castling().is_some() || mv.kind() == MoveKind::EnPassant || mv.promotion().is_some();
    let rare: Vec<Move> = position.legal_moves().iter().copied().filter(is_rare).collect();
    if random.below(2) == 0 && !rare.is_empty() {
        return random.choose(&rare).copied();
    }
    random_games::random_move(position, random)
}

/// Plays random games, null moves included, and shows every step.
pub(crate) fn walk(
    seed: u64,
    games: usize,
    plies: usize,
    mut step: impl FnMut(&Position, &Position, &BoardDelta),
) -> RareMoves {
    let mut seen = RareMoves::default();
    let mut random = SplitMix(seed);
    for _ in 0..games {
        let mut position = random_games::start(&mut random);
        for _ in 0..plies {
            let mut delta = BoardDelta::default();
            let mut next = position.clone();
            if random.below(12) == 0 && !position.is_check() {
                next.play_null();
                seen.null_moves += 1;
            } else {
                let Some(mv) = rare_move(&position, &mut random) else { break };
                next.play_observed(mv, &mut delta);
                seen.castlings += usize::from(mv.castling().is_some());
                seen.en_passants += usize::from(mv.kind() == MoveKind::EnPassant);
                seen.promotions += usize::from(mv.promotion().is_some());
            }
            step(&position, &next, &delta);
            position = next;
        }
    }
    seen
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
