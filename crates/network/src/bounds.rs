//! What every step of a network can reach at most, whatever the position.
//!
//! Interval arithmetic from the accumulator to the value, which adds up last layer, skipping sums and shortcut. For the accumulator a bound that respects the rules: the
//! own king stands somewhere; on every other square stands at most one piece; either side has at most fifteen pieces
//! besides its king; no pawn stands on an outer rank; the enemy king stands somewhere, not beside ours. Features
//! of moves and pairs count as often as they can occur at all, each with the most extreme weight of its kind.
//!
//! The sum of a wide output is an exception to 32 bits: the reference and play add it up in 64. Vector lanes of 32 bits are emptied into those
//! before they could be full, whatever the weights (the dot products of `kiebitz-kernels`).
//!
//! Vector instructions go through 16 bits where plain arithmetic has more: these steps are in [`crate::vector_steps`].

use kiebitz_chess::{Color, Piece, PieceKind, Square, attacks};
use serde::{Deserialize, Serialize};

use crate::numbers::{ACTIVATION_RANGE, Numbers, OutputNumbers};
use crate::spec::{AccumulatorActivation, DenseActivation, NetworkSpec};
use crate::vector_steps;
use crate::weights::{Dense, QuantisedWeights};

/// The pieces a side has besides its king.
const PIECES_OF_A_SIDE: usize = 15;

/// What one step can reach, over all positions and all its sums.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Which step.
    pub step: String,
    /// The lowest value it can reach.
    pub lowest: i64,
    /// The highest value it can reach.
    pub highest: i64,
    /// What the integers of that step can hold, plus or minus.
    pub limit: i64,
}

impl Bounds {
    /// Whether the step can neither saturate nor wrap.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        // A file may hold any limit, also the one that has no negation.
        self.limit.saturating_neg() <= self.lowest && self.highest <= self.limit
    }

    /// Whether a stored bound says the same. Older programs held the sums of wide outputs to 32 bits, although they were always added in 64.
    pub(crate) fn is_told_by(&self, stored: &Self) -> bool {
        let is_older = self.limit == i64::MAX && stored.limit == i64::from(i32::MAX);
        let limit = if is_older { self.limit } else { stored.limit };
        *self == Self { limit, ..stored.clone() }
    }
}

/// Lowest and highest value of one sum.
pub(crate) type Interval = (i64, i64);

/// The bounds of all steps, and those of the steps that only vector instructions take.
pub(crate) fn of_network(spec: &NetworkSpec, weights: &QuantisedWeights) -> (Vec<Bounds>, Vec<Bounds>) {
    let sums = accumulator(spec, weights);
    let mut vectors: Vec<Bounds> = vector_steps::of_accumulator(spec, &sums).into_iter().collect();
    let mut all = vec![summary("the accumulator", &sums, i16::MAX.into())];
    let mut both_shortcuts = 0;
    if spec.accumulated().shortcut {
        let reach = shortcut(spec, weights);
        both_shortcuts = reach * spec.views() as i64;
        all.push(summary("the shortcut", &[(-reach, reach)], i32::MAX.into()));
        all.push(summary("the shortcut, both views", &[(-both_shortcuts, both_shortcuts)], i32::MAX.into()));
    }
    let activated = activate(spec, &sums);
    let sums_of_accumulator = sums;
    let inputs: Vec<Interval> = (0..spec.views()).flat_map(|_| activated.iter().copied()).collect();
    for (bucket, stack) in weights.stacks.iter().enumerate() {
        let mut inputs = inputs.clone();
        // Everything that is added up in the end, in 64 bits.
        let mut total = (-(both_shortcuts / 2), both_shortcuts / 2);
        for (number, dense) in stack.iter().enumerate() {
            let step = format!("bucket {bucket}, layer {}", number + 1);
            let views = if number == 0 { spec.views() } else { 1 };
            vectors.extend(vector_steps::of_layer(spec, &step, dense, &inputs, &sums_of_accumulator, views));
            let sums: Vec<Interval> = (0..dense.outputs).map(|output| dense_sum(dense, output, &inputs)).collect();
            all.push(summary(&step, &sums, limit_of_sums(spec)));
            let added = match spec.dense_layers().nth(number) {
                Some(layer) if layer.skip => skipped(spec.numbers, sums[layer.width]),
                Some(_) => (0, 0),
                None => output(spec, dense, sums.first().copied().unwrap_or_default()),
            };
            total = (total.0.saturating_add(added.0), total.1.saturating_add(added.1));
            if let Some(layer) = spec.dense_layers().nth(number) {
                let step =
                    |activation| sums[..layer.width].iter().map(move |&sum| dense_step(spec.numbers, activation, sum));
                inputs = layer.activations.iter().flat_map(|&activation| step(activation)).collect();
            }
        }
        all.push(summary(&format!("bucket {bucket}, the value"), &[value(spec, total)], i32::MAX.into()));
    }
    (all, vectors)
}

