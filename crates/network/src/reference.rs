//! The slow, exact meaning of a network, once in floats and once in integers.
//!
//! Everything fast is judged by these two. They are written to be read: one loop a step, no layout tricks.

use kiebitz_chess::{Color, Position};

use crate::numbers::{ACTIVATION_RANGE, Numbers, OutputNumbers};
use crate::spec::{AccumulatorActivation, DenseActivation, NetworkSpec};
use crate::weights::{Dense, FloatWeights, QuantisedWeights};

/// What a network says about a position, in its internal units, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The value.
    pub units: i32,
    /// The part of it that comes from the shortcut, rounded towards zero.
    pub shortcut: i32,
    /// The part of it that comes through the layers, rounded towards zero.
    pub positional: i32,
    /// The bucket that was used.
    pub bucket: usize,
}

impl Evaluation {
    /// The value in centipawns for the side to move.
    #[must_use]
    pub fn centipawns(&self, spec: &NetworkSpec) -> i32 {
        spec.centipawns.of(self.units)
    }

    /// The value in internal units as White sees it.
    #[must_use]
    pub fn units_for_white(&self, position: &Position) -> i32 {
        if position.side_to_move() == Color::White { self.units } else { self.units.wrapping_neg() }
    }
}

/// The views in the order in which the layers see them: the side to move first.
fn views(spec: &NetworkSpec, position: &Position) -> Vec<Color> {
    let mover = position.side_to_move();
    if spec.views() == 2 { vec![mover, !mover] } else { vec![Color::White] }
}

/// A network of one view speaks for White; the mover may be Black.
fn sign(spec: &NetworkSpec, position: &Position) -> i32 {
    if spec.views() == 1 && position.side_to_move() == Color::Black { -1 } else { 1 }
}

/// The integers of one view on their way to a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewTrace {
    /// Whose view.
    pub color: Color,
    /// The accumulator.
    pub sums: Vec<i16>,
    /// What the first layer sees of it.
    pub activations: Vec<i32>,
}

/// The integers of one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerTrace {
    /// Its sums, biases and a skipping one included.
    pub sums: Vec<i64>,
    /// What the next layer sees; empty for the last.
    pub activations: Vec<i32>,
}

/// Every integer on the way to a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The views, in the order in which the first layer sees them.
    pub views: Vec<ViewTrace>,
    /// The layers, the one that gives the value last.
    pub layers: Vec<LayerTrace>,
    /// The value.
    pub evaluation: Evaluation,
}

/// Evaluates with integers, exactly as every player must.
#[must_use]
pub fn evaluate_integers(spec: &NetworkSpec, weights: &QuantisedWeights, position: &Position) -> Evaluation {
    trace_integers(spec, weights, position).evaluation
}

/// Evaluates with integers and keeps all of them.
#[must_use]
pub fn trace_integers(spec: &NetworkSpec, weights: &QuantisedWeights, position: &Position) -> Trace {
    let bucket = spec.buckets.index(position.occupied().len());
    let mut traced = Vec::new();
    let mut inputs = Vec::new();
    let mut shortcut = 0_i32;
    for (number, color) in views(spec, position).into_iter().enumerate() {
        let (sums, direct) = accumulate_integers(spec, weights, position, color, bucket);
        let activations = activate_integers(spec, &sums);
        inputs.extend_from_slice(&activations);
        traced.push(ViewTrace { color, sums, activations });
        // Like the sums they come from these wrap where nothing is proved.
        shortcut = if number == 0 { shortcut.wrapping_add(direct) } else { shortcut.wrapping_sub(direct) };
    }
    let stack = weights.stacks.get(bucket).map_or(&[][..], Vec::as_slice);
    let mut layers = Vec::new();
    let (total, shortcut, divisor) = match spec.numbers.output {
        OutputNumbers::Wide { scale, units } => (wide_output(spec, stack, &inputs, scale, units, &mut layers), 0, 1),
        OutputNumbers::Narrow { scale, divisor } => {
            let shortcut = i64::from(shortcut / 2);
            (narrow_output(spec, stack, inputs, scale, &mut layers) + shortcut, shortcut, i64::from(divisor))
        }
    };
    let sign = sign(spec, position);
    let part = |sum: i64| sign.wrapping_mul((sum / divisor) as i32);
    let evaluation =
        Evaluation { units: part(total), shortcut: part(shortcut), positional: part(total - shortcut), bucket };
    Trace { views: traced, layers, evaluation }
}

