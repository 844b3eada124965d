//! Dense layers and their activations.

use std::ops::Range;

use rayon::prelude::*;

use super::room::Room;
use super::vector::{LANES, TILE, add, add_products, clip, dot};
use super::{Batch, Cpu};
use crate::device::Input;
use crate::{DenseShape, LayerActivation, SumActivation, UnitActivation};

/// Samples that are worked on at a time.
const PIECE: usize = 64;
/// Partial gradients of a layer: so many ranges of samples have their own.
const PARTS: usize = 16;
/// Gradients that one thread puts together at a time.
const SUM_PIECE: usize = 4096;

/// Layers of fewer outputs are not worth a tile.
const LEAST_TILED: usize = 4;

/// Weights as tiles read them: `[bucket][sixteen outputs][input]`, outputs that are missing as zeros.
struct Tiles<'a> {
    inputs: usize,
    outputs: usize,
    weights: Room<'a>,
}

impl<'a> Tiles<'a> {
    /// For the way forward: from inputs to outputs.
    fn forward(cpu: &'a Cpu, shape: DenseShape, weights: &[f32]) -> Self {
        Self::new(cpu, shape.buckets, shape.inputs, shape.outputs, |bucket, input, output| {
            weights[(bucket * shape.outputs + output) * shape.inputs + input]
        })
    }

    /// For the way back: from gradients of outputs to those of inputs.
    fn backward(cpu: &'a Cpu, shape: DenseShape, weights: &[f32]) -> Self {
        Self::new(cpu, shape.buckets, shape.outputs, shape.inputs, |bucket, output, input| {
            weights[(bucket * shape.outputs + output) * shape.inputs + input]
        })
    }

    fn new(
        cpu: &'a Cpu,
        buckets: usize,
        inputs: usize,
        outputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32 + Sync,
    ) -> Self {
        let blocks = outputs.div_ceil(LANES);
        let mut weights = cpu.rooms.zeros(buckets * blocks * inputs * LANES);
        cpu.pool.install(|| {
            weights.par_chunks_exact_mut(inputs * LANES).enumerate().for_each(|(number, tiles)| {
                let (bucket, first) = (number / blocks, number % blocks * LANES);
                for (input, tile) in tiles.chunks_exact_mut(LANES).enumerate() {
                    for (lane, value) in tile.iter_mut().enumerate().take(outputs - first) {
                        *value = weight(bucket, input, first + lane);
                    }
                }
            });
        });
        Self { inputs, outputs, weights }
    }

    /// `out[sample] = start + weights · seen[sample]` for some samples of one bucket; `seen` has room for a whole tile.
    fn sums(&self, bucket: u32, seen: &[f32], start: Option<&[f32]>, out: &mut [f32]) {
        let blocks = self.outputs.div_ceil(LANES);
        let (tiles, _) = self.weights.as_chunks::<LANES>();
        let x: [&[f32]; TILE] = std::array::from_fn(|sample| &seen[sample * self.inputs..][..self.inputs]);
        for block in 0..blocks {
            let begin = (bucket as usize * blocks + block) * self.inputs;
            let mut sums = [[0.0; LANES]; TILE];
            add_products(&mut sums, x, &tiles[begin..begin + self.inputs]);
            let first = block * LANES;
            for (out, sums) in out.chunks_exact_mut(self.outputs).zip(&sums) {
                let end = (first + LANES).min(self.outputs);
                out[first..end].copy_from_slice(&sums[..end - first]);
                if let Some(start) = start {
                    add(&mut out[first..end], &start[first..end]);
                }
            }
        }
    }
}

/// The sums of some samples of one bucket, for layers of few outputs.
fn sums_by_dots(shape: DenseShape, seen: &[f32], weights: &[f32], bucket: u32, biases: &[f32], out: &mut [f32]) {
    for (seen, out) in seen.chunks_exact(shape.inputs).zip(out.chunks_exact_mut(shape.outputs)) {
        for (output, out) in out.iter_mut().enumerate() {
            *out = dot(seen, row(shape, weights, bucket, output)) + biases[output];
        }
    }
}

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

