//! From the words of a network's description to those of a device.

use kiebitz_compute::{LayerActivation, SumActivation, TableShape, UnitActivation};
use kiebitz_network::{ACTIVATION_RANGE, AccumulatorActivation, DenseActivation, NetworkSpec, OutputNumbers};

pub(super) fn units(ways: &[DenseActivation]) -> Vec<UnitActivation> {
    let unit = |way: &DenseActivation| match way {
        DenseActivation::Clipped => UnitActivation::Clipped,
        DenseActivation::Squared => UnitActivation::Squared,
        DenseActivation::Folded => UnitActivation::Folded,
    };
    ways.iter().map(unit).collect()
}

pub(super) fn lens(spec: &NetworkSpec) -> LayerActivation {
    let trunk = spec.accumulated();
    let activation = match trunk.activation {
        AccumulatorActivation::Clipped => SumActivation::Clipped,
        AccumulatorActivation::Squared => SumActivation::Squared,
        AccumulatorActivation::Pairwise => SumActivation::Pairwise,
    };
    let gain = match spec.numbers.output {
        OutputNumbers::Wide { .. } => 1.0,
        OutputNumbers::Narrow { .. } => spec.numbers.activation_gain(trunk.activation),
    };
    LayerActivation { activation, width: trunk.width, views: spec.views(), gain }
}

/// A table's shape, with the coarse rows of the feature set's factoriser.
pub(super) fn table_shape(spec: &NetworkSpec, width: usize) -> TableShape {
    let features = spec.features();
    let rows = features.count() as usize;
    match features.factoriser() {
        None => TableShape::plain(rows, width),
        Some(factoriser) => {
            TableShape::linked(rows, width, factoriser.count() as usize, |row| features.virtual_features(row))
        }
    }
}

/// Steps a unit, and the largest weight, of a dense layer's weights.
pub(super) fn dense_numbers(spec: &NetworkSpec, is_head: bool) -> (f32, f32) {
    match spec.numbers.output {
        OutputNumbers::Wide { scale, .. } => (f32::from(scale), f32::from(i16::MAX) / f32::from(scale)),
        OutputNumbers::Narrow { scale, .. } if is_head => {
            let steps = scale as f32 / ACTIVATION_RANGE as f32;
            (steps, f32::from(i8::MAX) / steps)
        }
        OutputNumbers::Narrow { .. } => {
            let steps = f32::from(spec.numbers.dense);
            (steps, f32::from(i8::MAX) / steps)
        }
    }
}