fn accumulate_integers(
    spec: &NetworkSpec,
    weights: &QuantisedWeights,
    position: &Position,
    view: Color,
    bucket: usize,
) -> (Vec<i16>, i32) {
    let (width, buckets) = (spec.accumulated().width, spec.buckets.count);
    let mut sums = weights.accumulator_biases.clone();
    let mut direct = 0_i32;
    spec.features().for_each_active(position, view, |index| {
        let row = &weights.accumulator_weights[index as usize * width..][..width];
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
        if !weights.shortcut_weights.is_empty() {
            direct = direct.wrapping_add(weights.shortcut_weights[index as usize * buckets + bucket]);
        }
    });
    (sums, direct)
}

/// The numbers that the first layer sees: bytes, or with a wide output whole products.
fn activate_integers(spec: &NetworkSpec, sums: &[i16]) -> Vec<i32> {
    let numbers = spec.numbers;
    let activation = spec.accumulated().activation;
    let clip = |sum: &i16| i32::from(*sum).clamp(0, i32::from(numbers.accumulator));
    let shift = match numbers.output {
        OutputNumbers::Wide { .. } => 0,
        OutputNumbers::Narrow { .. } => numbers.activation_shift(activation),
    };
    match activation {
        AccumulatorActivation::Clipped => sums.iter().map(|sum| clip(sum) >> shift).collect(),
        AccumulatorActivation::Squared => sums.iter().map(|sum| (clip(sum) * clip(sum)) >> shift).collect(),
        AccumulatorActivation::Pairwise => {
            let (left, right) = sums.split_at(sums.len() / 2);
            left.iter().zip(right).map(|(left, right)| (clip(left) * clip(right)) >> shift).collect()
        }
    }
}

fn sum_integers(layer: &Dense<i16, i32>, output: usize, inputs: &[i32]) -> i64 {
    let products = layer.row(output).iter().zip(inputs).map(|(weight, input)| i64::from(*weight) * i64::from(*input));
    products.sum()
}

fn narrow_output(
    spec: &NetworkSpec,
    stack: &[Dense<i16, i32>],
    mut inputs: Vec<i32>,
    scale: u32,
    layers: &mut Vec<LayerTrace>,
) -> i64 {
    let mut skipped = 0;
    for (layer, dense) in spec.dense_layers().zip(stack) {
        let sums: Vec<i64> = (0..dense.outputs)
            .map(|output| i64::from(dense.biases[output]) + sum_integers(dense, output, &inputs))
            .collect();
        if layer.skip {
            // The skipping sum is scaled like a bias of this layer and has to be scaled like the output's.
            let unit = i64::from(ACTIVATION_RANGE) * i64::from(spec.numbers.dense);
            skipped += sums[layer.width] * i64::from(scale) / unit;
        }
        let activate =
            |activation| sums[..layer.width].iter().map(move |&sum| dense_step(spec.numbers, activation, sum));
        inputs = layer.activations.iter().flat_map(|&activation| activate(activation)).collect();
        layers.push(LayerTrace { sums, activations: inputs.clone() });
    }
    let last = stack.last().map_or(0, |dense| i64::from(dense.biases[0]) + sum_integers(dense, 0, &inputs));
    layers.push(LayerTrace { sums: vec![last], activations: Vec::new() });
    last + skipped
}

/// One sum of a dense layer as an activation.
fn dense_step(numbers: Numbers, activation: DenseActivation, sum: i64) -> i32 {
    let range = i64::from(ACTIVATION_RANGE);
    let shift = numbers.dense_shift();
    let squared = |sum: i64| ((sum * sum) >> (2 * shift + Numbers::SQUARE_SHIFT)).min(range);
    let step = match activation {
        DenseActivation::Clipped => (sum >> shift).clamp(0, range),
        DenseActivation::Squared => squared(sum.max(0)),
        DenseActivation::Folded => squared(sum),
    };
    step as i32
}

