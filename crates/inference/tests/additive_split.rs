//! Shares of pieces: they sum up, they follow the network, and they are fair.

#[path = "../../network/tests/support/mod.rs"]
mod support;

use kiebitz_chess::{Color, FenMode, PieceKind, Position};
use kiebitz_inference::{AdditiveSplit, Network, additive_split};
use kiebitz_network::{NetworkFile, NetworkSpec, Rows, reference};
use std::sync::Arc;
use support::{SPECS, positions, random_weights, stockfish_13, stockfish_small};

fn split(file: &NetworkFile, position: &Position) -> AdditiveSplit {
    additive_split(&Network::new(file).expect("a playable network"), position)
}

/// Everything that is told but rounding, in tenths.
fn told(split: &AdditiveSplit) -> i64 {
    split.pieces.iter().map(|share| share.tenths).sum::<i64>() + split.empty
}

#[test]
fn shares_sum_up_to_the_value_for_every_description() {
    for (number, text) in SPECS.iter().enumerate() {
        let spec = NetworkSpec::parse(text).expect(text);
        let file = NetworkFile::new(spec.clone(), random_weights(&spec, 50 + number as u64));
        for position in positions(7 * number as u64, 6) {
            let split = split(&file, &position);
            let white = |value: f64| if position.side_to_move() == Color::White { value } else { -value };
            let exact = reference::evaluate_integers(&spec, &file.weights, &position).centipawns(&spec);
            assert_eq!(f64::from(split.centipawns), white(exact.into()), "{text}: {position}");
            assert_eq!(told(&split) + split.rounding, 10 * i64::from(split.centipawns), "{text}: {position}");
            assert_eq!(split.pieces.len(), position.occupied().len());
            // Random weights make much of what is lost by rounding; networks that were trained do not.
            let allowed = 500 + i64::from(split.centipawns.abs()) / 2;
            assert!(split.rounding.abs() < allowed, "{text}: {position}: {split:?}");
        }
    }
}

#[test]
fn rounding_of_real_networks_is_small() {
    for bytes in [stockfish_13(), stockfish_small()].into_iter().flatten() {
        let file = NetworkFile::from_bytes(&bytes).expect("a network");
        let mut largest = 0;
        for position in positions(3, 40) {
            let split = split(&file, &position);
            assert_eq!(told(&split) + split.rounding, 10 * i64::from(split.centipawns));
            largest = largest.max(split.rounding.abs());
        }
        println!("largest rounding: {:.1} centipawns", largest as f64 / 10.0);
        assert!(largest < 100, "{largest} tenths");
    }
}

fn with_rows(spec: &NetworkSpec, seed: u64, row: impl Fn(u32, usize) -> i16) -> NetworkFile {
    let mut weights = random_weights(spec, seed);
    let width = spec.accumulated().width;
    let rows: Vec<i16> = (0..spec.features().count())
        .flat_map(|index| (0..width).map(move |place| (index, place)))
        .map(|(index, place)| row(index, place))
        .collect();
    weights.accumulator_weights = Arc::new(Rows::from(rows));
    NetworkFile::new(spec.clone(), weights)
}

/// The number of color and role, 0 to 11, of a feature of `bullet768`.
fn kind(index: u32) -> u32 {
    index / 64
}

#[test]
fn unseen_pieces_get_nothing_and_equal_ones_the_same() {
    let spec = NetworkSpec::parse("inputs = bullet768 trunk = accumulate 32 clipped -> dense 16 clipped heads = value")
        .expect("a description");
    let mix = |kind: u32, place: usize| ((kind as usize * 37 + place * 11) % 41) as i16 - 20;
    let file = with_rows(&spec, 8, |index, place| if kind(index) % 6 == 1 { 0 } else { mix(kind(index), place) });
    for position in positions(20, 12) {
        let split = split(&file, &position);
        for share in &split.pieces {
            if share.piece.kind == PieceKind::Knight {
                assert_eq!(share.tenths, 0, "{position}");
            }
            let twin = split.pieces.iter().find(|other| other.piece == share.piece).expect("itself at least");
            assert_eq!(share.tenths, twin.tenths, "{position}");
        }
    }
}

