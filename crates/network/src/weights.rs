//! Weights, a type for each stage of their life.
//!
//! ```text
//! FloatWeights ──merge──▶ MergedWeights ──quantise──▶ QuantisedWeights ──▶ packed for play (another crate)
//! trained, with           floats of the              integers, as          laid out for
//! virtual features        played network             files hold them       an instruction set
//! ```

use std::sync::Arc;

use crate::numbers::OutputNumbers;
use crate::rows::Rows;
use crate::spec::{LayerShape, NetworkSpec};

/// A dense layer's numbers: `weights[output * inputs + input]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense<W, B> {
    /// How many numbers come in.
    pub inputs: usize,
    /// How many sums are formed.
    pub outputs: usize,
    /// Output by output.
    pub weights: Vec<W>,
    /// One an output.
    pub biases: Vec<B>,
}

impl<W: Clone + Default, B: Clone + Default> Dense<W, B> {
    /// A layer full of zeros.
    #[must_use]
    pub fn zero(shape: LayerShape) -> Self {
        let LayerShape { inputs, outputs } = shape;
        Self { inputs, outputs, weights: vec![W::default(); inputs * outputs], biases: vec![B::default(); outputs] }
    }
}

impl<W, B> Dense<W, B> {
    /// The weights of one output.
    #[must_use]
    pub fn row(&self, output: usize) -> &[W] {
        self.weights.get(output * self.inputs..(output + 1) * self.inputs).unwrap_or(&[])
    }

    fn fits(&self, shape: LayerShape) -> bool {
        self.inputs == shape.inputs
            && self.outputs == shape.outputs
            && self.weights.len() == shape.inputs * shape.outputs
            && self.biases.len() == shape.outputs
    }
}

/// Weights that do not fit the description they are used with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// A part has too few or too many numbers.
    #[error("the weights do not fit the description: {what} has {found} numbers, {expected} are needed")]
    Size {
        /// Which part.
        what: &'static str,
        /// How many numbers there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A weight that the 8 bits of its layer cannot hold.
    #[error(
        "the weights do not fit the description: bucket {bucket}, layer {layer}: the weight of input {input} to output {output} is \
         {found}, and 8 bits hold -128 to 127"
    )]
    Range {
        /// Which copy of the layers.
        bucket: usize,
        /// Which layer, counted from 1.
        layer: usize,
        /// Which of its outputs.
        output: usize,
        /// Which of its inputs.
        input: usize,
        /// The weight.
        found: i16,
    },
}

/// Whether a part has as many numbers as it should.
fn same(what: &'static str, found: usize, expected: usize) -> Result<(), ShapeError> {
    if found == expected { Ok(()) } else { Err(ShapeError::Size { what, found, expected }) }
}

/// What a trainer works on: rows for real features, then for virtual ones.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatWeights {
    /// One a sum of the accumulator.
    pub accumulator_biases: Vec<f32>,
    /// `[feature][sum]`.
    pub accumulator_weights: Vec<f32>,
    /// `[feature][bucket]`, or empty without a shortcut.
    pub shortcut_weights: Vec<f32>,
    /// The dense layers of every bucket, that of the value head last.
    pub stacks: Vec<Vec<Dense<f32, f32>>>,
}

impl FloatWeights {
    /// Zeros in the right shape, with rows for virtual features.
    #[must_use]
    pub fn zero(spec: &NetworkSpec) -> Self {
        let features = spec.features();
        let rows = (features.count() + features.factoriser().map_or(0, |factoriser| factoriser.count())) as usize;
        let trunk = spec.accumulated();
        let stack: Vec<_> = spec.layer_shapes().into_iter().map(Dense::zero).collect();
        Self {
            accumulator_biases: vec![0.0; trunk.width],
            accumulator_weights: vec![0.0; rows * trunk.width],
            shortcut_weights: vec![0.0; if trunk.shortcut { rows * spec.buckets.count } else { 0 }],
            stacks: vec![stack; spec.buckets.count],
        }
    }

