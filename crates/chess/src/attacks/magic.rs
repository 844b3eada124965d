//! Magic bitboards, and the search that finds the magic numbers.
//!
//! For a slider on a square only some squares matter as blockers (its *mask*: the rays without their last
//! square). A *magic number* is a multiplier that carries the blockers' pattern, whatever it is, into the top
//! bits of the product so that patterns with different attacks never meet in one table slot. Nobody knows how
//! to compute such a number; one draws sparse random numbers until one works. [`find`] does that from a seed,
//! and the numbers it found are in `magic_numbers.rs`; the example `find_magics` prints that file anew.

use super::magic_numbers::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{self, BISHOP, ROOK};
use crate::{Bitboard, Square};

/// Which slider a magic number is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slider {
    /// Diagonals.
    Bishop,
    /// Files and ranks.
    Rook,
}

impl Slider {
    /// The attacks on a board, square by square.
    #[must_use]
    pub const fn attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::Bishop => rays::walk(square, &BISHOP, occupied),
            Self::Rook => rays::walk(square, &ROOK, occupied),
        }
    }

    /// The squares on which a blocker changes the attacks: the rays without the edge square each ends on.
    #[must_use]
    pub const fn mask(self, square: Square) -> Bitboard {
        let own_rank = square.rank().bitboard().0;
        let own_file = square.file().bitboard().0;
        let edges = (0xff00_0000_0000_00ff & !own_rank) | (0x8181_8181_8181_8181 & !own_file);
        Bitboard(self.attacks(square, Bitboard::EMPTY).0 & !edges)
    }

    const fn magics(self) -> &'static [u64; Square::COUNT] {
        match self {
            Self::Bishop => &BISHOP_MAGICS,
            Self::Rook => &ROOK_MAGICS,
        }
    }
}

/// The slot of a blocker pattern: the product's top bits, as many as the mask has squares.
#[inline(always)]
const fn slot(blockers: Bitboard, magic: u64, shift: u32) -> usize {
    (blockers.0.wrapping_mul(magic) >> shift) as usize
}

/// How far the product is shifted so that only the slot's bits remain.
const fn shift_of(mask: Bitboard) -> u32 {
    64 - mask.0.count_ones()
}

/// Every set of blockers within a mask, the empty one first, in counting order.
pub fn blocker_patterns(mask: Bitboard) -> impl Iterator<Item = Bitboard> {
    let next = move |subset: &Bitboard| {
        let next = Bitboard(subset.0.wrapping_sub(mask.0) & mask.0);
        next.any().then_some(next)
    };
    std::iter::successors(Some(Bitboard::EMPTY), next)
}

/// What looking up one square's attacks needs.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) mask: Bitboard,
    magic: u64,
    shift: u32,
    offset: u32,
}

impl Entry {
    /// Where in the common table the attacks for this occupancy are.
    #[inline(always)]
    pub(super) const fn slot(&self, occupied: Bitboard) -> usize {
        let blockers = Bitboard(occupied.0 & self.mask.0);
        self.offset as usize + slot(blockers, self.magic, self.shift)
    }

    /// Where this square's part of the common table begins.
    #[inline(always)]
    pub(super) const fn offset(&self) -> usize {
        self.offset as usize
    }
}

/// One entry a square; the parts of the table follow each other.
pub(super) const fn entries(slider: Slider) -> [Entry; Square::COUNT] {
    let empty = Entry { mask: Bitboard::EMPTY, magic: 0, shift: 0, offset: 0 };
    let mut entries = [empty; Square::COUNT];
    let mut offset = 0;
    let mut index = 0;
    while index < Square::COUNT {
        let mask = slider.mask(Square::ALL[index]);
        let magic = slider.magics()[index];
        entries[index] = Entry { mask, magic, shift: shift_of(mask), offset };
        offset += 1 << mask.0.count_ones();
        index += 1;
    }
    entries
}

/// The length of a slider's table.
pub(super) const fn table_len(slider: Slider) -> usize {
    let mut len = 0;
    let mut index = 0;
    while index < Square::COUNT {
        len += 1 << slider.mask(Square::ALL[index]).0.count_ones();
        index += 1;
    }
    len
}

/// A magic number and how long the search took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The multiplier.
    pub magic: u64,
    /// How many numbers were drawn.
    pub tries: u64,
}

/// The seed from which the committed numbers were found.
pub const SEED: u64 = 0x6b69_6562_6974_7a01;

/// Draws sparse random numbers until one maps every blocker pattern of the mask without a harmful collision.
///
/// The stream of numbers depends on seed, slider and square alone, so each number can be found again by itself.
#[must_use]
pub fn find(slider: Slider, square: Square, seed: u64) -> Found {
    let mask = slider.mask(square);
    let shift = shift_of(mask);
    let patterns: Vec<(Bitboard, Bitboard)> =
        blocker_patterns(mask).map(|blockers| (blockers, slider.attacks(square, blockers))).collect();
    let stream = seed ^ (square.index() as u64) << 8 ^ slider as u64;
    let mut random = SplitMix(stream);
    // A slot is in use when it carries the number of the current try: no clearing between tries.
    let mut slots = vec![(0_u64, Bitboard::EMPTY); patterns.len()];
    for tries in 1.. {
        let magic = random.next() & random.next() & random.next();
        let collides = patterns.iter().any(|&(blockers, attacks)| {
            let place = &mut slots[slot(blockers, magic, shift)];
            let taken = place.0 == tries && place.1 != attacks;
            *place = (tries, attacks);
            taken
        });
        if !collides {
            return Found { magic, tries };
        }
    }
    unreachable!("the loop ends only by returning")
}

/// Sebastiano Vigna's SplitMix64 generator: small, seedable and the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_numbers_are_found_again() {
        for slider in [Slider::Bishop, Slider::Rook] {
            for square in Square::ALL {
                let committed = slider.magics()[square.index()];
                assert_eq!(find(slider, square, SEED).magic, committed, "{slider:?} {square}");
            }
        }
    }
}