/// The weights of one output in one bucket.
fn row(shape: DenseShape, weights: &[f32], bucket: u32, output: usize) -> &[f32] {
    &weights[(bucket as usize * shape.outputs + output) * shape.inputs..][..shape.inputs]
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
        let tiles = (outputs >= LEAST_TILED).then(|| Tiles::forward(self, shape, weights));
        self.pool.install(|| {
            out.par_chunks_mut(outputs * PIECE).enumerate().for_each(|(piece, out)| {
                let mut seen = self.rooms.zeros(TILE * shape.inputs);
                each_tile(batch, piece, out, outputs, |range, bucket, out| {
                    for (sample, seen) in range.zip(seen.chunks_exact_mut(shape.inputs)) {
                        look(input, sample, seen);
                    }
                    let biases = &biases[bucket as usize * outputs..][..outputs];
                    match &tiles {
                        Some(tiles) => tiles.sums(bucket, &seen, Some(biases), out),
                        None => sums_by_dots(shape, &seen, weights, bucket, biases, out),
                    }
                });
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
        let parts: Vec<(Room<'_>, Room<'_>)> = self.pool.install(|| {
            ranges.into_par_iter().map(|range| self.part_of_gradients(shape, input, gradients, batch, range)).collect()
        });
        let (of_weights, of_biases): (Vec<&[f32]>, Vec<&[f32]>) =
            parts.iter().map(|(weights, biases)| (&**weights, &**biases)).unzip();
        let put_together = |out: &mut [f32], begin: usize, parts: &[&[f32]]| {
            out.fill(0.0);
            parts.iter().for_each(|part| add(out, &part[begin..begin + out.len()]));
            out.iter_mut().for_each(|gradient| *gradient *= scale);
        };
        self.pool.install(|| {
            let pieces = weights.par_chunks_mut(SUM_PIECE).enumerate();
            pieces.for_each(|(piece, out)| put_together(out, piece * SUM_PIECE, &of_weights));
        });
        put_together(biases, 0, &of_biases);
    }

    pub(super) fn plain_gradients(
        &self,
        shape: DenseShape,
        weights: &[f32],
        gradients: &[f32],
        batch: &Batch,
        out: &mut [f32],
    ) {
        let tiles = Tiles::backward(self, shape, weights);
        self.pool.install(|| {
            out.par_chunks_mut(shape.inputs * PIECE).enumerate().for_each(|(piece, out)| {
                each_tile(batch, piece, out, shape.inputs, |range, bucket, out| {
                    back(&tiles, bucket, gradients, range, out);
                });
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
        let tiles = Tiles::backward(self, shape, weights);
        self.pool.install(|| {
            out.par_chunks_mut(size * PIECE).enumerate().for_each(|(piece, out)| {
                let mut seen = self.rooms.zeros(TILE * shape.inputs);
                each_tile(batch, piece, out, size, |range, bucket, out| {
                    back(&tiles, bucket, gradients, range.clone(), &mut seen[..range.len() * shape.inputs]);
                    let seen = seen.chunks_exact(shape.inputs);
                    for ((sample, out), seen) in range.zip(out.chunks_exact_mut(size)).zip(seen) {
                        undo(activation, &sums[sample * size..][..size], seen, out);
                    }
                });
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

    /// Gradients of a layer's weights and biases from a range of samples.
    fn part_of_gradients(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        gradients: &[f32],
        batch: &Batch,
        mut range: Range<usize>,
    ) -> (Room<'_>, Room<'_>) {
        let (inputs, outputs) = (shape.inputs, shape.outputs);
        let mut weights = self.rooms.zeros(shape.buckets * outputs * inputs);
        let mut biases = self.rooms.zeros(shape.buckets * outputs);
        let mut seen = self.rooms.zeros(inputs);
        // What some samples see, in blocks of sixteen inputs: [block][sample]; and their gradients, [output][sample].
        let mut columns = self.rooms.zeros(inputs.next_multiple_of(LANES) * PIECE);
        let (columns, _) = columns.as_chunks_mut::<LANES>();
        let mut pulls = self.rooms.zeros(outputs.next_multiple_of(TILE) * PIECE);
        while !range.is_empty() {
            let count = batch.some_of_one_bucket(&range, PIECE);
            let bucket = batch.buckets[range.start] as usize;
            for number in 0..count {
                let sample = range.start + number;
                look(input, sample, &mut seen);
                for (block, chunk) in seen.chunks(LANES).enumerate() {
                    columns[block * PIECE + number][..chunk.len()].copy_from_slice(chunk);
                }
                for (output, &gradient) in gradients[sample * outputs..][..outputs].iter().enumerate() {
                    pulls[output * PIECE + number] = gradient;
                    biases[bucket * outputs + output] += gradient;
                }
            }
            for first in (0..outputs).step_by(TILE) {
                let pulls: [&[f32]; TILE] = std::array::from_fn(|number| &pulls[(first + number) * PIECE..][..count]);
                for (block, columns) in columns.chunks_exact(PIECE).enumerate() {
                    let mut sums = [[0.0; LANES]; TILE];
                    add_products(&mut sums, pulls, &columns[..count]);
                    for (output, sums) in (first..outputs).zip(&sums) {
                        let row = &mut weights[(bucket * outputs + output) * inputs..][..inputs];
                        add(&mut row[block * LANES..], sums);
                    }
                }
            }
            range.start += count;
        }
        (weights, biases)
    }
}

/// Shows the samples of a piece in tiles of one bucket, with their part of `out`, which has `size` numbers a sample.
fn each_tile(
    batch: &Batch,
    piece: usize,
    out: &mut [f32],
    size: usize,
    mut work: impl FnMut(Range<usize>, u32, &mut [f32]),
) {
    let first = piece * PIECE;
    let mut range = first..(first + out.len() / size).min(batch.len());
    while !range.is_empty() {
        let end = range.start + batch.some_of_one_bucket(&range, TILE);
        let out = &mut out[(range.start - first) * size..(end - first) * size];
        work(range.start..end, batch.buckets[range.start], out);
        range.start = end;
    }
}

/// What comes back to a layer's input from the gradients of its sums, for some samples of one bucket.
fn back(tiles: &Tiles<'_>, bucket: u32, gradients: &[f32], range: Range<usize>, out: &mut [f32]) {
    let outputs = tiles.inputs;
    let known = &gradients[range.start * outputs..range.end * outputs];
    if known.len() == TILE * outputs {
        return tiles.sums(bucket, known, None, out);
    }
    let mut whole = vec![0.0; TILE * outputs];
    whole[..known.len()].copy_from_slice(known);
    tiles.sums(bucket, &whole, None, out);
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
