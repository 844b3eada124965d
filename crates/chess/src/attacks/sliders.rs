//! Sliding attacks by table: magic multiplication everywhere, parallel bit extraction where it is fast.
//!
//! The tables are filled on first use (a few milliseconds), and only those that this CPU will read.

use std::sync::LazyLock;

use super::magic::{self, Entry, Slider};
use crate::{Bitboard, Square};

/// A way to look up sliding attacks, passed by value through hot code so that it inlines.
pub(crate) trait Sliders: Copy {
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }
}

const BISHOP_LEN: usize = magic::table_len(Slider::Bishop);
const ROOK_LEN: usize = magic::table_len(Slider::Rook);

/// What a slider's table holds: one item for every blocker pattern of every square.
struct Tables<T> {
    bishop: [T; BISHOP_LEN],
    rook: [T; ROOK_LEN],
}

impl<T: Copy + Default> Tables<T> {
    /// Asks for the slot and the item of every pattern.
    fn fill(place: impl Fn(Slider, Square, Bitboard) -> (usize, T)) -> Box<Self> {
        let mut tables = Box::new(Self { bishop: [T::default(); BISHOP_LEN], rook: [T::default(); ROOK_LEN] });
        for square in Square::ALL {
            for blockers in magic::blocker_patterns(Slider::Bishop.mask(square)) {
                let (slot, item) = place(Slider::Bishop, square, blockers);
                tables.bishop[slot] = item;
            }
            for blockers in magic::blocker_patterns(Slider::Rook.mask(square)) {
                let (slot, item) = place(Slider::Rook, square, blockers);
                tables.rook[slot] = item;
            }
        }
        tables
    }
}

static BISHOP_ENTRIES: [Entry; Square::COUNT] = magic::entries(Slider::Bishop);
static ROOK_ENTRIES: [Entry; Square::COUNT] = magic::entries(Slider::Rook);

/// Multiplies by a magic number; works on every CPU.
#[derive(Clone, Copy)]
pub(crate) struct ByMagic(&'static Tables<Bitboard>);

impl ByMagic {
    #[inline]
    pub(crate) fn get() -> Self {
        static TABLES: LazyLock<Box<Tables<Bitboard>>> = LazyLock::new(|| {
            Tables::fill(|slider, square, blockers| {
                let entries = match slider {
                    Slider::Bishop => &BISHOP_ENTRIES,
                    Slider::Rook => &ROOK_ENTRIES,
                };
                (entries[square.index()].slot(blockers), slider.attacks(square, blockers))
            })
        });
        Self(&TABLES)
    }
}

impl Sliders for ByMagic {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop[BISHOP_ENTRIES[square.index()].slot(occupied)]
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook[ROOK_ENTRIES[square.index()].slot(occupied)]
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use extraction::ByExtraction;

#[cfg(target_arch = "x86_64")]
mod extraction {
    use std::sync::LazyLock;

    use kiebitz_kernels::Bmi2;

    use super::super::{diagonals, straights};
    use super::{BISHOP_ENTRIES, Bitboard, Entry, ROOK_ENTRIES, Slider, Sliders, Square, Tables};

    /// Attacks compressed to the squares that the slider reaches on an empty board: sixteen bits suffice, and
    /// the table takes a quarter of the cache.
    type Compressed = u16;

    /// Extracts the blockers' bits with one instruction and spreads the attacks with another.
    #[derive(Clone, Copy)]
    pub(crate) struct ByExtraction(pub(crate) Bmi2, &'static Tables<Compressed>);

    impl ByExtraction {
        /// The tables, if this CPU is fast at extracting bits.
        #[inline(always)]
        pub(crate) fn get() -> Option<Self> {
            static TABLES: LazyLock<Option<(Bmi2, Box<Tables<Compressed>>)>> = LazyLock::new(|| {
                let bmi2 = Bmi2::detect()?;
                Some((bmi2, fill(bmi2)))
            });
            TABLES.as_ref().map(|(bmi2, tables)| Self(*bmi2, tables))
        }

        #[inline(always)]
        fn lookup(self, table: &[Compressed], entry: &Entry, reach: Bitboard, occupied: Bitboard) -> Bitboard {
            let slot = entry.offset() + self.0.pext(occupied.0, entry.mask.0) as usize;
            Bitboard(self.0.pdep(u64::from(table[slot]), reach.0))
        }
    }

    fn fill(bmi2: Bmi2) -> Box<Tables<Compressed>> {
        Tables::fill(|slider, square, blockers| {
            let entry = match slider {
                Slider::Bishop => &BISHOP_ENTRIES[square.index()],
                Slider::Rook => &ROOK_ENTRIES[square.index()],
            };
            let reach = slider.attacks(square, Bitboard::EMPTY);
            let attacks = slider.attacks(square, blockers);
            let slot = entry.offset() + bmi2.pext(blockers.0, entry.mask.0) as usize;
            (slot, bmi2.pext(attacks.0, reach.0) as Compressed)
        })
    }

    impl Sliders for ByExtraction {
        #[inline(always)]
        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            self.lookup(&self.1.bishop, &BISHOP_ENTRIES[square.index()], diagonals(square), occupied)
        }

        #[inline(always)]
        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            self.lookup(&self.1.rook, &ROOK_ENTRIES[square.index()], straights(square), occupied)
        }
    }
}

/// Runs an expression that is generic over [`Sliders`] with the way that suits this CPU; what the expression
/// inlines is compiled for it.
macro_rules! with_sliders {
    (|$sliders:ident| $work:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($sliders) = $crate::attacks::sliders::ByExtraction::get() {
            $sliders.0.run(
                #[inline(always)]
                |_| $work,
            )
        } else {
            let $sliders = $crate::attacks::sliders::ByMagic::get();
            $work
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let $sliders = $crate::attacks::sliders::ByMagic::get();
            $work
        }
    }};
}

pub(crate) use with_sliders;

/// The squares a bishop attacks.
#[inline(always)]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    with_sliders!(|sliders| sliders.bishop(square, occupied))
}

/// The squares a rook attacks.
#[inline(always)]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    with_sliders!(|sliders| sliders.rook(square, occupied))
}

/// The squares a queen attacks.
#[inline(always)]
#[must_use]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    with_sliders!(|sliders| sliders.queen(square, occupied))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every blocker pattern of every square, by each way this machine has, against walking the rays.
    #[test]
    fn tables_equal_walking() {
        for square in Square::ALL {
            for slider in [Slider::Bishop, Slider::Rook] {
                for blockers in magic::blocker_patterns(slider.mask(square)) {
                    let expected = slider.attacks(square, blockers);
                    let look = |ways: &dyn Fn(Slider) -> Bitboard| {
                        assert_eq!(ways(slider), expected, "{slider:?} {square} {blockers:?}");
                    };
                    look(&|slider| match slider {
                        Slider::Bishop => ByMagic::get().bishop(square, blockers),
                        Slider::Rook => ByMagic::get().rook(square, blockers),
                    });
                    look(&|slider| match slider {
                        Slider::Bishop => bishop(square, blockers),
                        Slider::Rook => rook(square, blockers),
                    });
                }
            }
        }
    }
}
