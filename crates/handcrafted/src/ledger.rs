//! What the evaluation tells about itself while it counts.
//!
//! The evaluation is written once, generic over a [`Ledger`]: the searcher's keeps nothing and costs nothing, that of
//! explanation and tuner keeps how often every weight was used for either side.

use kiebitz_chess::Color;

use crate::parameters::WEIGHTS;
use crate::tapered::Tapered;
use crate::term::{Term, WEIGHT_COUNT};

/// Listens to every use of a weight.
pub(crate) trait Ledger {
    fn note(&mut self, color: Color, index: usize, count: i32);

    /// The value of `count` uses of one weight of a family.
    #[inline(always)]
    fn weigh(&mut self, color: Color, term: Term, offset: usize, count: i32) -> Tapered {
        debug_assert!(offset < term.length(), "{} has no weight {offset}", term.name());
        let index = term.first() + offset;
        self.note(color, index, count);
        WEIGHTS[index] * count
    }
}

/// Keeps nothing.
pub(crate) struct Silent;

impl Ledger for Silent {
    #[inline(always)]
    fn note(&mut self, _: Color, _: usize, _: i32) {}
}

/// Keeps the counts of every weight for both sides.
#[derive(Clone)]
pub(crate) struct Counts {
    counts: Box<[[i32; WEIGHT_COUNT]; Color::COUNT]>,
}

impl Counts {
    pub(crate) fn new() -> Self {
        Self { counts: Box::new([[0; WEIGHT_COUNT]; Color::COUNT]) }
    }

    /// How often a side used a weight.
    pub(crate) fn of(&self, color: Color, index: usize) -> i32 {
        self.counts[color.index()][index]
    }
}

impl Ledger for Counts {
    fn note(&mut self, color: Color, index: usize, count: i32) {
        self.counts[color.index()][index] += count;
    }
}
