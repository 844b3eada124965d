//! Labelled positions, boiled down to the counts of their weights.

use kiebitz_chess::{Color, Position};

use crate::ending::{FULL_SCALE, Scaling};
use crate::evaluation::{FULL_PHASE, Tally, known_ending};
use crate::ledger::Counts;
use crate::term::{Kind, Term};

/// A position and what is known about it.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    /// The position; it should be quiet, because the evaluation sees no captures.
    pub position: Position,
    /// A teacher's value in centipawns for the side to move.
    pub teacher: i32,
    /// What the game brought the side to move: 1, 0.5 or 0.
    pub result: f32,
}

/// How often a weight counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Count {
    pub(super) index: u16,
    pub(super) times: i16,
}

/// The share of the end game: a weight, or a number that theory knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Share {
    Weight(u16),
    Known(f32),
}

/// One example's counts and labels, White's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    pub(super) counts: Vec<Count>,
    pub(super) facts: Facts,
}

/// What of an example has a fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Facts {
    /// Where its counts begin in the common list.
    first: u64,
    /// How many counts are linear, dangers of White's king, dangers of Black's, and complexity, in this order.
    pub(super) lengths: [u16; 4],
    pub(super) shares: [Share; Color::COUNT],
    /// The share of the middle game.
    pub(super) middle: f32,
    pub(super) teacher: f32,
    pub(super) result: f32,
    pub(super) target: f32,
}

impl Trace {
    /// The counts of a position; none for endings that are not judged by weights.
    #[must_use]
    pub fn of(example: &LabelledPosition) -> Option<Self> {
        let position = &example.position;
        if known_ending(position).is_some() {
            return None;
        }
        let mut ledger = Counts::new();
        let tally = Tally::from_scratch(position, &mut ledger);
        let mut counts = Vec::with_capacity(128);
        let mut lengths = [0_u16; 4];
        let difference = |index| ledger.of(Color::White, index) - ledger.of(Color::Black, index);
        let white = |index| ledger.of(Color::White, index);
        let black = |index| ledger.of(Color::Black, index);
        let parts: [(Kind, &dyn Fn(usize) -> i32); 4] =
            [(Kind::Linear, &difference), (Kind::Danger, &white), (Kind::Danger, &black), (Kind::Complexity, &white)];
        for (length, (kind, times)) in lengths.iter_mut().zip(parts) {
            let before = counts.len();
            for term in Term::ALL.into_iter().filter(|term| term.kind() == kind) {
                for index in term.first()..term.end() {
                    let times = times(index);
                    if times != 0 {
                        counts.push(Count { index: index as u16, times: times as i16 });
                    }
                }
            }
            *length = (counts.len() - before) as u16;
        }
        let shares = tally.scaling.map(|scaling| match scaling {
            Scaling::Weight(term, offset) => Share::Weight((term.first() + offset) as u16),
            Scaling::Known(share) => Share::Known(share as f32 / FULL_SCALE as f32),
        });
        let for_white = position.side_to_move() == Color::White;
        let facts = Facts {
            first: 0,
            lengths,
            shares,
            middle: tally.phase as f32 / FULL_PHASE as f32,
            teacher: if for_white { example.teacher } else { -example.teacher } as f32,
            result: if for_white { example.result } else { 1.0 - example.result },
            target: 0.5,
        };
        Some(Self { counts, facts })
    }
}

/// One example as the model reads it.
#[derive(Clone, Copy)]
pub(super) struct Example<'a> {
    pub(super) linear: &'a [Count],
    pub(super) danger: [&'a [Count]; Color::COUNT],
    pub(super) complexity: &'a [Count],
    pub(super) facts: &'a Facts,
}

impl<'a> Example<'a> {
    pub(super) fn new(counts: &'a [Count], facts: &'a Facts) -> Self {
        let [linear, white, black, complexity] = facts.lengths.map(usize::from);
        let (first, rest) = counts.split_at(linear);
        let (second, rest) = rest.split_at(white);
        let (third, rest) = rest.split_at(black);
        Self { linear: first, danger: [second, third], complexity: &rest[..complexity], facts }
    }
}

/// Many examples, their counts in one list.
#[derive(Default)]
pub(super) struct Examples {
    counts: Vec<Count>,
    facts: Vec<Facts>,
}

impl Examples {
    pub(super) fn push(&mut self, trace: &Trace) {
        self.facts.push(Facts { first: self.counts.len() as u64, ..trace.facts });
        self.counts.extend_from_slice(&trace.counts);
    }

    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(super) fn get(&self, index: usize) -> Example<'_> {
        let facts = &self.facts[index];
        Example::new(&self.counts[facts.first as usize..], facts)
    }

    /// The `K` for which teacher values predict results best, by golden-section search.
    pub(super) fn fit_curve(&self) -> f64 {
        // A sample is enough for one number.
        let stride = (self.facts.len() / 500_000).max(1);
        let loss = |curve: f64| {
            let errors = self.facts.iter().step_by(stride).map(|facts| {
                let predicted = expected_score(f64::from(facts.teacher), curve);
                (predicted - f64::from(facts.result)).powi(2)
            });
            errors.sum::<f64>()
        };
        let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (20.0, 1_000.0);
        while high - low > 0.1 {
            let left = high - golden * (high - low);
            let right = low + golden * (high - low);
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        (low + high) / 2.0
    }

    pub(super) fn set_targets(&mut self, curve: f64, result_share: f64) {
        for facts in &mut self.facts {
            let teacher = expected_score(f64::from(facts.teacher), curve);
            facts.target = (result_share * f64::from(facts.result) + (1.0 - result_share) * teacher) as f32;
        }
    }
}

/// The score a value predicts: 0.5 for 0, towards 1 for large ones.
pub(super) fn expected_score(value: f64, curve: f64) -> f64 {
    1.0 / (1.0 + (-value / curve).exp())
}
