//! Counting the leaves of the legal move tree: the field's test of a move generator.

use crate::{Move, MoveList, Position, Unobserved};

/// The number of legal move sequences of this length. The last ply is counted without being played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => sum_over_moves(position, |next| perft(next, depth - 1)),
    }
}

/// As [`perft`], but every last move is played too: what a searcher pays.
#[must_use]
pub fn perft_by_playing(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => sum_over_moves(position, |next| {
            // Nobody looks at the leaf; without this the compiler need not play the move.
            std::hint::black_box(next);
            1
        }),
        _ => sum_over_moves(position, |next| perft_by_playing(next, depth - 1)),
    }
}

/// The count below each legal move.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = depth.saturating_sub(1);
    position.legal_moves().into_iter().map(|mv| (mv, perft(&position.after(mv), below))).collect()
}

#[inline(always)]
fn sum_over_moves(position: &Position, count: impl Fn(&Position) -> u64) -> u64 {
    let mut moves = MoveList::new();
    position.collect_legal_moves(&mut moves);
    let mut total = 0;
    let mut next = position.clone();
    for mv in &moves {
        position.play_into(mv, &mut next, &mut Unobserved);
        total += count(&next);
    }
    total
}
