//! The evaluation as a formula in its weights, and its derivative.

use super::examples::{Count, Example, Share, expected_score};
use crate::ending::FULL_SCALE;
use crate::king::{DANGER_LIMIT, END_DIVISOR, SQUARE_DIVISOR};
use crate::parameters::WEIGHTS;
use crate::term::{Kind, Term, WEIGHT_COUNT};

/// Middle game, end game.
pub(super) type Pair = [f32; 2];

/// The weights of the evaluation as real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub(super) Vec<Pair>);

impl Weights {
    /// The weights the evaluation uses today.
    #[must_use]
    pub fn current() -> Self {
        Self(WEIGHTS.iter().map(|weight| [weight.middle() as f32, weight.end() as f32]).collect())
    }

    /// How many pairs there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there are always as many as the evaluation has")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The squared difference between prediction and target.
    pub(super) fn loss(&self, example: Example<'_>, curve: f64) -> f64 {
        let value = Forward::of(self, example).value;
        (expected_score(f64::from(value), curve) - f64::from(example.facts.target)).powi(2)
    }

    fn sum(&self, counts: &[Count]) -> Pair {
        let mut sum = [0.0; 2];
        for count in counts {
            let weight = self.0[usize::from(count.index)];
            let times = f32::from(count.times);
            sum[0] += weight[0] * times;
            sum[1] += weight[1] * times;
        }
        sum
    }
}

/// Everything met on the way to the value, which the way back needs again.
pub(super) struct Forward {
    danger: [Pair; 2],
    /// The end-game value before and after complexity.
    bare_end: f32,
    end: f32,
    complexity: f32,
    share: f32,
    chosen: Share,
    pub(super) value: f32,
}

impl Forward {
    pub(super) fn of(weights: &Weights, example: Example<'_>) -> Self {
        let mut sum = weights.sum(example.linear);
        let danger = example.danger.map(|counts| weights.sum(counts));
        for ([middle, end], sign) in danger.into_iter().zip([-1.0, 1.0]) {
            let limit = DANGER_LIMIT as f32;
            sum[0] += sign * middle.clamp(0.0, limit).powi(2) / SQUARE_DIVISOR as f32;
            sum[1] += sign * end.clamp(0.0, limit) / END_DIVISOR as f32;
        }
        let [middle, bare_end] = sum;
        let complexity = weights.sum(example.complexity)[1];
        let end = bare_end + sign(bare_end) * complexity.clamp(-bare_end.abs(), bare_end.abs());
        let chosen = example.facts.shares[usize::from(end < 0.0)];
        let share = match chosen {
            Share::Weight(index) => weights.0[usize::from(index)][1] / FULL_SCALE as f32,
            Share::Known(share) => share,
        };
        let value = middle * example.facts.middle + end * share * (1.0 - example.facts.middle);
        Self { danger, bare_end, end, complexity, share, chosen, value }
    }
}

fn sign(value: f32) -> f32 {
    if value > 0.0 {
        1.0
    } else if value < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// The derivative of a sum of losses.
pub(super) struct Gradient {
    pub(super) by_weight: Vec<Pair>,
    pub(super) loss: f64,
}

impl Gradient {
    pub(super) fn new(length: usize) -> Self {
        Self { by_weight: vec![[0.0; 2]; length], loss: 0.0 }
    }

    pub(super) fn plus(mut self, other: Self) -> Self {
        for (sum, part) in self.by_weight.iter_mut().zip(&other.by_weight) {
            sum[0] += part[0];
            sum[1] += part[1];
        }
        self.loss += other.loss;
        self
    }

    /// Adds the derivative of one example's loss.
    pub(super) fn add(&mut self, weights: &Weights, example: Example<'_>, curve: f64) {
        let forward = Forward::of(weights, example);
        let predicted = expected_score(f64::from(forward.value), curve);
        let error = predicted - f64::from(example.facts.target);
        self.loss += error * error;
        let by_value = (2.0 * error * predicted * (1.0 - predicted) / curve) as f32;

        let by_middle = by_value * example.facts.middle;
        let by_scaled_end = by_value * (1.0 - example.facts.middle);
        if let Share::Weight(index) = forward.chosen {
            self.by_weight[usize::from(index)][1] += by_scaled_end * forward.end / FULL_SCALE as f32;
        }
        let by_end = by_scaled_end * forward.share;
        // Complexity is limited by the advantage itself: at either limit only the advantage counts, not at all or twice.
        let (by_bare_end, by_complexity) = if forward.complexity < -forward.bare_end.abs() {
            (0.0, 0.0)
        } else if forward.complexity > forward.bare_end.abs() {
            (2.0 * by_end, 0.0)
        } else {
            (by_end, by_end * sign(forward.bare_end))
        };
        self.spread(example.complexity, [0.0, by_complexity]);
        self.spread(example.linear, [by_middle, by_bare_end]);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let inside = |danger: f32| danger > 0.0 && danger < DANGER_LIMIT as f32;
            let [middle, end] = forward.danger[side];
            let middle_slope = if inside(middle) { 2.0 * middle / SQUARE_DIVISOR as f32 } else { 0.0 };
            let end_slope = if inside(end) { 1.0 / END_DIVISOR as f32 } else { 0.0 };
            self.spread(example.danger[side], [sign * by_middle * middle_slope, sign * by_bare_end * end_slope]);
        }
    }

    fn spread(&mut self, counts: &[Count], by_sum: Pair) {
        for count in counts {
            let times = f32::from(count.times);
            let derivative = &mut self.by_weight[usize::from(count.index)];
            derivative[0] += by_sum[0] * times;
            derivative[1] += by_sum[1] * times;
        }
    }
}

/// What a weight is drawn to when no example speaks, and how strongly.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    pub(super) at: Pair,
    pub(super) strength: Pair,
}

/// Most weights are drawn to nothing, shares to the whole, and material is left alone.
pub(super) fn anchors() -> Vec<Anchor> {
    let mut anchors = Vec::with_capacity(WEIGHT_COUNT);
    for term in Term::ALL {
        let anchor = match (term, term.kind()) {
            (Term::Material, _) => Anchor { at: [0.0; 2], strength: [0.0; 2] },
            (_, Kind::Scale) => Anchor { at: [0.0, FULL_SCALE as f32], strength: [1.0; 2] },
            // A unit of danger is a fraction of a centipawn, and a pull has to be as much weaker, squared.
            (_, Kind::Danger) => Anchor { at: [0.0; 2], strength: [0.04, 1.0 / (END_DIVISOR * END_DIVISOR) as f32] },
            _ => Anchor { at: [0.0; 2], strength: [1.0; 2] },
        };
        anchors.resize(anchors.len() + term.length(), anchor);
    }
    anchors
}

/// Shares stay shares whatever the gradient says.
pub(super) fn clamp_shares(weights: &mut Weights) {
    for term in Term::ALL.into_iter().filter(|term| term.kind() == Kind::Scale) {
        for weight in &mut weights.0[term.first()..term.end()] {
            weight[1] = weight[1].clamp(0.0, FULL_SCALE as f32);
        }
    }
}

const _: () = assert!(WEIGHT_COUNT <= u16::MAX as usize, "indices are 16 bits wide");
