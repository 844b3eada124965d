//! Sliding attacks the slow way, square by square: the definition that the tables are made from and tested
//! against.

use crate::{Bitboard, Square};

/// Files to the right and ranks up, for one ray.
type Direction = (i8, i8);

pub(super) const BISHOP: [Direction; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
pub(super) const ROOK: [Direction; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// Walks each ray up to and including the first occupied square.
pub(super) const fn walk(square: Square, directions: &[Direction; 4], occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    let mut ray = 0;
    while ray < directions.len() {
        let (files, ranks) = directions[ray];
        let mut next = square.offset(files, ranks);
        while let Some(target) = next {
            attacked = attacked.with(target);
            next = if occupied.contains(target) { None } else { target.offset(files, ranks) };
        }
        ray += 1;
    }
    attacked
}

/// The squares a bishop attacks, found by walking.
#[must_use]
pub const fn bishop_by_rays(square: Square, occupied: Bitboard) -> Bitboard {
    walk(square, &BISHOP, occupied)
}

/// The squares a rook attacks, found by walking.
#[must_use]
pub const fn rook_by_rays(square: Square, occupied: Bitboard) -> Bitboard {
    walk(square, &ROOK, occupied)
}
