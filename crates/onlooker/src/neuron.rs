//! What a neuron of the accumulator looks for: its weights, laid out on the board.

use kiebitz_chess::{Color, Piece, PieceKind, Square};
use kiebitz_messages::{Fault, FaultCode, NeuronBoard, NeuronWeights};

use crate::LoadedNetwork;

/// The weights of a neuron for every kind of piece, as the side sees them whose king stands on `king`.
///
/// # Errors
/// When there is no such neuron or square.
pub fn neuron_weights(loaded: &LoadedNetwork, neuron: u32, king: &str) -> Result<NeuronWeights, Fault> {
    let width = loaded.file.spec().accumulated().width;
    let king: Square = king.parse().map_err(|_| {
        Fault::new(FaultCode::Value, format!("'{king}' is no square; write one such as e1.")).at("king")
    })?;
    let place = neuron as usize;
    let bias = *loaded.file.weights.accumulator_biases.get(place).ok_or_else(|| {
        Fault::new(FaultCode::Value, format!("There are {width} neurons, numbered from 0.")).at("neuron")
    })?;
    let view = loaded.file.spec().features().piece_view(Color::White, king);
    let rows = &loaded.file.weights.accumulator_weights;
    let weight = |piece: Piece, square: Square| {
        let mut sum = None;
        // Several features may speak of one piece, as with factorised sets: they always act together.
        view.for_each(piece, square, |index| {
            let weight = rows.get(index as usize * width + place).map_or(0, |&weight| i32::from(weight));
            sum = Some(sum.unwrap_or(0) + weight);
        });
        sum
    };
    let board = |piece: Piece| NeuronBoard {
        piece: piece.to_string(),
        weights: Square::ALL.into_iter().map(|square| weight(piece, square)).collect(),
    };
    let pieces = Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind)));
    let boards = pieces.map(board).filter(|board| board.weights.iter().any(Option::is_some)).collect();
    Ok(NeuronWeights {
        network: loaded.id.clone(),
        neuron,
        neurons: u32::try_from(width).unwrap_or(u32::MAX),
        king: king.to_string(),
        bias: bias.into(),
        boards,
    })
}
