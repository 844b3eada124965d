//! A look inside: what the evaluation of a position is made of.

use kiebitz_chess::{Color, GameHistory, Piece, PieceKind, Position, Square};
use kiebitz_features::{BoardDelta, FeatureDelta, FeatureSet, Update};
use kiebitz_handcrafted::{Explanation, explain};
use kiebitz_inference::{AdditiveSplit, additive_split, removal_effects};
use kiebitz_messages::{
    FeatureState, HandcraftedInspection, HandcraftedTerm, Inspection, LayerValues, NetworkInspection, NeuronShare,
    PieceWorth, SearchedValue, SeenFeature, ViewInspection,
};
use kiebitz_network::{ACTIVATION_RANGE, reference};

use crate::mind::side;
use crate::{LoadedNetwork, Mind};

/// Neurons that are named one by one.
const NAMED_NEURONS: usize = 32;

/// Everything that can be seen of the last position of a game.
#[must_use]
pub fn inspect(history: &GameHistory, mind: &Mind, searched: Option<SearchedValue>) -> Inspection {
    let position = history.position();
    let handcrafted = explain(position);
    let mut inspection = Inspection {
        fen: position.to_string(),
        side_to_move: side(position.side_to_move()),
        in_check: position.is_check(),
        opponent: mind.id(),
        static_centipawns: handcrafted.white_value,
        searched,
        pieces: Vec::new(),
        empty_tenths: 0,
        rounding_tenths: 0,
        network: None,
        handcrafted: handcrafted_inspection(&handcrafted),
    };
    match mind {
        Mind::Handcrafted => inspection.pieces = handcrafted_pieces(position, handcrafted.white_value),
        Mind::Network(loaded) => {
            let split = additive_split(&loaded.network, position);
            inspection.static_centipawns = split.centipawns;
            inspection.empty_tenths = small(split.empty);
            inspection.rounding_tenths = small(split.rounding);
            inspection.pieces = network_pieces(loaded, position, &split);
            inspection.network = Some(network_inspection(loaded, history, &split));
        }
    }
    inspection
}

/// Tenths of a centipawn never come near the limits of 32 bits.
fn small(tenths: i64) -> i32 {
    i32::try_from(tenths).unwrap_or(if tenths < 0 { i32::MIN } else { i32::MAX })
}

fn network_pieces(loaded: &LoadedNetwork, position: &Position, split: &AdditiveSplit) -> Vec<PieceWorth> {
    let effects = removal_effects(&loaded.network, position);
    let removal =
        |square: Square| effects.iter().find(|effect| effect.square == square).map(|effect| effect.centipawns);
    let worth = |square: Square, piece: Piece, tenths: i64| PieceWorth {
        square: square.to_string(),
        piece: piece.to_string(),
        removal: removal(square),
        share_tenths: Some(small(tenths)),
    };
    split.pieces.iter().map(|share| worth(share.square, share.piece, share.tenths)).collect()
}

/// Without a network terms have shares and pieces have none, but any piece can be taken away.
fn handcrafted_pieces(position: &Position, whole: i32) -> Vec<PieceWorth> {
    let removal = |square: Square, piece: Piece| {
        let mut setup = position.to_setup();
        setup.board.set(square, None);
        setup.castling_rooks = setup.castling_rooks.without(square);
        setup.en_passant = None;
        let without = Position::try_from(setup).ok().filter(|_| piece.kind != PieceKind::King)?;
        Some(whole - explain(&without).white_value)
    };
    let worth = |(square, piece): (Square, Piece)| PieceWorth {
        square: square.to_string(),
        piece: piece.to_string(),
        removal: removal(square, piece),
        share_tenths: None,
    };
    position.board().iter().map(worth).collect()
}

/// The terms with the share that each has in the value: middle game and end game blended as the evaluation blends them.
pub(crate) fn handcrafted_inspection(explanation: &Explanation) -> HandcraftedInspection {
    let terms: Vec<HandcraftedTerm> = explanation
        .groups
        .iter()
        .map(|group| HandcraftedTerm {
            name: group.group.name().to_owned(),
            white_middle: group.white.middle,
            white_end: group.white.end,
            black_middle: group.black.middle,
            black_end: group.black.end,
            share_tenths: explanation.blended_tenths(group.total()),
        })
        .collect();
    let told: i32 = terms.iter().map(|term| term.share_tenths).sum();
    HandcraftedInspection {
        terms,
        phase: explanation.phase,
        scale: explanation.scale,
        centipawns: explanation.white_value,
        rounding_tenths: 10 * explanation.white_value - told,
        known_ending: explanation.known_ending.is_some(),
    }
}

