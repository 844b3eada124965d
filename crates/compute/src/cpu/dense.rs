//! Dense layers and their activations.

use std::ops::Range;

use rayon::prelude::*;

use super::vector::{add, add_four_rows, clip, four_dots};
use super::{Batch, Cpu};
use crate::device::Input;
use crate::{DenseShape, LayerActivation, SumActivation, UnitActivation};

/// Samples that are worked on at a time.
const PIECE: usize = 64;
/// Partial gradients of a layer: so many ranges of samples have their own.
const PARTS: usize = 16;

/// Writes what a layer sees of one sample.
fn look(input: Input<'_, Cpu>, sample: usize, out: &mut [f32]) {
    match input {
        Input::Plain(numbers) => out.copy_from_slice(&numbers[sample * out.len()..][..out.len()]),
        Input::Sums(sums, activation) => {
            let (width, activated) = (activation.width, activation.activated());
            for (view, out) in out.chunks_exact_mut(activated).enumerate() {
                let sums = &sums[(sample * activation.views + view) * width..][..width];
                clip(out, sums);
                match activation.activation {
                    SumActivation::Clipped => {}
                    SumActivation::Squared => out.iter_mut().for_each(|value| *value *= *value),
                    SumActivation::Pairwise => out
                        .iter_mut()
                        .zip(&sums[activated..])
                        .for_each(|(value, other)| *value *= other.clamp(0.0, 1.0)),
                }
                if activation.gain != 1.0 {
                    out.iter_mut().for_each(|value| *value *= activation.gain);
                }
            }
        }
    }
}

/// Four rows of a list that may hold fewer; a missing one is the first again, to be multiplied with nothing.
fn four<'a>(count: usize, row: impl Fn(usize) -> &'a [f32]) -> [&'a [f32]; 4] {
    std::array::from_fn(|number| row(if number < count { number } else { 0 }))
}

fn factors(count: usize, factor: impl Fn(usize) -> f32) -> [f32; 4] {
    std::array::from_fn(|number| if number < count { factor(number) } else { 0.0 })
}

/// The weights of one output in one bucket.
fn row(shape: DenseShape, weights: &[f32], bucket: u32, output: usize) -> &[f32] {
    &weights[(bucket as usize * shape.outputs + output) * shape.inputs..][..shape.inputs]
}

/// What comes back to a layer's input from the gradients of its sums.
fn back(shape: DenseShape, weights: &[f32], bucket: u32, gradients: &[f32], out: &mut [f32]) {
    out.fill(0.0);
    for first in (0..shape.outputs).step_by(4) {
        let count = (shape.outputs - first).min(4);
        let rows = four(count, |number| row(shape, weights, bucket, first + number));
        add_four_rows(out, factors(count, |number| gradients[first + number]), rows);
    }
}