/// What the sums of dense layers are held in. No description has a sum that comes near 64 bits: 2^15 products below 2^35; what becomes
/// of it has the bound of the value.
fn limit_of_sums(spec: &NetworkSpec) -> i64 {
    match spec.numbers.output {
        OutputNumbers::Narrow { .. } => i32::MAX.into(),
        OutputNumbers::Wide { .. } => i64::MAX,
    }
}

/// A skipping sum, scaled like the output's.
fn skipped(numbers: Numbers, sum: Interval) -> Interval {
    let OutputNumbers::Narrow { scale, .. } = numbers.output else { return (0, 0) };
    let unit = i128::from(ACTIVATION_RANGE) * i128::from(numbers.dense);
    let scaled = |sum: i64| clamped(i128::from(sum) * i128::from(scale) / unit);
    (scaled(sum.0), scaled(sum.1))
}

/// What the last layer adds to the value.
fn output(spec: &NetworkSpec, dense: &Dense<i16, i32>, sum: Interval) -> Interval {
    let OutputNumbers::Wide { scale, units } = spec.numbers.output else { return sum };
    let accumulator = i128::from(spec.numbers.accumulator);
    let bias = dense.biases.first().map_or(0, |&bias| i128::from(bias));
    let divided = match spec.accumulated().activation {
        AccumulatorActivation::Clipped => 1,
        AccumulatorActivation::Squared | AccumulatorActivation::Pairwise => accumulator,
    };
    let scaled = |sum: i64| {
        let sum = (i128::from(sum) - bias) / divided + bias;
        clamped(sum * i128::from(units) / (accumulator * i128::from(scale)))
    };
    (scaled(sum.0), scaled(sum.1))
}

/// The total as the engine takes it: the further of internal units and centipawns, which both have to fit.
fn value(spec: &NetworkSpec, total: Interval) -> Interval {
    let divisor = match spec.numbers.output {
        OutputNumbers::Narrow { divisor, .. } => i64::from(divisor),
        OutputNumbers::Wide { .. } => 1,
    };
    let units = (total.0 / divisor, total.1 / divisor);
    let scale = spec.centipawns;
    let centipawns = |units: i64| clamped(i128::from(units) * i128::from(scale.times) / i128::from(scale.per.max(1)));
    (units.0.min(centipawns(units.0)), units.1.max(centipawns(units.1)))
}