fn network_inspection(loaded: &LoadedNetwork, history: &GameHistory, split: &AdditiveSplit) -> NetworkInspection {
    let position = history.position();
    let spec = loaded.file.spec();
    let trace = reference::trace_integers(spec, &loaded.file.weights, position);
    let limit = i32::from(spec.numbers.accumulator);
    let views: Vec<ViewInspection> = trace
        .views
        .iter()
        .map(|view| {
            let (features, refreshed) = seen_features(spec.features(), history, view.color, split);
            ViewInspection {
                side: side(view.color),
                features,
                refreshed,
                sums: view.sums.iter().map(|&sum| sum.into()).collect(),
                activations: view.activations.clone(),
                limit,
            }
        })
        .collect();
    let place_of = |color: Color| trace.views.iter().position(|view| view.color == color).unwrap_or(0);
    let mut neurons: Vec<NeuronShare> = split
        .neurons
        .iter()
        .map(|share| {
            let view = place_of(share.view);
            let sum = trace.views.get(view).and_then(|view| view.sums.get(share.neuron)).copied().unwrap_or(0);
            NeuronShare {
                view: view as u32,
                neuron: share.neuron as u32,
                sum: sum.into(),
                share_tenths: small(share.tenths),
            }
        })
        .collect();
    neurons.sort_by_key(|share| std::cmp::Reverse(share.share_tenths.unsigned_abs()));
    neurons.truncate(NAMED_NEURONS);
    let named: i32 = neurons.iter().map(|share| share.share_tenths).sum();
    let last = trace.layers.len().saturating_sub(1);
    let shapes = spec.layer_shapes();
    let layers = trace
        .layers
        .iter()
        .enumerate()
        .map(|(number, layer)| LayerValues {
            name: if number == last { "output".to_owned() } else { format!("layer {}", number + 1) },
            inputs: shapes.get(number).map_or(0, |shape| shape.inputs as u32),
            sums: layer.sums.clone(),
            activations: layer.activations.clone(),
            activation_range: ACTIVATION_RANGE,
        })
        .collect();
    NetworkInspection {
        network: loaded.id.clone(),
        bucket: trace.evaluation.bucket as u32,
        buckets: spec.buckets.count as u32,
        views,
        neurons,
        other_tenths: 10 * split.centipawns - named,
        layers,
        units: trace.evaluation.units,
        shortcut_units: trace.evaluation.shortcut,
    }
}

/// The active features of a view and those that the last move switched off; and whether all were collected anew.
fn seen_features(
    features: &FeatureSet,
    history: &GameHistory,
    view: Color,
    split: &AdditiveSplit,
) -> (Vec<SeenFeature>, bool) {
    let name = |index: u32| features.name(index).unwrap_or_default();
    let mut changes = FeatureDelta::default();
    let refreshed = last_change(features, history, view, &mut changes) == Update::Refresh;
    if refreshed {
        // Everything is new to the accumulator; what truly differs is found by comparing.
        if let Some((before, _)) = history.past().last() {
            features.active(before, view, &mut changes.removed);
        }
        features.active(history.position(), view, &mut changes.added);
    }
    // Some sets have a feature several times: what comes as often as it goes has not changed.
    let FeatureDelta { mut removed, mut added } = changes;
    removed.retain(|index| take(&mut added, *index).is_none());
    let mut seen: Vec<SeenFeature> = split
        .features
        .iter()
        .filter(|share| share.view == view)
        .map(|share| {
            let squares = named(share.owners);
            let (index, share_tenths) = (share.index, small(share.tenths));
            let state = take(&mut added, index).map_or(FeatureState::Kept, |_| FeatureState::Added);
            SeenFeature { index, name: name(index), squares, state, share_tenths }
        })
        .collect();
    seen.sort_by_key(|feature| std::cmp::Reverse(feature.share_tenths.unsigned_abs()));
    let mut gone = Vec::new();
    if let Some((before, _)) = history.past().last() {
        features.for_each_owned(before, view, &mut |feature| gone.push((feature.index, feature.owners)));
    }
    let mut left_from = |index: u32| {
        let place = gone.iter().position(|&(known, _)| known == index);
        place.map_or_else(Vec::new, |place| named(gone.swap_remove(place).1))
    };
    seen.extend(removed.into_iter().map(|index| SeenFeature {
        index,
        name: name(index),
        squares: left_from(index),
        state: FeatureState::Removed,
        share_tenths: 0,
    }));
    (seen, refreshed)
}

/// The squares of the one piece or the two that a feature speaks of.
fn named([first, second]: [Square; 2]) -> Vec<String> {
    let mut squares = vec![first.to_string()];
    squares.extend((second != first).then(|| second.to_string()));
    squares
}

/// Takes one occurrence out of a list.
fn take(indices: &mut Vec<u32>, index: u32) -> Option<u32> {
    let place = indices.iter().position(|&known| known == index)?;
    Some(indices.swap_remove(place))
}

/// What the last move of a game changed for a view; nothing if there was none.
fn last_change(features: &FeatureSet, history: &GameHistory, view: Color, changes: &mut FeatureDelta) -> Update {
    let Some((before, mv)) = history.past().last() else { return Update::Incremental };
    let mut delta = BoardDelta::default();
    let mut after = before.clone();
    after.play_observed(mv, &mut delta);
    features.changed(before, &after, &delta, view, changes)
}
