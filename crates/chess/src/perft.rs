//! Counting the leaves of the legal move tree: the field's test of a move generator.

use crate::{Key, MoveList, Position, Unobserved};

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

/// Below this depth a count takes less than a few milliseconds even in the widest position, so that asking whether to
/// give up costs nothing above it and is still answered at once.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// As [`perft`], but ends without a count soon after `gives_up` says so.
#[must_use]
pub fn perft_unless(position: &Position, depth: u32, gives_up: &impl Fn() -> bool) -> Option<u64> {
    if gives_up() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| perft_unless(&position.after(mv), depth - 1, gives_up)).sum()
}

#[inline(always)]
fn sum_over_moves(position: &Position, mut count: impl FnMut(&Position) -> u64) -> u64 {
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

/// Counts of positions that were met before, for [`perft_remembering`]: a table that forgets by overwriting.
#[derive(Clone, Debug)]
pub struct PerftTable {
    entries: Vec<(Key, Packed)>,
}

/// A count in the upper 56 bits, its depth below.
type Packed = u64;

impl PerftTable {
    /// A table of at most this many bytes, at least one entry.
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        let fitting = (bytes / size_of::<(Key, Packed)>()).max(1);
        let len = 1 << fitting.ilog2();
        Self { entries: vec![(Key::default(), 0); len] }
    }

    fn slot(&mut self, key: Key, depth: u32) -> &mut (Key, Packed) {
        // Neighboring depths of one position go to different slots.
        let index = key.0.rotate_left(depth) as usize & (self.entries.len() - 1);
        &mut self.entries[index]
    }
}

/// As [`perft`], several times as fast at depth 5 and more: positions reached by different orders of moves are
/// counted once. Exact but for two different positions with the same 64-bit key, which would show as a wrong sum;
/// so a right sum also speaks for the keys.
#[must_use]
pub fn perft_remembering(position: &Position, depth: u32, table: &mut PerftTable) -> u64 {
    if depth < 2 || depth > u32::from(u8::MAX) {
        return perft(position, depth);
    }
    let key = position.key();
    let &mut (known, packed) = table.slot(key, depth);
    if known == key && packed & 0xff == u64::from(depth) {
        return packed >> 8;
    }
    let total = sum_over_moves(position, |next| perft_remembering(next, depth - 1, table));
    // Counts beyond 56 bits are not remembered rather than remembered wrongly.
    if total >> 56 == 0 {
        *table.slot(key, depth) = (key, total << 8 | u64::from(depth));
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_may_be_given_up_is_the_same_or_none() {
        let position = Position::default();
        assert_eq!(perft_unless(&position, 4, &|| false), Some(perft(&position, 4)));
        // Given up in the middle: the first two questions are answered with no.
        let asked = std::cell::Cell::new(0);
        let gives_up = || asked.replace(asked.get() + 1) >= 2;
        assert_eq!(perft_unless(&position, 60, &gives_up), None);
        assert_eq!(asked.get(), 3, "nothing goes on after the answer");
    }

    #[test]
    fn remembering_changes_nothing() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        // Tables of one entry and of many: forgetting must not matter either.
        for bytes in [0, 1 << 12, 1 << 20] {
            let mut table = PerftTable::with_bytes(bytes);
            for fen in fens {
                let position: Position = fen.parse().unwrap();
                assert_eq!(perft_remembering(&position, 4, &mut table), perft(&position, 4), "{fen}");
                assert_eq!(perft_by_playing(&position, 3), perft(&position, 3), "{fen}");
            }
        }
    }
}
