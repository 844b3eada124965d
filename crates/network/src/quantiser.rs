//! From floats to integers, refusing what would not fit; and back, for training that goes on from a network that plays.

use std::sync::Arc;

use crate::bounds::{self, Bounds};
use crate::numbers::{ACTIVATION_RANGE, OutputNumbers};
use crate::spec::{NetworkSpec, SpecError};
use crate::weights::{Dense, FloatWeights, MergedWeights, QuantisedWeights, ShapeError};

/// Why floats cannot become integers.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantiseError {
    /// The description itself is unfit.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Weights and description do not belong together.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A number that its integer type cannot hold.
    #[error(
        "{part}: number {index} is {value}, and {value} times {scale} does not fit {kind}; limit it to ±{limit} in training"
    )]
    OutOfRange {
        /// Which part.
        part: String,
        /// Which number of that part.
        index: usize,
        /// The float.
        value: f32,
        /// What it is multiplied with.
        scale: f32,
        /// The integer type.
        kind: &'static str,
        /// The largest float that would fit.
        limit: f32,
    },
    /// Every weight fits, but sums of them need not.
    #[error("{0}; train with smaller weights or choose a smaller scale")]
    Overflow(String),
}

/// Rounds every number to its integer, and proves that no sum of them can overflow.
pub fn quantise(spec: &NetworkSpec, weights: &MergedWeights) -> Result<QuantisedWeights, QuantiseError> {
    spec.check()?;
    let numbers = spec.numbers;
    let accumulator = f32::from(numbers.accumulator);
    let to_i16 = |part: &str, values: &[f32]| {
        integers::<i16>(part, values, accumulator, "16 bits", i16::MIN.into(), i16::MAX.into())
    };
    let mut stacks = Vec::new();
    for (bucket, stack) in weights.stacks.iter().enumerate() {
        let mut layers = Vec::new();
        for (number, layer) in stack.iter().enumerate() {
            let part = format!("bucket {bucket}, layer {}", number + 1);
            layers.push(quantise_layer(spec, layer, &part, number + 1 == stack.len())?);
        }
        stacks.push(layers);
    }
    let quantised = QuantisedWeights {
        accumulator_biases: to_i16("accumulator biases", &weights.accumulator_biases)?,
        accumulator_weights: Arc::new(to_i16("accumulator weights", &weights.accumulator_weights)?.into()),
        shortcut_weights: integers(
            "shortcut",
            &weights.shortcut_weights,
            shortcut_scale(spec),
            "32 bits",
            i32::MIN.into(),
            i32::MAX.into(),
        )?,
        stacks,
    };
    quantised.check(spec)?;
    let (bounds, _) = bounds::of_network(spec, &quantised);
    match bounds.iter().find(|bounds| !bounds.is_proved()) {
        Some(unproved) => Err(QuantiseError::Overflow(overflow_text(unproved))),
        None => Ok(quantised),
    }
}

/// The floats that integers stand for, where training may begin: rows of virtual features are zero. Quantised as they are they give the
/// same integers, but for biases and a shortcut beyond the 24 bits that a float holds exactly.
pub fn dequantise(spec: &NetworkSpec, weights: &QuantisedWeights) -> Result<FloatWeights, ShapeError> {
    weights.check(spec)?;
    let accumulator = f32::from(spec.numbers.accumulator);
    let mut floats = FloatWeights::zero(spec);
    let fill = |floats: &mut [f32], scale: f32, integers: &mut dyn Iterator<Item = f32>| {
        floats.iter_mut().zip(integers).for_each(|(float, integer)| *float = integer / scale);
    };
    fill(&mut floats.accumulator_biases, accumulator, &mut weights.accumulator_biases.iter().map(|&n| f32::from(n)));
    fill(&mut floats.accumulator_weights, accumulator, &mut weights.accumulator_weights.iter().map(|&n| f32::from(n)));
    fill(&mut floats.shortcut_weights, shortcut_scale(spec), &mut weights.shortcut_weights.iter().map(|&n| n as f32));
    for (floats, integers) in floats.stacks.iter_mut().zip(&weights.stacks) {
        for (number, (floats, integers)) in floats.iter_mut().zip(integers).enumerate() {
            let scales = LayerScales::of(spec, number + 1 == weights.stacks[0].len());
            fill(&mut floats.weights, scales.weights, &mut integers.weights.iter().map(|&n| f32::from(n)));
            fill(&mut floats.biases, scales.biases, &mut integers.biases.iter().map(|&n| n as f32));
        }
    }
    Ok(floats)
}

/// What 1.0 is in the shortcut: the same as in the last sum.
fn shortcut_scale(spec: &NetworkSpec) -> f32 {
    match spec.numbers.output {
        OutputNumbers::Narrow { scale, .. } => scale as f32,
        OutputNumbers::Wide { .. } => 0.0,
    }
}

/// What 1.0 is in the numbers of a dense layer.
struct LayerScales {
    weights: f32,
    biases: f32,
    /// Weights have 16 bits, not 8.
    wide: bool,
}

impl LayerScales {
    fn of(spec: &NetworkSpec, is_output: bool) -> Self {
        let (numbers, range) = (spec.numbers, ACTIVATION_RANGE as f32);
        let (weights, biases, wide) = match numbers.output {
            OutputNumbers::Wide { scale, .. } => {
                (f32::from(scale), f32::from(numbers.accumulator) * f32::from(scale), true)
            }
            OutputNumbers::Narrow { scale, .. } if is_output => (scale as f32 / range, scale as f32, false),
            OutputNumbers::Narrow { .. } => (f32::from(numbers.dense), range * f32::from(numbers.dense), false),
        };
        Self { weights, biases, wide }
    }
}

fn overflow_text(bounds: &Bounds) -> String {
    let Bounds { step, lowest, highest, limit, .. } = bounds;
    format!("{step} can reach {lowest} to {highest}, and ±{limit} is the limit")
}

fn quantise_layer(
    spec: &NetworkSpec,
    layer: &Dense<f32, f32>,
    part: &str,
    is_output: bool,
) -> Result<Dense<i16, i32>, QuantiseError> {
    let LayerScales { weights: weight_scale, biases: bias_scale, wide } = LayerScales::of(spec, is_output);
    let (kind, low, high) =
        if wide { ("16 bits", i16::MIN.into(), i16::MAX.into()) } else { ("8 bits", i8::MIN.into(), i8::MAX.into()) };
    Ok(Dense {
        inputs: layer.inputs,
        outputs: layer.outputs,
        weights: integers(&format!("{part}, weights"), &layer.weights, weight_scale, kind, low, high)?,
        biases: integers(
            &format!("{part}, biases"),
            &layer.biases,
            bias_scale,
            "32 bits",
            i32::MIN.into(),
            i32::MAX.into(),
        )?,
    })
}

fn integers<T: TryFrom<i64>>(
    part: &str,
    values: &[f32],
    scale: f32,
    kind: &'static str,
    low: i64,
    high: i64,
) -> Result<Vec<T>, QuantiseError> {
    let convert = |(index, &value): (usize, &f32)| {
        let scaled = (f64::from(value) * f64::from(scale)).round();
        let fits = scaled >= low as f64 && scaled <= high as f64;
        let integer = if fits { T::try_from(scaled as i64).ok() } else { None };
        integer.ok_or_else(|| {
            let limit = (high as f64 / f64::from(scale)) as f32;
            QuantiseError::OutOfRange { part: part.to_owned(), index, value, scale, kind, limit }
        })
    };
    values.iter().enumerate().map(convert).collect()
}
