//! From floats to integers, refusing what would not fit.

use std::sync::Arc;

use crate::bounds::{self, Bounds};
use crate::numbers::{ACTIVATION_RANGE, OutputNumbers};
use crate::spec::{NetworkSpec, SpecError};
use crate::weights::{Dense, MergedWeights, QuantisedWeights, ShapeError};

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
    let output_scale = match numbers.output {
        OutputNumbers::Narrow { scale, .. } => scale as f32,
        OutputNumbers::Wide { .. } => 0.0,
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
            output_scale,
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
    let numbers = spec.numbers;
    let range = ACTIVATION_RANGE as f32;
    let (weight_scale, bias_scale, wide) = match numbers.output {
        OutputNumbers::Wide { scale, .. } => {
            (f32::from(scale), f32::from(numbers.accumulator) * f32::from(scale), true)
        }
        OutputNumbers::Narrow { scale, .. } if is_output => (scale as f32 / range, scale as f32, false),
        OutputNumbers::Narrow { .. } => (f32::from(numbers.dense), range * f32::from(numbers.dense), false),
    };
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