#[test]
fn a_network_that_only_adds_gives_every_piece_its_own_weight() {
    // Sums stay inside of 0..=255, so that nothing is clipped: the value is the sum of weights times products.
    let spec = NetworkSpec::parse(
        "inputs = bullet768 trunk = accumulate 8 clipped heads = value
         numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    )
    .expect("a description");
    let mut file = with_rows(&spec, 9, |index, place| ((index as usize * 7 + place * 3) % 5) as i16 - 2);
    file.weights.accumulator_biases = vec![120; 8];
    let features = spec.features();
    for position in positions(60, 12) {
        let split = split(&file, &position);
        let mover = position.side_to_move();
        let dense = &file.weights.stacks[0][0];
        for share in &split.pieces {
            let mut sum = 0;
            for (number, view) in [mover, !mover].into_iter().enumerate() {
                features.piece_view(view, position.king(view)).for_each(share.piece, share.square, |index| {
                    for place in 0..8 {
                        let weight = file.weights.accumulator_weights[index as usize * 8 + place];
                        sum += i64::from(weight) * i64::from(dense.row(0)[number * 8 + place]);
                    }
                });
            }
            let sign = if mover == Color::White { 1.0 } else { -1.0 };
            let tenths = sign * 10.0 * sum as f64 * 400.0 / (255.0 * 64.0);
            assert!((share.tenths as f64 - tenths).abs() < 0.51, "{position}: {share:?} {tenths}");
        }
    }
}

#[test]
fn swapping_colors_turns_every_share_around() {
    let spec = NetworkSpec::parse(SPECS[7]).expect("a description");
    let file = NetworkFile::new(spec.clone(), random_weights(&spec, 3));
    for position in positions(31, 12) {
        let mut setup = position.to_setup();
        let mut board = kiebitz_chess::Board::EMPTY;
        for (square, piece) in setup.board.iter() {
            board.set(square.flip_rank(), Some(kiebitz_chess::Piece::new(!piece.color, piece.kind)));
        }
        setup.board = board;
        setup.side_to_move = !setup.side_to_move;
        setup.castling_rooks = setup.castling_rooks.flip_ranks();
        setup.en_passant = None;
        let Ok(other) = Position::try_from(setup) else { continue };
        let (here, there) = (split(&file, &position), split(&file, &other));
        for share in &here.pieces {
            let twin = there.pieces.iter().find(|twin| twin.square == share.square.flip_rank()).expect("its twin");
            assert!((share.tenths + twin.tenths).abs() <= 1, "{position}: {share:?} {twin:?}");
        }
        assert_eq!(here.centipawns, -there.centipawns);
    }
}

#[test]
fn a_queen_more_is_worth_the_most() {
    let Some(bytes) = stockfish_13() else { return };
    let file = NetworkFile::from_bytes(&bytes).expect("a network");
    let position = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1", FenMode::Strict).expect("a position");
    let split = split(&file, &position);
    let best = split.pieces.iter().max_by_key(|share| share.tenths).expect("pieces");
    assert_eq!(best.piece.kind, PieceKind::Queen);
    assert!(best.tenths > 3000, "{split:?}");
}

/// Features and neurons tell the same story as pieces: both sum up, rounding of every share aside.
#[test]
fn features_and_neurons_sum_up_as_pieces_do() {
    for (number, text) in SPECS.iter().enumerate() {
        let spec = NetworkSpec::parse(text).expect(text);
        let file = NetworkFile::new(spec.clone(), random_weights(&spec, 150 + number as u64));
        for position in positions(11 * number as u64, 4) {
            let split = split(&file, &position);
            let pieces: i64 = split.pieces.iter().map(|share| share.tenths).sum();
            let features: i64 = split.features.iter().map(|share| share.tenths).sum();
            let rounding = (split.pieces.len() + split.features.len()) as i64 / 2 + 1;
            assert!((pieces - features).abs() <= rounding, "{text}: {position}: {pieces} {features}");
            if !spec.accumulated().shortcut {
                let neurons: i64 = split.neurons.iter().map(|share| share.tenths).sum();
                let rounding = (split.neurons.len() + split.features.len()) as i64 / 2 + 1;
                assert!((neurons - features).abs() <= rounding, "{text}: {position}: {neurons} {features}");
            }
        }
    }
}