impl Cpu {
    pub(super) fn layer_sums(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        weights: &[f32],
        biases: &[f32],
        batch: &Batch,
        out: &mut [f32],
    ) {
        let outputs = shape.outputs;
        self.pool.install(|| {
            out.par_chunks_mut(outputs * PIECE).enumerate().for_each(|(piece, out)| {
                let mut seen = vec![0.0; shape.inputs];
                for (number, out) in out.chunks_exact_mut(outputs).enumerate() {
                    let sample = piece * PIECE + number;
                    let Some(&bucket) = batch.buckets.get(sample) else { return };
                    look(input, sample, &mut seen);
                    for first in (0..outputs).step_by(4) {
                        let count = (outputs - first).min(4);
                        let dots = four_dots(&seen, four(count, |number| row(shape, weights, bucket, first + number)));
                        for number in 0..count {
                            let bias = biases[bucket as usize * outputs + first + number];
                            out[first + number] = dots[number] + bias;
                        }
                    }
                }
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "an operation with two results")]
    pub(super) fn layer_gradients(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        gradients: &[f32],
        batch: &Batch,
        scale: f32,
        weights: &mut [f32],
        biases: &mut [f32],
    ) {
        let size = batch.len().div_ceil(PARTS).max(1);
        let ranges: Vec<Range<usize>> =
            (0..PARTS).map(|part| part * size..((part + 1) * size).min(batch.len())).collect();
        let parts: Vec<(Vec<f32>, Vec<f32>)> = self.pool.install(|| {
            ranges.into_par_iter().map(|range| part_of_gradients(shape, input, gradients, batch, range)).collect()
        });
        weights.fill(0.0);
        biases.fill(0.0);
        for (part, part_biases) in &parts {
            add(weights, part);
            add(biases, part_biases);
        }
        weights.iter_mut().chain(biases).for_each(|gradient| *gradient *= scale);
    }

    pub(super) fn plain_gradients(
        &self,
        shape: DenseShape,
        weights: &[f32],
        gradients: &[f32],
        batch: &Batch,
        out: &mut [f32],
    ) {
        self.pool.install(|| {
            out.par_chunks_mut(shape.inputs).enumerate().with_min_len(PIECE).for_each(|(sample, out)| {
                let Some(&bucket) = batch.buckets.get(sample) else { return };
                back(shape, weights, bucket, &gradients[sample * shape.outputs..][..shape.outputs], out);
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the activation is part of the operation")]
    pub(super) fn through_activation(
        &self,
        shape: DenseShape,
        sums: &[f32],
        activation: LayerActivation,
        weights: &[f32],
        gradients: &[f32],
        batch: &Batch,
        out: &mut [f32],
    ) {
        let size = activation.views * activation.width;
        self.pool.install(|| {
            out.par_chunks_mut(size * PIECE).enumerate().for_each(|(piece, out)| {
                let mut seen = vec![0.0; shape.inputs];
                for (number, out) in out.chunks_exact_mut(size).enumerate() {
                    let sample = piece * PIECE + number;
                    let Some(&bucket) = batch.buckets.get(sample) else { return };
                    let gradients = &gradients[sample * shape.outputs..][..shape.outputs];
                    back(shape, weights, bucket, gradients, &mut seen);
                    undo(activation, &sums[sample * size..][..size], &seen, out);
                }
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "sizes of two layers meet here")]
    pub(super) fn activate_units(
        &self,
        sums: &[f32],
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut [f32],
    ) {
        let samples = sums.par_chunks_exact(outputs).zip(out.par_chunks_exact_mut(width * ways.len()));
        self.pool.install(|| {
            samples.take(batch.len()).with_min_len(PIECE).for_each(|(sums, out)| {
                for (way, out) in ways.iter().zip(out.chunks_exact_mut(width)) {
                    out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = activated(*way, sum, gain));
                }
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "sizes of two layers meet here")]
    pub(super) fn unit_gradients(
        &self,
        sums: &[f32],
        gradients: &[f32],
        value_gradients: &[f32],
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut [f32],
    ) {
        let size = width * ways.len();
        let of_sample = |sample: usize, out: &mut [f32]| {
            let sums = &sums[sample * outputs..][..outputs];
            let gradients = &gradients[sample * size..][..size];
            for (unit, out) in out.iter_mut().enumerate() {
                *out = match unit < width {
                    true => ways
                        .iter()
                        .enumerate()
                        .map(|(way, &activation)| gradients[way * width + unit] * slope(activation, sums[unit], gain))
                        .sum(),
                    false => value_gradients[sample],
                };
            }
        };
        self.pool.install(|| {
            let samples = out.par_chunks_exact_mut(outputs).take(batch.len()).enumerate();
            samples.with_min_len(PIECE).for_each(|(sample, out)| of_sample(sample, out));
        });
    }
}

fn part_of_gradients(
    shape: DenseShape,
    input: Input<'_, Cpu>,
    gradients: &[f32],
    batch: &Batch,
    mut range: Range<usize>,
) -> (Vec<f32>, Vec<f32>) {
    let mut weights = vec![0.0; shape.buckets * shape.outputs * shape.inputs];
    let mut biases = vec![0.0; shape.buckets * shape.outputs];
    let mut seen = vec![0.0; 4 * shape.inputs];
    while !range.is_empty() {
        let count = batch.four_of_one_bucket(&range);
        let bucket = batch.buckets[range.start] as usize;
        for (number, seen) in seen.chunks_exact_mut(shape.inputs).enumerate().take(count) {
            look(input, range.start + number, seen);
        }
        let rows = four(count, |number| &seen[number * shape.inputs..][..shape.inputs]);
        for output in 0..shape.outputs {
            let factors = factors(count, |number| gradients[(range.start + number) * shape.outputs + output]);
            if factors == [0.0; 4] {
                continue;
            }
            let at = bucket * shape.outputs + output;
            add_four_rows(&mut weights[at * shape.inputs..][..shape.inputs], factors, rows);
            biases[at] += factors.iter().sum::<f32>();
        }
        range.start += count;
    }
    (weights, biases)
}

/// Gradients of sums from those of what the layer saw of them.
fn undo(activation: LayerActivation, sums: &[f32], seen: &[f32], out: &mut [f32]) {
    let (width, activated, gain) = (activation.width, activation.activated(), activation.gain);
    let views = sums.chunks_exact(width).zip(seen.chunks_exact(activated)).zip(out.chunks_exact_mut(width));
    let is_open = |sum: f32| sum > 0.0 && sum < 1.0;
    for ((sums, seen), out) in views {
        match activation.activation {
            SumActivation::Clipped => {
                for column in 0..width {
                    out[column] = if is_open(sums[column]) { seen[column] * gain } else { 0.0 };
                }
            }
            SumActivation::Squared => {
                for column in 0..width {
                    let sum = sums[column];
                    out[column] = if is_open(sum) { seen[column] * gain * 2.0 * sum } else { 0.0 };
                }
            }
            SumActivation::Pairwise => {
                for column in 0..activated {
                    let (left, right, gradient) = (sums[column], sums[column + activated], seen[column] * gain);
                    out[column] = if is_open(left) { gradient * right.clamp(0.0, 1.0) } else { 0.0 };
                    out[column + activated] = if is_open(right) { gradient * left.clamp(0.0, 1.0) } else { 0.0 };
                }
            }
        }
    }
}

fn activated(activation: UnitActivation, sum: f32, gain: f32) -> f32 {
    match activation {
        UnitActivation::Clipped => sum.clamp(0.0, 1.0),
        UnitActivation::Squared => (sum.max(0.0) * sum.max(0.0) * gain).min(1.0),
        UnitActivation::Folded => (sum * sum * gain).min(1.0),
    }
}

fn slope(activation: UnitActivation, sum: f32, gain: f32) -> f32 {
    let squared = if sum * sum * gain < 1.0 { 2.0 * sum * gain } else { 0.0 };
    match activation {
        UnitActivation::Clipped => f32::from(sum > 0.0 && sum < 1.0),
        UnitActivation::Squared if sum <= 0.0 => 0.0,
        UnitActivation::Squared | UnitActivation::Folded => squared,
    }
}
