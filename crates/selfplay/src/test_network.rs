//! A small network for tests.

use std::sync::Arc;

use kiebitz_inference::Network;
use kiebitz_network::{Dense, NetworkFile, NetworkSpec, QuantisedWeights, Rows};

/// A network of weights that look random.
pub(crate) fn network() -> Network {
    let text = "inputs = bullet768 trunk = accumulate 16 clipped -> dense 8 clipped heads = value";
    let spec = NetworkSpec::parse(text).unwrap();
    let mut state = 1_u64;
    let mut next = |reach: i64| {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (state >> 33) as i64 % (2 * reach + 1) - reach
    };
    let rows: Vec<i16> = (0..768 * 16).map(|_| next(30) as i16).collect();
    let stack = spec.layer_shapes().into_iter().map(|shape| Dense {
        weights: (0..shape.inputs * shape.outputs).map(|_| next(60) as i16).collect(),
        biases: (0..shape.outputs).map(|_| next(4000) as i32).collect(),
        ..Dense::zero(shape)
    });
    let weights = QuantisedWeights {
        accumulator_biases: vec![60; 16],
        accumulator_weights: Arc::new(Rows::from(rows)),
        shortcut_weights: Vec::new(),
        stacks: vec![stack.collect()],
    };
    Network::new(&NetworkFile::new(spec, weights)).unwrap()
}