fn clamped(value: i128) -> i64 {
    value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

pub(crate) fn summary(step: &str, sums: &[Interval], limit: i64) -> Bounds {
    let lowest = sums.iter().map(|sum| sum.0).min().unwrap_or(0);
    let highest = sums.iter().map(|sum| sum.1).max().unwrap_or(0);
    Bounds { step: step.to_owned(), lowest, highest, limit }
}

/// How far the shortcut of one view can be from nothing. A pessimistic bound is enough here: 32 bits are wide.
fn shortcut(spec: &NetworkSpec, weights: &QuantisedWeights) -> i64 {
    let largest = weights.shortcut_weights.iter().map(|weight| i64::from(*weight).abs()).max().unwrap_or(0);
    largest * i64::from(spec.features().max_active())
}

/// The interval of every sum of the accumulator.
fn accumulator(spec: &NetworkSpec, weights: &QuantisedWeights) -> Vec<Interval> {
    let width = spec.accumulated().width;
    let kings: Vec<Square> = match spec.features().half() {
        Some(half) => Square::ALL.into_iter().filter(|&king| half.mask(Color::White, king) == 0).collect(),
        None => vec![Square::A1],
    };
    let mut bounds: Vec<Interval> = vec![(i64::MAX, i64::MIN); width];
    let mut seen = vec![false; spec.features().count() as usize];
    for king in kings {
        let scene = Scene { spec, weights, king };
        let low = scene.extreme(Direction::Low, &mut seen);
        let high = scene.extreme(Direction::High, &mut seen);
        for (bound, (low, high)) in bounds.iter_mut().zip(low.into_iter().zip(high)) {
            *bound = (bound.0.min(low), bound.1.max(high));
        }
    }
    let dynamic = i64::from(spec.features().max_dynamic());
    if dynamic > 0 {
        let mut extremes = vec![(0_i64, 0_i64); width];
        for (index, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            let row = &weights.accumulator_weights[index * width..][..width];
            for (extreme, &weight) in extremes.iter_mut().zip(row) {
                *extreme = (extreme.0.min(weight.into()), extreme.1.max(weight.into()));
            }
        }
        for (bound, extreme) in bounds.iter_mut().zip(extremes) {
            *bound = (bound.0 + dynamic * extreme.0, bound.1 + dynamic * extreme.1);
        }
    }
    for (bound, &bias) in bounds.iter_mut().zip(&weights.accumulator_biases) {
        *bound = (bound.0 + i64::from(bias), bound.1 + i64::from(bias));
    }
    bounds
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Low,
    High,
}

impl Direction {
    fn further(self, left: i32, right: i32) -> i32 {
        match self {
            Self::Low => left.min(right),
            Self::High => left.max(right),
        }
    }
}

/// The board with White's king on a square, seen by White.
struct Scene<'a> {
    spec: &'a NetworkSpec,
    weights: &'a QuantisedWeights,
    king: Square,
}

impl Scene<'_> {
    /// Adds the weights of a piece's features to `sums`.
    fn add(&self, piece: Piece, square: Square, sums: &mut [i32], seen: &mut [bool]) {
        let width = sums.len();
        self.spec.features().piece_view(Color::White, self.king).for_each(piece, square, |index| {
            seen[index as usize] = true;
            let row = &self.weights.accumulator_weights[index as usize * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i32::from(weight));
        });
    }

    /// The most extreme sums that any placement around this king can reach, without biases.
    fn extreme(&self, direction: Direction, seen: &mut [bool]) -> Vec<i64> {
        let width = self.spec.accumulated().width;
        let has_view = self.spec.features().half().is_some();
        let mut total = vec![0_i64; width];
        let mut own_king = vec![0; width];
        self.add(Piece::new(Color::White, PieceKind::King), self.king, &mut own_king, seen);
        // Without a view the king's square means nothing: any square will do.
        let own_king = if has_view { own_king } else { self.best_king(Color::White, direction, seen) };
        let enemy_king = self.best_king(Color::Black, direction, seen);
        for (total, (own, enemy)) in total.iter_mut().zip(own_king.iter().zip(&enemy_king)) {
            *total += i64::from(*own) + i64::from(*enemy);
        }
        for color in Color::ALL {
            // For every square what the most extreme piece there contributes; no piece contributes nothing.
            let mut squares: Vec<Vec<i32>> = Vec::new();
            for square in Square::ALL.into_iter().filter(|&square| !has_view || square != self.king) {
                let mut best = vec![0; width];
                for kind in PieceKind::ALL.into_iter().filter(|&kind| can_stand(kind, square)) {
                    let mut sums = vec![0; width];
                    self.add(Piece::new(color, kind), square, &mut sums, seen);
                    best.iter_mut().zip(&sums).for_each(|(best, &sum)| *best = direction.further(*best, sum));
                }
                squares.push(best);
            }
            let mut column = vec![0; squares.len()];
            for (neuron, total) in total.iter_mut().enumerate() {
                column.iter_mut().zip(&squares).for_each(|(entry, best)| *entry = best[neuron]);
                column.sort_unstable();
                let chosen: i32 = match direction {
                    Direction::Low => column.iter().take(PIECES_OF_A_SIDE).sum(),
                    Direction::High => column.iter().rev().take(PIECES_OF_A_SIDE).sum(),
                };
                *total += i64::from(chosen);
            }
        }
        total
    }

    /// The most extreme contribution of a king that must stand somewhere.
    fn best_king(&self, color: Color, direction: Direction, seen: &mut [bool]) -> Vec<i32> {
        let width = self.spec.accumulated().width;
        let has_view = self.spec.features().half().is_some();
        let mut best: Option<Vec<i32>> = None;
        for square in Square::ALL {
            if has_view && (square == self.king || attacks::king(self.king).contains(square)) {
                continue;
            }
            let mut sums = vec![0; width];
            self.add(Piece::new(color, PieceKind::King), square, &mut sums, seen);
            best = Some(match best {
                None => sums,
                Some(best) => best.into_iter().zip(sums).map(|(left, right)| direction.further(left, right)).collect(),
            });
        }
        best.unwrap_or_else(|| vec![0; width])
    }
}

