//! Steps in 16 bits that only vector instructions take.
//!
//! | step | 16 bits hold |
//! |---|---|
//! | the accumulator, products | products of clipped sums, without sign, before they are shifted to bytes |
//! | a layer, pairs of products | bytes times weights, two neighbours added: the instruction saturates |
//! | a layer, sums times weights | with squares directly before the value: a clipped sum times its weight |
//!
//! Plain arithmetic has more bits in all of them. Play takes it where scales and weights are too large for the first and the last; neighbours
//! are always of the same view, for either view is filled up to whole registers.

use crate::bounds::{Bounds, Interval, summary};
use crate::numbers::OutputNumbers;
use crate::spec::{AccumulatorActivation, NetworkSpec};
use crate::weights::Dense;

/// Sums as activations see them.
fn clipped(spec: &NetworkSpec, sum: Interval) -> Interval {
    let limit = i64::from(spec.numbers.accumulator);
    (sum.0.clamp(0, limit), sum.1.clamp(0, limit))
}

/// The steps from the accumulator's sums to bytes.
pub(crate) fn of_accumulator(spec: &NetworkSpec, sums: &[Interval]) -> Option<Bounds> {
    let OutputNumbers::Narrow { .. } = spec.numbers.output else { return None };
    let product = |(&left, &right): (&Interval, &Interval)| {
        let (left, right) = (clipped(spec, left), clipped(spec, right));
        (left.0 * right.0, left.1 * right.1)
    };
    let (left, right) = match spec.accumulated().activation {
        AccumulatorActivation::Clipped => return None,
        AccumulatorActivation::Squared => (sums, sums),
        AccumulatorActivation::Pairwise => sums.split_at(sums.len() / 2),
    };
    let products: Vec<Interval> = left.iter().zip(right).map(product).collect();
    Some(summary("the accumulator, products", &products, u16::MAX.into()))
}

/// The steps of a dense layer whose inputs come from so many views.
pub(crate) fn of_layer(
    spec: &NetworkSpec,
    step: &str,
    dense: &Dense<i16, i32>,
    inputs: &[Interval],
    sums: &[Interval],
    views: usize,
) -> Option<Bounds> {
    let times = |weight: i16, input: Interval| {
        let (first, second) = (i64::from(weight) * input.0, i64::from(weight) * input.1);
        (first.min(second), first.max(second))
    };
    let limit = i16::MAX.into();
    match (spec.numbers.output, spec.accumulated().activation) {
        (OutputNumbers::Narrow { .. }, _) => {
            let part = (inputs.len() / views).max(1);
            let mut pairs = Vec::new();
            for output in 0..dense.outputs {
                for (weights, inputs) in dense.row(output).chunks(part).zip(inputs.chunks(part)) {
                    pairs.extend(weights.chunks(2).zip(inputs.chunks(2)).map(|(weights, inputs)| {
                        let products = weights.iter().zip(inputs).map(|(&weight, &input)| times(weight, input));
                        products.fold((0, 0), |sum, product| (sum.0 + product.0, sum.1 + product.1))
                    }));
                }
            }
            Some(summary(&format!("{step}, pairs of products"), &pairs, limit))
        }
        (OutputNumbers::Wide { .. }, AccumulatorActivation::Squared) => {
            let sums = sums.iter().cycle().map(|&sum| clipped(spec, sum));
            let products: Vec<Interval> =
                dense.row(0).iter().zip(sums).map(|(&weight, sum)| times(weight, sum)).collect();
            Some(summary(&format!("{step}, sums times weights"), &products, limit))
        }
        // Sums times weights are added in 32 bits at once, or plainly.
        (OutputNumbers::Wide { .. }, AccumulatorActivation::Clipped | AccumulatorActivation::Pairwise) => None,
    }
}
