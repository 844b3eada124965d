//! From floats to integers: close to the floats, and nothing that overflows.

mod support;

use kiebitz_network::{
    Certificate, FloatWeights, NetworkSpec, QuantiseError, QuantisedWeights, compare, dequantise, quantise,
};
use support::{SPECS, positions, random_floats, random_weights};

fn spec(text: &str) -> NetworkSpec {
    NetworkSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn integers_stay_close_to_floats() {
    let positions = positions(100, 60);
    for (number, text) in SPECS.iter().enumerate() {
        let spec = spec(text);
        let floats = random_floats(&spec, number as u64).merge(&spec).expect("fitting weights");
        let integers = quantise(&spec, &floats).unwrap_or_else(|error| panic!("{text}: {error}"));
        let report = compare(&spec, &integers, &floats, &positions);
        assert!(report.mean_centipawns < 20.0, "{text}: {report:?}");
        assert!(report.largest_centipawns < 80.0, "{text}: {report:?}");
    }
}

#[test]
fn integers_come_back_from_the_floats_they_stand_for() {
    for (number, text) in SPECS.iter().enumerate() {
        let spec = spec(text);
        let integers = random_weights(&spec, number as u64);
        let floats = dequantise(&spec, &integers).expect("fitting weights");
        let again = quantise(&spec, &floats.merge(&spec).expect("the shape of the description"));
        assert_eq!(again.unwrap_or_else(|error| panic!("{text}: {error}")), integers, "{text}");
    }
    let (first, second) = (spec(SPECS[0]), spec(SPECS[1]));
    assert!(dequantise(&first, &random_weights(&second, 1)).is_err(), "weights of another description");
}

/// A network as bullet trains it: its last sum needs more than 32 bits, and has 64.
#[test]
fn wide_networks_of_ordinary_weights_are_accepted() {
    let spec = spec(
        "inputs = bullet768 trunk = accumulate 1024 squared heads = value
         numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    );
    let mut floats = random_floats(&spec, 21);
    for (place, weight) in floats.stacks[0][0].weights.iter_mut().enumerate() {
        *weight = if place % 2 == 0 { 1.4 } else { -1.4 };
    }
    let integers = quantise(&spec, &floats.merge(&spec).expect("fitting weights")).expect("integers");
    let certificate = Certificate::new(&spec, &integers);
    assert_eq!(certificate.unproved().count(), 0);
    assert!(certificate.bounds[1].highest > i64::from(i32::MAX), "{:?}", certificate.bounds[1]);
}

#[test]
fn numbers_that_do_not_fit_are_named() {
    let spec = spec(SPECS[1]);
    let mut floats = FloatWeights::zero(&spec);
    floats.stacks[0][0].weights[3] = 2.5;
    let error = quantise(&spec, &floats.merge(&spec).expect("fitting weights")).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "bucket 0, layer 1, weights: number 3 is 2.5, and 2.5 times 64 does not fit 8 bits; limit it to ±1.984375 in training"
    );
    let mut floats = FloatWeights::zero(&spec);
    floats.accumulator_weights.fill(10.0);
    let error = quantise(&spec, &floats.merge(&spec).expect("fitting weights")).expect_err("too large sums");
    assert!(matches!(error, QuantiseError::Overflow(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "the accumulator can reach 2540 to 40640, and ±32767 is the limit; train with smaller weights or choose a smaller scale"
    );
    let mut floats = FloatWeights::zero(&spec);
    floats.accumulator_biases[0] = f32::NAN;
    assert!(quantise(&spec, &floats.merge(&spec).expect("fitting weights")).is_err());
}

#[test]
fn virtual_rows_are_merged_into_real_ones() {
    let spec =
        spec("inputs = half(king_square * piece_square ^ piece_square) trunk = accumulate 8 clipped heads = value");
    let merged_spec =
        self::spec("inputs = half(king_square * piece_square) trunk = accumulate 8 clipped heads = value");
    let floats = random_floats(&spec, 3);
    let merged = floats.merge(&spec).expect("fitting weights");
    assert_eq!(floats.accumulator_weights.len(), (40_960 + 640) * 8);
    assert_eq!(merged.accumulator_weights.len(), 40_960 * 8);
    // King e1, own knight d4: its own row, and the virtual row of an own knight on d4.
    let (real, extra) = (4 * 640 + 27 * 10 + 2, 40_960 + 27 * 10 + 2);
    for column in 0..8 {
        let expected = floats.accumulator_weights[real * 8 + column] + floats.accumulator_weights[extra * 8 + column];
        assert_eq!(merged.accumulator_weights[real * 8 + column], expected);
    }
    assert_eq!(merged_spec.features(), &spec.features().merged());
}

/// Every sum before the last addition fits, and only their total does not.
#[test]
fn a_value_that_does_not_fit_is_not_proved() {
    let text = "inputs = piece768 trunk = accumulate 8 clipped shortcut -> dense 4 clipped skip heads = value \
                numbers = accumulator i16*255, dense i8*64, output i8*9600/1";
    let spec = spec(text);
    let mut weights = random_weights(&spec, 3);
    weights.shortcut_weights.fill(0);
    let unproved = |weights: &QuantisedWeights| {
        let certificate = Certificate::new(&spec, weights);
        certificate.unproved().map(|bounds| bounds.step.clone()).collect::<Vec<_>>()
    };
    assert_eq!(unproved(&weights), [""; 0]);
    // A skipping sum is multiplied by 9600 / (127 * 64) on its way to the value.
    weights.stacks[0][0].biases[4] = 2_000_000_000;
    assert_eq!(unproved(&weights), ["bucket 0, the value"]);
}