    /// Adds the rows of virtual features to those of the features that bring them, and drops them.
    pub fn merge(&self, spec: &NetworkSpec) -> Result<MergedWeights, ShapeError> {
        let template = Self::zero(spec);
        same("the accumulator's weights", self.accumulator_weights.len(), template.accumulator_weights.len())?;
        same("the shortcut", self.shortcut_weights.len(), template.shortcut_weights.len())?;
        let merged = Self {
            accumulator_biases: self.accumulator_biases.clone(),
            accumulator_weights: merge_rows(spec, &self.accumulator_weights, spec.accumulated().width),
            shortcut_weights: merge_rows(spec, &self.shortcut_weights, spec.buckets.count),
            stacks: self.stacks.clone(),
        };
        check_shapes(spec, merged.accumulator_biases.len(), merged.accumulator_weights.len(), &merged.stacks)?;
        Ok(MergedWeights(merged))
    }
}

fn merge_rows(spec: &NetworkSpec, rows: &[f32], width: usize) -> Vec<f32> {
    if rows.is_empty() {
        return Vec::new();
    }
    let features = spec.features();
    let count = features.count() as usize;
    let (real, virtual_rows) = rows.split_at((count * width).min(rows.len()));
    let mut merged = real.to_vec();
    if virtual_rows.is_empty() {
        return merged;
    }
    for (index, row) in merged.chunks_exact_mut(width).enumerate() {
        for extra in features.virtual_features(index as u32) {
            let start = extra as usize * width;
            let source = virtual_rows.get(start..start + width).unwrap_or(&[]);
            row.iter_mut().zip(source).for_each(|(weight, added)| *weight += added);
        }
    }
    merged
}

/// The floats of the played network: no virtual features any more.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedWeights(FloatWeights);

impl std::ops::Deref for MergedWeights {
    type Target = FloatWeights;

    fn deref(&self) -> &FloatWeights {
        &self.0
    }
}

/// The integers of the played network, as files hold them. Cloning shares the large part.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantisedWeights {
    /// One a sum of the accumulator.
    pub accumulator_biases: Vec<i16>,
    /// `[feature][sum]`; in memory or in a mapped file.
    pub accumulator_weights: Arc<Rows>,
    /// `[feature][bucket]`, or empty without a shortcut.
    pub shortcut_weights: Vec<i32>,
    /// The dense layers of every bucket, that of the value head last; weights keep within their stated type.
    pub stacks: Vec<Vec<Dense<i16, i32>>>,
}

impl QuantisedWeights {
    /// Whether all parts have the sizes that a description asks for, and weights keep within their type.
    pub fn check(&self, spec: &NetworkSpec) -> Result<(), ShapeError> {
        check_shapes(spec, self.accumulator_biases.len(), self.accumulator_weights.len(), &self.stacks)?;
        let trunk = spec.accumulated();
        let expected = if trunk.shortcut { spec.features().count() as usize * spec.buckets.count } else { 0 };
        same("the shortcut", self.shortcut_weights.len(), expected)?;
        match spec.numbers.output {
            OutputNumbers::Narrow { .. } => self.check_bytes(),
            OutputNumbers::Wide { .. } => Ok(()),
        }
    }

    /// Files and players have 8 bits for these weights and would cut off what is beyond.
    fn check_bytes(&self) -> Result<(), ShapeError> {
        for (bucket, stack) in self.stacks.iter().enumerate() {
            for (number, layer) in stack.iter().enumerate() {
                if let Some(place) = layer.weights.iter().position(|&weight| i8::try_from(weight).is_err()) {
                    let (output, input) = (place / layer.inputs, place % layer.inputs);
                    return Err(ShapeError::Range {
                        bucket,
                        layer: number + 1,
                        output,
                        input,
                        found: layer.weights[place],
                    });
                }
            }
        }
        Ok(())
    }
}

fn check_shapes<W, B>(
    spec: &NetworkSpec,
    biases: usize,
    weights: usize,
    stacks: &[Vec<Dense<W, B>>],
) -> Result<(), ShapeError> {
    let width = spec.accumulated().width;
    same("the accumulator's biases", biases, width)?;
    same("the accumulator's weights", weights, spec.features().count() as usize * width)?;
    same("the list of buckets", stacks.len(), spec.buckets.count)?;
    let shapes = spec.layer_shapes();
    for stack in stacks {
        same("a bucket's list of layers", stack.len(), shapes.len())?;
        for (layer, &shape) in stack.iter().zip(&shapes) {
            if !layer.fits(shape) {
                let (found, expected) = (layer.weights.len() + layer.biases.len(), (shape.inputs + 1) * shape.outputs);
                return Err(ShapeError::Size { what: "a dense layer", found, expected });
            }
        }
    }
    Ok(())
}
