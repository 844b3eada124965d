//! The evaluation as a searcher uses it, with caches of what pawns and kings alone decide, and of material.

use kiebitz_chess::{Color, Position};

use crate::evaluation::{Tally, known_ending};
use crate::ledger::Silent;
use crate::material::Inventory;
use crate::pawns::PawnReport;
use crate::tapered::Tapered;

/// How many pawn structures are remembered. About 1 MiB, which stays in the second-level cache's reach.
const PAWN_ENTRIES_LOG: u32 = 14;
/// How many balances of material are remembered; a search meets few at a time.
const MATERIAL_ENTRIES_LOG: u32 = 10;

/// Spreads keys over slots: the top bits of the product by the golden ratio.
#[inline(always)]
const fn slot(key: u64, entries_log: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - entries_log)) as usize
}

/// A key that nothing has: inventories have 48 bits, and pawn keys are 64 random bits.
const NO_KEY: u64 = u64::MAX;

#[derive(Clone, Copy, Default)]
struct CachedMaterial {
    key: u64,
    balance: Tapered,
}

#[derive(Clone, Copy, Default)]
struct CachedReport {
    key: u64,
    report: PawnReport,
}

/// Evaluates positions; one for every thread that searches.
///
/// ```
/// use kiebitz_chess::Position;
/// use kiebitz_handcrafted::Evaluator;
///
/// let queen_up: Position = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
/// assert!(Evaluator::new().evaluate(&queen_up) > 700);
/// # Ok::<(), kiebitz_chess::FenError>(())
/// ```
pub struct Evaluator {
    pawns: Box<[CachedReport]>,
    material: Box<[CachedMaterial]>,
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let report = CachedReport { key: NO_KEY, ..CachedReport::default() };
        let material = CachedMaterial { key: NO_KEY, ..CachedMaterial::default() };
        Self {
            pawns: vec![report; 1 << PAWN_ENTRIES_LOG].into_boxed_slice(),
            material: vec![material; 1 << MATERIAL_ENTRIES_LOG].into_boxed_slice(),
        }
    }

    /// Forgets everything, as before a new game; values never depend on what is remembered.
    pub fn clear(&mut self) {
        self.pawns.fill(CachedReport { key: NO_KEY, ..CachedReport::default() });
        self.material.fill(CachedMaterial { key: NO_KEY, ..CachedMaterial::default() });
    }

    /// The value of a position in centipawns for the side to move, tempo included.
    ///
    /// Always less than [`crate::VALUE_LIMIT`] in size, the same for the same position, and the same for the mover when
    /// colors are swapped or left and right are mirrored. It looks at no move: call it where nothing hangs.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        // Compiled a second time for CPUs with fast bit extraction, so that every look at a slider's attacks inlines.
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = kiebitz_kernels::Bmi2::detect() {
            return bmi2.run(
                #[inline(always)]
                |_| self.value(position),
            );
        }
        self.value(position)
    }

    #[inline(always)]
    fn value(&mut self, position: &Position) -> i32 {
        let white = match known_ending(position) {
            Some(value) => value,
            None => {
                let material = self.material(position);
                let report = self.pawns(position);
                Tally::of(position, material, &report, &mut Silent).value()
            }
        };
        if position.side_to_move() == Color::White { white } else { -white }
    }

    /// The report on pawns and kings, remembered or made.
    #[inline]
    fn pawns(&mut self, position: &Position) -> PawnReport {
        let kings = (position.king(Color::White).index() * 64 + position.king(Color::Black).index()) as u64;
        let key = position.pawn_key().0 ^ (kings + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let cached = &mut self.pawns[slot(key, PAWN_ENTRIES_LOG)];
        if cached.key != key {
            *cached = CachedReport { key, report: PawnReport::of(position, &mut Silent) };
        }
        cached.report
    }

    /// The balance of material, remembered or made.
    #[inline]
    fn material(&mut self, position: &Position) -> Tapered {
        let inventory = Inventory::of(position);
        let key = inventory.key();
        let cached = &mut self.material[slot(key, MATERIAL_ENTRIES_LOG)];
        if cached.key != key {
            *cached = CachedMaterial { key, balance: inventory.balance(&mut Silent) };
        }
        cached.balance
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}