fn wide_output(
    spec: &NetworkSpec,
    stack: &[Dense<i16, i32>],
    inputs: &[i32],
    scale: u16,
    units: u32,
    layers: &mut Vec<LayerTrace>,
) -> i64 {
    let Some(dense) = stack.last() else { return 0 };
    let accumulator = i64::from(spec.numbers.accumulator);
    let mut sum = sum_integers(dense, 0, inputs);
    if spec.accumulated().activation != AccumulatorActivation::Clipped {
        sum /= accumulator;
    }
    layers.push(LayerTrace { sums: vec![sum + i64::from(dense.biases[0])], activations: Vec::new() });
    (sum + i64::from(dense.biases[0])) * i64::from(units) / (accumulator * i64::from(scale))
}

/// Evaluates with floats, in the internal units of the network, for the side to move.
#[must_use]
pub fn evaluate_floats(spec: &NetworkSpec, weights: &FloatWeights, position: &Position) -> f32 {
    let bucket = spec.buckets.index(position.occupied().len());
    let (width, buckets) = (spec.accumulated().width, spec.buckets.count);
    let mut inputs = Vec::new();
    let mut shortcut = 0.0;
    for (number, view) in views(spec, position).into_iter().enumerate() {
        let mut sums = weights.accumulator_biases.clone();
        let mut direct = 0.0;
        spec.features().for_each_active(position, view, |index| {
            let row = &weights.accumulator_weights[index as usize * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            if !weights.shortcut_weights.is_empty() {
                direct += weights.shortcut_weights[index as usize * buckets + bucket];
            }
        });
        inputs.extend(activate_floats(spec, &sums));
        shortcut += if number == 0 { direct } else { -direct };
    }
    let stack = weights.stacks.get(bucket).map_or(&[][..], Vec::as_slice);
    let mut value = shortcut / 2.0;
    for (layer, dense) in spec.dense_layers().zip(stack) {
        let sums = sums_of_floats(dense, &inputs);
        if layer.skip {
            value += sums[layer.width];
        }
        let squared = |sum: f32| (sum * sum * Numbers::square_gain()).min(1.0);
        let activate = |activation| {
            sums[..layer.width].iter().map(move |&sum| match activation {
                DenseActivation::Clipped => sum.clamp(0.0, 1.0),
                DenseActivation::Squared => squared(sum.max(0.0)),
                DenseActivation::Folded => squared(sum),
            })
        };
        inputs = layer.activations.iter().flat_map(|&activation| activate(activation)).collect();
    }
    value += stack.last().map_or(0.0, |dense| sums_of_floats(dense, &inputs)[0]);
    sign(spec, position) as f32 * value * spec.units()
}

fn sums_of_floats(dense: &Dense<f32, f32>, inputs: &[f32]) -> Vec<f32> {
    let sum = |output: usize| dense.row(output).iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f32>();
    (0..dense.outputs).map(|output| dense.biases[output] + sum(output)).collect()
}

fn activate_floats(spec: &NetworkSpec, sums: &[f32]) -> Vec<f32> {
    let activation = spec.accumulated().activation;
    let gain = match spec.numbers.output {
        OutputNumbers::Wide { .. } => 1.0,
        OutputNumbers::Narrow { .. } => spec.numbers.activation_gain(activation),
    };
    let clip = |sum: &f32| sum.clamp(0.0, 1.0);
    match activation {
        AccumulatorActivation::Clipped => sums.iter().map(|sum| clip(sum) * gain).collect(),
        AccumulatorActivation::Squared => sums.iter().map(|sum| clip(sum) * clip(sum) * gain).collect(),
        AccumulatorActivation::Pairwise => {
            let (left, right) = sums.split_at(sums.len() / 2);
            left.iter().zip(right).map(|(left, right)| clip(left) * clip(right) * gain).collect()
        }
    }
}
