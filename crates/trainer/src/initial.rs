//! Weights before the first step.

use kiebitz_network::{FloatWeights, NetworkSpec};

use crate::chance::Chance;

/// The weights that a run starts from: small, spread evenly by the number of active inputs, biases so that every unit is open.
#[must_use]
pub fn initial_weights(spec: &NetworkSpec, seed: u64) -> FloatWeights {
    let mut chance = Chance::new(seed ^ 0x6b69_6562_6974_7a00);
    let mut weights = FloatWeights::zero(spec);
    let features = spec.features();
    let real = features.count() as usize * spec.accumulated().width;
    let reach = 1.0 / (features.max_active().max(1) as f32).sqrt() * 0.5;
    // Virtual rows start at nothing: the real ones alone decide the initial network.
    weights.accumulator_weights[..real].iter_mut().for_each(|weight| *weight = chance.spread(reach));
    weights.accumulator_biases.iter_mut().for_each(|bias| *bias = 0.5 + chance.spread(0.1));
    for dead in features.dead() {
        let width = spec.accumulated().width;
        weights.accumulator_weights[dead as usize * width..][..width].fill(0.0);
    }
    let last = spec.layer_shapes().len() - 1;
    let mut stack = weights.stacks[0].clone();
    for (number, layer) in stack.iter_mut().enumerate() {
        let reach = (3.0 / layer.inputs as f32).sqrt() * if number == last { 0.5 } else { 1.0 };
        layer.weights.iter_mut().for_each(|weight| *weight = chance.spread(reach));
        let bias = if number == last { 0.0 } else { 0.2 };
        layer.biases.iter_mut().for_each(|value| *value = bias);
    }
    // All buckets start alike.
    weights.stacks.iter_mut().for_each(|bucket| bucket.clone_from(&stack));
    weights
}
