//! What the tests of this crate share: walks through random games, positions with colors swapped, random expressions.

#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod expressions;
#[path = "../../../chess/tests/support/random_games.rs"]
pub(crate) mod random_games;
pub(crate) mod rare_moves;
pub(crate) mod swapped;

use kiebitz_chess::{Color, Position};
use kiebitz_features::BoardDelta;
use random_games::SplitMix;
use rare_moves::{RareMoves, rare_move};

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
                seen.add(RareMoves::null_move());
            } else {
                let Some(mv) = rare_move(&position, &mut random) else { break };
                next.play_observed(mv, &mut delta);
                seen.add(RareMoves::of(&position, mv));
            }
            step(&position, &next, &delta);
            position = next;
        }
    }
    seen
}

/// Sorted, so that lists in any order can be compared.
pub(crate) fn sorted(mut indices: Vec<u32>) -> Vec<u32> {
    indices.sort_unstable();
    indices
}

/// Both sides.
pub(crate) const SIDES: [Color; 2] = Color::ALL;
