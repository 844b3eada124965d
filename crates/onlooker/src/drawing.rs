//! Networks as the page shows them: drawing, card, certificate.

use kiebitz_messages::{DrawnLayer, NetworkCard, NetworkCertificate, NetworkDiagram, ProvedStep, RoundingFigures};
use kiebitz_network::{
    AccumulatorActivation, Bounds, Certificate, DenseActivation, LayerShape, NetworkFile, NetworkSpec,
};

/// What is known about a network from its file; `bytes` and `changed_ms` are those of the file.
#[must_use]
pub fn network_card(id: &str, file: &NetworkFile, bytes: u64, changed_ms: u64) -> NetworkCard {
    let header = &file.header;
    NetworkCard {
        id: id.to_owned(),
        bytes,
        changed_ms,
        spec: header.spec.to_string(),
        description: header.description.clone(),
        licence: header.licence.clone(),
        diagram: diagram(&header.spec),
        certificate: header.certificate.as_ref().map(certificate),
        manifest: header.manifest.clone(),
        fault: None,
    }
}

fn diagram(spec: &NetworkSpec) -> NetworkDiagram {
    let features = spec.features();
    let trunk = spec.accumulated();
    let copies = spec.buckets.count as u64;
    let mut layers = vec![DrawnLayer {
        name: "accumulator".to_owned(),
        inputs: features.count(),
        outputs: trunk.width as u32,
        activation: accumulator_activation(trunk.activation).to_owned(),
        parameters: (u64::from(features.count()) + 1) * trunk.width as u64,
    }];
    let shapes = spec.layer_shapes();
    let last = shapes.len().saturating_sub(1);
    let parameters = |shape: &LayerShape| ((shape.inputs + 1) * shape.outputs) as u64 * copies;
    for (number, shape) in shapes.iter().enumerate() {
        let activation = spec.dense_layers().nth(number).map_or_else(String::new, |layer| {
            let words: Vec<&str> = layer.activations.iter().map(|&way| dense_activation(way)).collect();
            let skip = if layer.skip { "; one sum goes straight to the output" } else { "" };
            format!("{}{skip}", words.join(" and "))
        });
        layers.push(DrawnLayer {
            name: if number == last { "output".to_owned() } else { format!("layer {}", number + 1) },
            inputs: shape.inputs as u32,
            outputs: shape.outputs as u32,
            activation,
            parameters: parameters(shape),
        });
    }
    NetworkDiagram {
        inputs: features.to_string(),
        inputs_name: features.known_name().map(str::to_owned),
        features: features.count(),
        max_active: features.max_active(),
        views: spec.views() as u32,
        buckets: spec.buckets.count as u32,
        shortcut: trunk.shortcut,
        layers,
        parameters: spec.parameters(),
    }
}

const fn accumulator_activation(activation: AccumulatorActivation) -> &'static str {
    match activation {
        AccumulatorActivation::Clipped => "limited to 0…1",
        AccumulatorActivation::Squared => "limited to 0…1 and squared",
        AccumulatorActivation::Pairwise => "limited to 0…1, halves multiplied",
    }
}

const fn dense_activation(activation: DenseActivation) -> &'static str {
    match activation {
        DenseActivation::Clipped => "limited to 0…1",
        DenseActivation::Squared => "limited to 0…1 and squared",
        DenseActivation::Folded => "squared and limited to 1",
    }
}

fn certificate(certificate: &Certificate) -> NetworkCertificate {
    let step = |bounds: &Bounds| ProvedStep {
        step: bounds.step.clone(),
        lowest: bounds.lowest,
        highest: bounds.highest,
        limit: bounds.limit,
        proved: bounds.is_proved(),
    };
    NetworkCertificate {
        steps: certificate.bounds.iter().map(step).collect(),
        proved: certificate.unproved().next().is_none(),
        rounding: certificate.rounding.as_ref().map(|rounding| RoundingFigures {
            positions: u32::try_from(rounding.positions).unwrap_or(u32::MAX),
            mean_centipawns: rounding.mean_centipawns,
            largest_centipawns: rounding.largest_centipawns,
            changed_best_moves: rounding.changed_best_moves,
        }),
    }
}
