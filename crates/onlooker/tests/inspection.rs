//! A look inside adds up, and its numbers are those of the integer reference.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

#[path = "../../network/tests/support/mod.rs"]
mod support;

use std::sync::Arc;

use kiebitz_chess::{Color, GameHistory, Position};
use kiebitz_messages::FeatureState;
use kiebitz_network::{NetworkFile, NetworkSpec, reference};
use kiebitz_onlooker::{LoadedNetwork, Mind, inspect, neuron_weights};
use support::{SPECS, random_weights};

fn game() -> GameHistory {
    let mut history = GameHistory::default();
    for san in ["e4", "d5", "exd5", "Nf6", "Bb5+", "c6", "dxc6", "Qb6", "cxb7+", "Kd8", "Nf3"] {
        history.play(history.position().parse_san(san).unwrap());
    }
    history
}

fn loaded(text: &str, seed: u64) -> LoadedNetwork {
    let spec = NetworkSpec::parse(text).unwrap();
    let weights = random_weights(&spec, seed);
    LoadedNetwork::new("test", NetworkFile::new(spec, weights)).unwrap()
}

#[test]
fn shares_of_pieces_and_neurons_sum_up_for_every_description() {
    for (number, text) in SPECS.iter().enumerate() {
        let loaded = Arc::new(loaded(text, number as u64));
        let mut history = game();
        loop {
            let seen = inspect(&history, &Mind::Network(Arc::clone(&loaded)), None);
            let position = history.position();
            let spec = loaded.file.spec();
            let exact = reference::evaluate_integers(spec, &loaded.file.weights, position).centipawns(spec);
            let exact = if position.side_to_move() == Color::White { exact } else { -exact };
            assert_eq!(seen.static_centipawns, exact, "{text}");
            let pieces: i32 = seen.pieces.iter().map(|piece| piece.share_tenths.unwrap()).sum();
            assert_eq!(pieces + seen.empty_tenths + seen.rounding_tenths, 10 * exact, "{text}: {position}");
            let network = seen.network.unwrap();
            let neurons: i32 = network.neurons.iter().map(|neuron| neuron.share_tenths).sum();
            assert_eq!(neurons + network.other_tenths, 10 * exact, "{text}: {position}");
            assert_eq!(network.views.len(), spec.views());
            assert_eq!(network.layers.last().unwrap().sums.len(), 1);
            if history.undo().is_none() {
                break;
            }
        }
    }
}

#[test]
fn changed_features_are_the_difference_of_two_positions() {
    for (number, text) in SPECS.iter().enumerate() {
        let loaded = Arc::new(loaded(text, number as u64));
        let features = loaded.file.spec().features().clone();
        let mut history = game();
        while let Some((before, _)) = history.past().last() {
            let before = before.clone();
            let seen = inspect(&history, &Mind::Network(Arc::clone(&loaded)), None).network.unwrap();
            for view in &seen.views {
                let color = if view.side == kiebitz_messages::Side::White { Color::White } else { Color::Black };
                let active = |position: &Position| {
                    let mut indices = Vec::new();
                    features.active(position, color, &mut indices);
                    indices.sort_unstable();
                    indices
                };
                let listed = |wanted: &[FeatureState]| {
                    let chosen = view.features.iter().filter(|feature| wanted.contains(&feature.state));
                    let mut indices: Vec<u32> = chosen.map(|feature| feature.index).collect();
                    indices.sort_unstable();
                    indices
                };
                let (old, new) = (active(&before), active(history.position()));
                assert_eq!(listed(&[FeatureState::Kept, FeatureState::Added]), new, "{text}");
                assert_eq!(listed(&[FeatureState::Kept, FeatureState::Removed]), old, "{text}");
                // Whatever a feature speaks of stands on the board, or stood there before the move.
                for feature in &view.features {
                    let board = if feature.state == FeatureState::Removed { &before } else { history.position() };
                    assert!(!feature.squares.is_empty(), "{text}: {}", feature.name);
                    for square in &feature.squares {
                        assert!(board.piece_at(square.parse().unwrap()).is_some(), "{text}: {}", feature.name);
                    }
                }
            }
            history.undo();
        }
    }
}

#[test]
fn the_terms_of_the_hand_crafted_evaluation_sum_up() {
    let mut history = game();
    loop {
        let seen = inspect(&history, &Mind::Handcrafted, None);
        let terms: i32 = seen.handcrafted.terms.iter().map(|term| term.share_tenths).sum();
        assert_eq!(terms + seen.handcrafted.rounding_tenths, 10 * seen.static_centipawns);
        // A value is cut to whole centipawns, each of a dozen shares to tenths.
        assert!(seen.handcrafted.rounding_tenths.abs() <= 20, "{}", seen.handcrafted.rounding_tenths);
        assert!(seen.pieces.iter().all(|piece| piece.share_tenths.is_none()));
        if history.undo().is_none() {
            break;
        }
    }
}

#[test]
fn a_neuron_has_the_weights_of_its_row() {
    let loaded = loaded(
        "inputs = half(king_square * piece_square) trunk = accumulate 16 clipped -> dense 8 clipped heads = value",
        5,
    );
    let seen = neuron_weights(&loaded, 3, "g1").unwrap();
    assert_eq!(seen.boards.len(), 10);
    let features = loaded.file.spec().features();
    let board = seen.boards.iter().find(|board| board.piece == "n").unwrap();
    let index =
        (0..features.count()).find(|&index| features.name(index).as_deref() == Some("king g1, enemy knight d5"));
    let index = index.expect("the feature") as usize;
    assert_eq!(board.weights[3 + 8 * 4], Some(i32::from(loaded.file.weights.accumulator_weights[index * 16 + 3])));
    assert!(neuron_weights(&loaded, 16, "g1").is_err() && neuron_weights(&loaded, 0, "j9").is_err());
}
