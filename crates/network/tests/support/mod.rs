//! What the tests of networks share: where data lies, random positions, random networks.

#![allow(dead_code, reason = "every test uses a part of it")]
#![allow(clippy::print_stderr, reason = "tests say what they skip")]

#[path = "../../../chess/tests/support/random_games.rs"]
pub(crate) mod random_games;

use std::path::PathBuf;
use std::sync::Arc;

use kiebitz_chess::Position;
use kiebitz_network::{Dense, FloatWeights, NetworkSpec, OutputNumbers, QuantisedWeights};
use random_games::SplitMix;

/// A file of the larger data, if it is there; else one line says that the test is skipped.
pub(crate) fn data(path: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let found = PathBuf::from(root).join(path);
    if !found.exists() {
        eprintln!("skipped: KIEBITZ_DATA has no {path}");
        return None;
    }
    Some(found)
}

/// The unpacked network of Stockfish 13.
pub(crate) fn stockfish_13() -> Option<Vec<u8>> {
    let packed = std::fs::read(data("nets/nn-62ef826d1a6d.nnue.zst")?).expect("a readable file");
    Some(zstd::decode_all(packed.as_slice()).expect("a zstd file"))
}

/// The small network of Stockfish 16.1.
pub(crate) fn stockfish_small() -> Option<Vec<u8>> {
    Some(std::fs::read(data("nets/nn-37f18f62d772.nnue")?).expect("a readable file"))
}

/// Positions of random games.
pub(crate) fn positions(seed: u64, count: usize) -> Vec<Position> {
    (0..count as u64).map(|number| random_games::position(seed + number, (number * 7 % 90) as usize)).collect()
}

/// Descriptions of every kind: widths that fit vectors and widths that do not, all activations, buckets, skips.
pub(crate) const SPECS: &[&str] = &[
    "inputs = halfkp_stockfish trunk = accumulate 32 clipped -> dense 32 clipped -> dense 32 clipped heads = value",
    "inputs = piece768 trunk = accumulate 64 clipped -> dense 16 clipped heads = value",
    "inputs = piece768 trunk = accumulate 30 clipped -> dense 7 squared -> dense 5 folded heads = value",
    "inputs = bullet768 trunk = accumulate 128 squared heads = value
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    "inputs = bucketed768 trunk = accumulate 64 squared buckets = 8 of (pieces - 2) / 4 heads = value
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    "inputs = bullet768 trunk = accumulate 33 clipped heads = value
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    "inputs = bullet768 trunk = accumulate 70 pairwise heads = value
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    "inputs = halfkav2_hm trunk = accumulate 64 pairwise shortcut -> dense 15 folded+clipped skip -> dense 32 clipped
     buckets = 8 of (pieces - 1) / 4 heads = value",
    "inputs = bucketed768 trunk = accumulate 96 pairwise -> dense 16 clipped -> dense 32 clipped buckets = 4 of (pieces - 1) / 8
     heads = value numbers = accumulator i16*255, dense i8*64, output i8*9600/16",
    "inputs = compact192 trunk = accumulate 48 squared -> dense 8 clipped+squared skip -> dense 8 clipped heads = value
     numbers = accumulator i16*255, dense i8*32, output i8*4800/8",
    "inputs = any.square * any.role * any.color trunk = accumulate 32 clipped -> dense 8 clipped heads = value",
    "inputs = piece_move trunk = accumulate 16 clipped -> dense 8 clipped heads = value",
    "inputs = half(any_square + live(pairs(first.color * first.square * second.color * second.square, pawns, adjacent)))
     trunk = accumulate 32 pairwise shortcut -> dense 8 clipped heads = value",
    "inputs = threats trunk = accumulate 16 clipped shortcut -> dense 8 clipped buckets = 2 of (pieces - 1) / 16 heads = value",
    "inputs = half(any_square + pairs(king.file * first.relative_rank * first.role * second.square, attacks, enemies), king_on_abcd)
     trunk = accumulate 32 clipped -> dense 8 clipped heads = value",
    "inputs = half_relative_hv trunk = accumulate 16 clipped heads = value numbers = accumulator i16*127, dense i8*64, output i8*9600/16",
    "inputs = piece768 trunk = accumulate 32 pairwise shortcut -> dense 16 clipped -> dense 24 folded+clipped -> dense 7 clipped+squared
     -> dense 16 clipped+folded skip buckets = 2 of (pieces - 1) / 16 heads = value",
];

/// A network of random integers that keep the accumulator within its type.
pub(crate) fn random_weights(spec: &NetworkSpec, seed: u64) -> QuantisedWeights {
    let mut random = SplitMix(seed);
    let mut between = |low: i64, high: i64| low + random.below((high - low + 1) as usize) as i64;
    let trunk = spec.accumulated();
    let rows = spec.features().count() as usize;
    let wide = matches!(spec.numbers.output, OutputNumbers::Wide { .. });
    let reach = if spec.features().has_dynamic() { 12 } else { 60 };
    let accumulator_biases = (0..trunk.width).map(|_| between(-100, 200) as i16).collect();
    let accumulator_weights: Vec<i16> = (0..rows * trunk.width).map(|_| between(-reach, reach) as i16).collect();
    let shortcut = if trunk.shortcut { rows * spec.buckets.count } else { 0 };
    let shortcut_weights = (0..shortcut).map(|_| between(-5000, 5000) as i32).collect();
    let stacks = (0..spec.buckets.count)
        .map(|_| {
            let layer = |shape: kiebitz_network::LayerShape| Dense {
                inputs: shape.inputs,
                outputs: shape.outputs,
                weights: (0..shape.inputs * shape.outputs)
                    .map(|_| if wide { between(-200, 200) } else { between(-128, 127) } as i16)
                    .collect(),
                biases: (0..shape.outputs).map(|_| between(-9000, 9000) as i32).collect(),
            };
            spec.layer_shapes().into_iter().map(layer).collect()
        })
        .collect();
    QuantisedWeights {
        accumulator_biases,
        accumulator_weights: Arc::new(accumulator_weights.into()),
        shortcut_weights,
        stacks,
    }
}

/// Random floats of the size that training leaves behind.
pub(crate) fn random_floats(spec: &NetworkSpec, seed: u64) -> FloatWeights {
    let mut random = SplitMix(seed);
    let mut within = |reach: f32| (random.below(2_000_001) as f32 / 1_000_000.0 - 1.0) * reach;
    let mut weights = FloatWeights::zero(spec);
    weights.accumulator_biases.iter_mut().for_each(|weight| *weight = 0.3 + within(0.3));
    weights.accumulator_weights.iter_mut().for_each(|weight| *weight = within(0.25));
    weights.shortcut_weights.iter_mut().for_each(|weight| *weight = within(0.5));
    for layer in weights.stacks.iter_mut().flatten() {
        let reach = 1.5 / (layer.inputs as f32).sqrt();
        layer.weights.iter_mut().for_each(|weight| *weight = within(reach.min(1.0)));
        layer.biases.iter_mut().for_each(|weight| *weight = within(0.3));
    }
    weights
}
