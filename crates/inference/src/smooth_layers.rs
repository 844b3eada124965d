//! The layers of a network as a smooth function: the same arithmetic with its rounding replaced by what rounding loses on
//! average, and how a change of its value is shared out among the sums of the accumulators that caused it.
//!
//! Between two points every step of the network is replaced by its secant: a sum by its weights, an activation by the slope
//! of the line through its two values, a product by the mean of the other factor. Secants are exact, so the shares of a
//! change sum up to it, however far the two points lie apart.

use kiebitz_network::{
    ACTIVATION_RANGE, AccumulatorActivation, Dense, DenseActivation, NetworkSpec, Numbers, OutputNumbers,
};

/// The layers of one bucket.
pub(crate) struct SmoothLayers<'a> {
    spec: &'a NetworkSpec,
    stack: &'a [Dense<i16, i32>],
}

/// What flows through the layers at one point.
pub(crate) struct Pass {
    /// The sums of every view's accumulator.
    accumulators: Vec<Vec<f64>>,
    /// The sums of every layer but the last.
    sums: Vec<Vec<f64>>,
    /// The value in internal units, without a shortcut.
    pub(crate) units: f64,
}

impl<'a> SmoothLayers<'a> {
    pub(crate) fn new(spec: &'a NetworkSpec, stack: &'a [Dense<i16, i32>]) -> Self {
        Self { spec, stack }
    }

    /// Computes the value for given accumulators, one a view.
    pub(crate) fn pass(&self, accumulators: Vec<Vec<f64>>) -> Pass {
        let mut inputs: Vec<f64> =
            accumulators.iter().flat_map(|sums| self.products(sums)).map(|product| self.shifted(product)).collect();
        let mut passed = Vec::new();
        let mut total = 0.0;
        for (layer, dense) in self.spec.dense_layers().zip(self.stack) {
            let sums = sums_of(dense, &inputs);
            if layer.skip {
                total += sums[layer.width] * self.skip_factor();
            }
            let step = |activation| sums[..layer.width].iter().map(move |&sum| self.dense_step(activation, sum));
            inputs = layer.activations.iter().flat_map(|&activation| step(activation)).collect();
            passed.push(sums);
        }
        if let Some(last) = self.stack.last() {
            let products = last.row(0).iter().zip(&inputs).map(|(&weight, input)| f64::from(weight) * input);
            total += f64::from(last.biases[0]) + products.sum::<f64>() * self.input_factor();
        }
        Pass { accumulators, sums: passed, units: total * self.output_factor() }
    }

    /// For every sum of every view: by how much the value changes from one point to another for each unit that the sum
    /// changes.
    pub(crate) fn secants(&self, from: &Pass, to: &Pass) -> Vec<Vec<f64>> {
        let Some(last) = self.stack.last() else { return Vec::new() };
        let factor = self.output_factor();
        let mut slopes: Vec<f64> =
            last.row(0).iter().map(|&weight| f64::from(weight) * self.input_factor() * factor).collect();
        let layers: Vec<_> = self.spec.dense_layers().zip(self.stack).zip(from.sums.iter().zip(&to.sums)).collect();
        for ((layer, dense), (from, to)) in layers.into_iter().rev() {
            let mut of_sums = vec![0.0; dense.outputs];
            for (&activation, slopes) in layer.activations.iter().zip(slopes.chunks_exact(layer.width)) {
                for (output, slope) in slopes.iter().enumerate() {
                    let step = |sum| self.dense_step(activation, sum);
                    of_sums[output] += slope * secant(step, from[output], to[output]);
                }
            }
            if layer.skip {
                of_sums[layer.width] = self.skip_factor() * factor;
            }
            slopes = vec![0.0; dense.inputs];
            for (output, slope) in of_sums.into_iter().enumerate() {
                let row = slopes.iter_mut().zip(dense.row(output));
                row.for_each(|(input, &weight)| *input += slope * f64::from(weight));
            }
        }
        let views = from.accumulators.iter().zip(&to.accumulators);
        let parts = slopes.chunks_exact(slopes.len() / from.accumulators.len().max(1));
        views.zip(parts).map(|((from, to), slopes)| self.through_activation(from, to, slopes)).collect()
    }

