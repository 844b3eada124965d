//! A dense layer laid out for play.
//!
//! Layers with byte inputs are stored `[group of 4 inputs][output][4]`, inputs and outputs filled up with zeros, so
//! that one broadcast of four inputs meets the weights of all outputs in a row, and groups of zeros are skipped.

use kiebitz_kernels::{AlignedSlice, OUTPUT_PADDING, PADDING};
use kiebitz_network::{ACTIVATION_RANGE, Dense, NetworkSpec, OutputNumbers};

/// The weights of one layer.
pub(crate) enum PackedLayer {
    /// Bytes times bytes, for all layers but the last.
    Bytes {
        /// As drawn above.
        weights: AlignedSlice<i8>,
        /// Filled up with zeros.
        biases: AlignedSlice<i32>,
    },
    /// The last layer over bytes.
    Value {
        /// One an input, filled up with zeros.
        weights: AlignedSlice<i8>,
        bias: i32,
    },
    /// The last layer directly over the accumulator.
    Wide {
        /// One an input, filled up with zeros.
        weights: AlignedSlice<i16>,
        bias: i32,
    },
}

impl PackedLayer {
    /// Packs a layer whose inputs come from `views` views, each `stride` long with its filling (or, with one view and
    /// stride 0, just filled up at the end). `None` if sums might not fit 32 bits.
    pub(crate) fn new(
        spec: &NetworkSpec,
        dense: &Dense<i16, i32>,
        views: usize,
        stride: usize,
        is_last: bool,
    ) -> Option<Self> {
        let part = dense.inputs / views;
        let place = |input: usize| if stride == 0 { input } else { input / part * stride + input % part };
        let inputs = if stride == 0 { dense.inputs.next_multiple_of(PADDING) } else { views * stride };
        if let OutputNumbers::Wide { .. } = spec.numbers.output {
            let mut weights = AlignedSlice::zeros(inputs);
            dense.row(0).iter().enumerate().for_each(|(input, &weight)| weights[place(input)] = weight);
            return Some(Self::Wide { weights, bias: dense.biases[0] });
        }
        if !fits_32_bits(dense) {
            return None;
        }
        if is_last {
            let mut weights = AlignedSlice::zeros(inputs);
            dense.row(0).iter().enumerate().for_each(|(input, &weight)| weights[place(input)] = weight as i8);
            return Some(Self::Value { weights, bias: dense.biases[0] });
        }
        let outputs = dense.outputs.next_multiple_of(OUTPUT_PADDING);
        let mut weights = AlignedSlice::zeros(inputs * outputs);
        let mut biases = AlignedSlice::zeros(outputs);
        biases[..dense.outputs].copy_from_slice(&dense.biases);
        for output in 0..dense.outputs {
            for (input, &weight) in dense.row(output).iter().enumerate() {
                let place = place(input);
                weights[(place / 4 * outputs + output) * 4 + place % 4] = weight as i8;
            }
        }
        Some(Self::Bytes { weights, biases })
    }

    /// The largest weight, whatever its sign.
    pub(crate) fn largest_weight(&self) -> i32 {
        let largest = |weights: &mut dyn Iterator<Item = i32>| weights.map(i32::abs).max().unwrap_or(0);
        match self {
            Self::Bytes { weights, .. } | Self::Value { weights, .. } => {
                largest(&mut weights.iter().map(|&weight| weight.into()))
            }
            Self::Wide { weights, .. } => largest(&mut weights.iter().map(|&weight| weight.into())),
        }
    }
}

fn fits_32_bits(dense: &Dense<i16, i32>) -> bool {
    (0..dense.outputs).all(|output| {
        let weights: i64 = dense.row(output).iter().map(|&weight| i64::from(weight).abs()).sum();
        weights * i64::from(ACTIVATION_RANGE) + i64::from(dense.biases[output]).abs() <= i64::from(i32::MAX)
    })
}