fn can_stand(kind: PieceKind, square: Square) -> bool {
    match kind {
        PieceKind::King => false,
        PieceKind::Pawn => !matches!(square.index() / 8, 0 | 7),
        _ => true,
    }
}

fn activate(spec: &NetworkSpec, sums: &[Interval]) -> Vec<Interval> {
    let numbers = spec.numbers;
    let activation = spec.accumulated().activation;
    let shift = match numbers.output {
        OutputNumbers::Wide { .. } => 0,
        OutputNumbers::Narrow { .. } => numbers.activation_shift(activation),
    };
    let clip = |sum: i64| sum.clamp(0, i64::from(numbers.accumulator));
    let product = |left: Interval, right: Interval| {
        ((clip(left.0) * clip(right.0)) >> shift, (clip(left.1) * clip(right.1)) >> shift)
    };
    match activation {
        AccumulatorActivation::Clipped => sums.iter().map(|sum| (clip(sum.0) >> shift, clip(sum.1) >> shift)).collect(),
        AccumulatorActivation::Squared => sums.iter().map(|&sum| product(sum, sum)).collect(),
        AccumulatorActivation::Pairwise => {
            let (left, right) = sums.split_at(sums.len() / 2);
            left.iter().zip(right).map(|(&left, &right)| product(left, right)).collect()
        }
    }
}

fn dense_sum(dense: &Dense<i16, i32>, output: usize, inputs: &[Interval]) -> Interval {
    let bias = i64::from(dense.biases[output]);
    dense.row(output).iter().zip(inputs).fold((bias, bias), |sum, (&weight, input)| {
        let (first, second) = (i64::from(weight) * input.0, i64::from(weight) * input.1);
        (sum.0 + first.min(second), sum.1 + first.max(second))
    })
}

fn dense_step(numbers: Numbers, activation: DenseActivation, sum: Interval) -> Interval {
    let range = i64::from(ACTIVATION_RANGE);
    let shift = numbers.dense_shift();
    let squared = |sum: i64| ((sum * sum) >> (2 * shift + Numbers::SQUARE_SHIFT)).min(range);
    match activation {
        DenseActivation::Clipped => ((sum.0 >> shift).clamp(0, range), (sum.1 >> shift).clamp(0, range)),
        DenseActivation::Squared => (squared(sum.0.max(0)), squared(sum.1.max(0))),
        DenseActivation::Folded => {
            let (low, high) = (squared(sum.0), squared(sum.1));
            let crosses_zero = sum.0 < 0 && sum.1 > 0;
            (if crosses_zero { 0 } else { low.min(high) }, low.max(high))
        }
    }
}