    /// From slopes for what the first layer sees to slopes for the sums of one accumulator.
    fn through_activation(&self, from: &[f64], to: &[f64], slopes: &[f64]) -> Vec<f64> {
        let limit = f64::from(self.spec.numbers.accumulator);
        let clip = |sum: f64| sum.clamp(0.0, limit);
        let of_clip = |place: usize| secant(clip, from[place], to[place]);
        let mean = |place: usize| (clip(from[place]) + clip(to[place])) / 2.0;
        // From what the first layer sees to the products, or single sums, before they are shifted.
        let products = self.products(from).into_iter().zip(self.products(to));
        let outer: Vec<f64> = products
            .zip(slopes)
            .map(|((from, to), slope)| slope * secant(|product| self.shifted(product), from, to))
            .collect();
        let half = outer.len();
        match self.spec.accumulated().activation {
            AccumulatorActivation::Clipped => (0..half).map(|place| outer[place] * of_clip(place)).collect(),
            AccumulatorActivation::Squared => {
                (0..half).map(|place| outer[place] * of_clip(place) * 2.0 * mean(place)).collect()
            }
            AccumulatorActivation::Pairwise => {
                let other = |place: usize| if place < half { place + half } else { place - half };
                (0..2 * half).map(|place| outer[place % half] * of_clip(place) * mean(other(place))).collect()
            }
        }
    }

    /// The sums of one accumulator as the activation multiplies them.
    fn products(&self, sums: &[f64]) -> Vec<f64> {
        let limit = f64::from(self.spec.numbers.accumulator);
        let clip = |sum: &f64| sum.clamp(0.0, limit);
        match self.spec.accumulated().activation {
            AccumulatorActivation::Clipped => sums.iter().map(clip).collect(),
            AccumulatorActivation::Squared => sums.iter().map(|sum| clip(sum) * clip(sum)).collect(),
            AccumulatorActivation::Pairwise => {
                let (left, right) = sums.split_at(sums.len() / 2);
                left.iter().zip(right).map(|(left, right)| clip(left) * clip(right)).collect()
            }
        }
    }

    /// A product as the first layer sees it: shifted so that it fits a byte; wide outputs take it as it is.
    fn shifted(&self, product: f64) -> f64 {
        let numbers = self.spec.numbers;
        let bits = match numbers.output {
            OutputNumbers::Wide { .. } => 0,
            OutputNumbers::Narrow { .. } => numbers.activation_shift(self.spec.accumulated().activation),
        };
        if bits == 0 { product } else { rounded_down(product / f64::from(1_u32 << bits)) }
    }

    fn dense_step(&self, activation: DenseActivation, sum: f64) -> f64 {
        let unit = f64::from(self.spec.numbers.dense);
        let square_unit = unit * unit * f64::from(1 << Numbers::SQUARE_SHIFT);
        let step = match activation {
            DenseActivation::Clipped => sum.max(0.0) / unit,
            DenseActivation::Squared => sum.max(0.0) * sum.max(0.0) / square_unit,
            DenseActivation::Folded => sum * sum / square_unit,
        };
        rounded_down(step).min(f64::from(ACTIVATION_RANGE))
    }

    /// What a skipping sum is multiplied with.
    fn skip_factor(&self) -> f64 {
        match self.spec.numbers.output {
            OutputNumbers::Wide { .. } => 0.0,
            OutputNumbers::Narrow { scale, .. } => {
                f64::from(scale) / (f64::from(ACTIVATION_RANGE) * f64::from(self.spec.numbers.dense))
            }
        }
    }

    /// What the last layer's products are multiplied with: products of sums carry the accumulator's scale twice.
    fn input_factor(&self) -> f64 {
        match self.spec.numbers.output {
            OutputNumbers::Wide { .. } if self.spec.accumulated().activation != AccumulatorActivation::Clipped => {
                1.0 / f64::from(self.spec.numbers.accumulator)
            }
            _ => 1.0,
        }
    }

    /// From the last sum to internal units.
    pub(crate) fn output_factor(&self) -> f64 {
        let numbers = self.spec.numbers;
        match numbers.output {
            OutputNumbers::Narrow { divisor, .. } => 1.0 / f64::from(divisor),
            OutputNumbers::Wide { scale, units } => {
                f64::from(units) / (f64::from(numbers.accumulator) * f64::from(scale))
            }
        }
    }
}

fn sums_of(dense: &Dense<i16, i32>, inputs: &[f64]) -> Vec<f64> {
    let sum = |output: usize| {
        dense.row(output).iter().zip(inputs).map(|(&weight, input)| f64::from(weight) * input).sum::<f64>()
    };
    (0..dense.outputs).map(|output| f64::from(dense.biases[output]) + sum(output)).collect()
}

/// What is left on average of a number that is not negative when it is rounded down.
fn rounded_down(number: f64) -> f64 {
    (number - 0.5).max(0.0)
}

/// The slope of the line through two points of a function, or its slope there where the points are the same.
fn secant(function: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    const SAME: f64 = 1e-6;
    const NEAR: f64 = 1e-3;
    let (from, to) = if (to - from).abs() < SAME { (from - NEAR, to + NEAR) } else { (from, to) };
    (function(to) - function(from)) / (to - from)
}
