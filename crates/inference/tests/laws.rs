//! Fast equals slow, bit for bit, whatever the instruction set and the way a position was reached.

#[path = "../../features/tests/support/expressions.rs"]
mod expressions;
#[path = "../../features/tests/support/rare_moves.rs"]
mod rare_moves;
#[path = "../../network/tests/support/mod.rs"]
mod support;

use std::path::Path;

use kiebitz_chess::{Bitboard, Color, FenMode, Position, Setup};
use kiebitz_features::{BoardDelta, FeatureSet, NAMED_SETS};
use kiebitz_inference::{
    Evaluator, FeatureEvaluator, Features, InstructionSet, Network, additive_split, removal_effects,
};
use kiebitz_network::{Certificate, NetworkFile, NetworkSpec, reference};
use rare_moves::{RareMoves, rare_move};
use support::random_games::{self, SplitMix};
use support::{SPECS, data, positions, random_weights, stockfish_13, stockfish_small};

fn example(text: &str, seed: u64) -> NetworkFile {
    let spec = NetworkSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let weights = random_weights(&spec, seed);
    NetworkFile::new(spec, weights)
}

/// After so many steps a walk begins anew elsewhere, on average.
const STEPS_OF_A_GAME: usize = 80;

/// A walk through the tree as a search does it: moves forth and back, null moves, values only now and then. Gives the rare moves on the
/// ways to all positions that were evaluated.
fn search_like(file: &NetworkFile, network: &Network, seed: u64, steps: usize) -> RareMoves {
    let mut random = SplitMix(seed);
    let mut evaluator = Evaluator::new(network);
    let mut seen = RareMoves::default();
    // Every position with what the move to it was, until a value depends on it.
    let mut path = vec![(random_games::start(&mut random), RareMoves::default())];
    evaluator.reset(&path[0].0);
    for _ in 0..steps {
        let (position, _) = path.last().expect("the root stays").clone();
        let mut delta = BoardDelta::default();
        let mut next = position.clone();
        if random.below(STEPS_OF_A_GAME) == 0 {
            path = vec![(random_games::start(&mut random), RareMoves::default())];
            evaluator.reset(&path[0].0);
        } else if path.len() > 1 && random.below(4) == 0 {
            path.pop();
            evaluator.pop();
        } else if random.below(10) == 0 && !position.is_check() {
            next.play_null();
            path.push((next, RareMoves::null_move()));
            evaluator.push(&delta);
        } else if let Some(mv) = rare_move(&position, &mut random) {
            next.play_observed(mv, &mut delta);
            path.push((next, RareMoves::of(&position, mv)));
            evaluator.push(&delta);
        } else {
            path.truncate(1);
            evaluator.reset(&path[0].0);
        }
        assert_eq!(evaluator.depth(), path.len() - 1);
        if random.below(3) == 0 {
            path.iter_mut().for_each(|(_, rare)| seen.add(std::mem::take(rare)));
            let (current, _) = path.last().expect("the root stays");
            let expected = reference::evaluate_integers(file.spec(), &file.weights, current);
            assert_eq!(
                evaluator.evaluate_parts(current),
                expected,
                "seed {seed}, {}: {current}",
                network.instruction_set()
            );
            assert_eq!(evaluator.evaluate(current), expected.centipawns(file.spec()));
            // What was followed move by move, and what is formed from nothing.
            let mut fresh = Evaluator::new(network);
            fresh.reset(current);
            assert_eq!(fresh.evaluate_parts(current), expected, "seed {seed}: {current}");
        }
    }
    seen
}

/// The sets that this CPU has; says which, for those that are missing are not tested.
#[expect(clippy::print_stdout, reason = "tests say what they try")]
fn instruction_sets() -> Vec<InstructionSet> {
    let found: Vec<InstructionSet> = InstructionSet::ALL.into_iter().filter(|set| set.is_available()).collect();
    println!("tested: {found:?}");
    found
}

#[test]
fn every_description_plays_exactly_on_every_instruction_set() {
    for (number, text) in SPECS.iter().enumerate() {
        let file = example(text, number as u64);
        for set in instruction_sets() {
            let network = Network::with_instruction_set(&file, set).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(network.instruction_set(), set);
            search_like(&file, &network, 1000 * number as u64, 6_000).assert_all(text);
        }
    }
}

/// What a trainer asks, lists of features without a board, is answered as in play.
#[test]
fn lists_of_features_have_the_value_of_their_position() {
    for (number, text) in SPECS.iter().enumerate() {
        let file = example(text, number as u64);
        let spec = file.spec();
        for set in instruction_sets() {
            let network = Network::with_instruction_set(&file, set).unwrap_or_else(|error| panic!("{text}: {error}"));
            let mut evaluator = FeatureEvaluator::new(&network);
            let mut random = SplitMix(number as u64);
            let mut position = random_games::start(&mut random);
            for _ in 0..60 {
                let mut active = [Vec::new(), Vec::new()];
                for color in Color::ALL {
                    spec.features().for_each_active(&position, color, |index| active[color.index()].push(index));
                }
                let [white, black] = &active;
                let (pieces, mover) = (position.occupied().len(), position.side_to_move());
                let expected = reference::evaluate_integers(spec, &file.weights, &position).units;
                assert_eq!(
                    evaluator.units(Features { white, black, pieces, mover }),
                    Some(expected),
                    "{set}: {position}"
                );
                let Some(mv) = random_games::random_move(&position, &mut random) else { break };
                position.play(mv);
            }
            let foreign = &[spec.features().count()][..];
            assert_eq!(evaluator.units(Features { white: foreign, black: &[], pieces: 2, mover: Color::White }), None);
        }
    }
}

/// A small network over a set, on every instruction set. Gives the rare moves that each of them has met.
fn plays_exactly(set: &str, seed: u64, steps: usize) -> RareMoves {
    let file = example(
        &format!("inputs = {set} trunk = accumulate 16 clipped shortcut -> dense 8 clipped heads = value"),
        seed,
    );
    let mut seen = RareMoves::default();
    for instructions in instruction_sets() {
        let network =
            Network::with_instruction_set(&file, instructions).unwrap_or_else(|error| panic!("{set}: {error}"));
        seen = search_like(&file, &network, seed, steps);
    }
    seen
}

#[test]
fn every_named_set_plays_exactly() {
    for (number, named) in NAMED_SETS.iter().enumerate() {
        plays_exactly(named.name, 500 + number as u64, 6_000).assert_all(named.name);
    }
}

/// Larger sets are left out: their weights would take longer to draw than the games to play.
const LARGEST_RANDOM_SET: u32 = 100_000;

#[test]
fn random_sets_play_exactly() {
    let mut random = SplitMix(2_026);
    let (mut played, mut seen) = (0, RareMoves::default());
    while played < 60 {
        let text = expressions::random_expression(&mut random);
        if FeatureSet::parse(&text).is_ok_and(|set| set.count() <= LARGEST_RANDOM_SET) {
            played += 1;
            seen.add(plays_exactly(&text, played, 60));
        }
    }
    seen.assert_all("random sets");
}

/// The weights of a mapped file are used where they lie if rows are whole registers, and copied otherwise; either way they play as
/// those that were read.
#[test]
fn mapped_networks_play_exactly() {
    let whole_rows = [
        (SPECS[1], true),
        (SPECS[2], false),
        (SPECS[3], true),
        (SPECS[4], true),
        (SPECS[7], false),
        ("inputs = threats trunk = accumulate 128 pairwise shortcut -> dense 8 clipped heads = value", true),
    ];
    for (number, (text, is_used_in_place)) in whole_rows.into_iter().enumerate() {
        let file = example(text, 60 + number as u64);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mapped-{number}.net"));
        file.write(&path).expect("a written network");
        let mapped = NetworkFile::read(&path).expect("a network");
        assert!(mapped.weights.accumulator_weights.is_mapped() && !file.weights.accumulator_weights.is_mapped());
        for set in instruction_sets() {
            let network = Network::with_instruction_set(&mapped, set).expect("a playable network");
            assert_eq!(network.is_mapped(), is_used_in_place, "{text}");
            // The integers that are expected come from the weights in memory.
            search_like(&file, &network, 70 + number as u64, 600);
        }
        let [network, read] = [&mapped, &file].map(|file| Network::new(file).expect("a playable network"));
        assert!(!read.is_mapped());
        for position in positions(80, 8) {
            assert_eq!(additive_split(&network, &position), additive_split(&read, &position), "{text}: {position}");
        }
    }
}

#[test]
fn weights_that_vectors_cannot_hold_take_the_slow_way() {
    let file = example(
        "inputs = bullet768 trunk = accumulate 64 squared heads = value
         numbers = accumulator i16*400, dense i8*64, output i16*64 units 400",
        1,
    );
    search_like(&file, &Network::new(&file).expect("a playable network"), 1, 100);
    let file = example(
        "inputs = bullet768 trunk = accumulate 64 pairwise -> dense 8 clipped heads = value
         numbers = accumulator i16*400, dense i8*64, output i8*9600/16",
        2,
    );
    search_like(&file, &Network::new(&file).expect("a playable network"), 2, 100);
    let mut file = example(SPECS[3], 3);
    file.weights.stacks[0][0].weights[5] = 3000;
    search_like(&file, &Network::new(&file).expect("a playable network"), 3, 100);
}

/// Sums that are clipped everywhere, under the most extreme weights: 1024 as networks have them, and so many that every register's lanes
/// would overflow if they were not emptied on the way.
#[test]
fn wide_outputs_play_exactly_at_extreme_weights() {
    for (activation, extremes) in [
        ("squared", &[[128, 128], [-128, -128], [128, -128], [90, -90]][..]),
        ("clipped", &[[i16::MAX, i16::MAX], [i16::MIN, i16::MIN], [i16::MAX, i16::MIN]]),
        // These do not fit 16 bits after the first product and are played without vectors.
        ("squared", &[[i16::MAX, i16::MAX], [i16::MIN, i16::MIN]]),
    ] {
        for width in [1024, 16_384] {
            let mut file = example(
                &format!(
                    "inputs = any.role * any.color trunk = accumulate {width} {activation} heads = value
                     numbers = accumulator i16*255, dense i8*64, output i16*64 units 2 centipawns = 1/1"
                ),
                6,
            );
            // A few sums are left to the pieces, so that values differ.
            let pushed = &mut file.weights.accumulator_biases[8..];
            pushed.fill(20_000);
            for extreme in extremes {
                let weights = &mut file.weights.stacks[0][0].weights;
                weights.iter_mut().zip(extreme.iter().cycle()).for_each(|(weight, &extreme)| *weight = extreme);
                for set in instruction_sets() {
                    let network = Network::with_instruction_set(&file, set).expect("a playable network");
                    search_like(&file, &network, 7, 12);
                }
                assert_eq!(Certificate::new(file.spec(), &file.weights).unproved().count(), 0, "{width} {extreme:?}");
            }
        }
    }
}

#[test]
fn sums_that_could_overflow_are_refused() {
    let mut file = example(SPECS[1], 4);
    file.weights.stacks[0][0].biases[2] = i32::MAX;
    let error = Network::new(&file).expect_err("an unsafe network");
    assert_eq!(
        error.to_string(),
        "bucket 0, layer 1: sums may exceed 32 bits; quantise the network again with smaller weights"
    );
}

/// Nothing is proved about these, and still everybody computes the same: sums that overflow wrap.
#[test]
fn unproved_values_wrap_as_in_the_reference() {
    let mut random = SplitMix(8);
    let mut shortcuts = example(SPECS[7], 8);
    for weight in &mut shortcuts.weights.shortcut_weights {
        *weight = [i32::MIN, i32::MAX, i32::MIN / 2, 1 << 30, 0][random.below(5)];
    }
    // Every value is the lowest of its type, whose negation is itself.
    let mut lowest = example(
        "inputs = any.role * any.color trunk = accumulate 4 clipped heads = value
         numbers = accumulator i16*1, dense i8*64, output i16*1 units 1 centipawns = 1/1",
        9,
    );
    lowest.weights.stacks[0][0].weights.fill(0);
    lowest.weights.stacks[0][0].biases.fill(i32::MIN);
    for file in [&shortcuts, &lowest] {
        assert!(Certificate::new(file.spec(), &file.weights).unproved().count() > 0);
        for set in instruction_sets() {
            let network = Network::with_instruction_set(file, set).expect("a playable network");
            search_like(file, &network, 9, 600);
            for position in positions(12, 10) {
                assert_eq!(removal_effects(&network, &position).len() + 2, position.occupied().len());
                assert_eq!(additive_split(&network, &position).pieces.len(), position.occupied().len());
            }
        }
    }
    let value = |fen: &str| {
        let position = Position::from_fen(fen, FenMode::Lenient).expect(fen);
        let value = reference::evaluate_integers(lowest.spec(), &lowest.weights, &position);
        (value.units, value.units_for_white(&position))
    };
    assert_eq!(value("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), (i32::MIN, i32::MIN));
    assert_eq!(value("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), (i32::MIN, i32::MIN));
}

/// The reference would take the whole of such a weight, and vectors only its last 8 bits.
#[test]
fn weights_beyond_8_bits_are_refused() {
    let mut file = example(SPECS[1], 4);
    file.weights.stacks[0][0].weights[130] = 128;
    let error = Network::new(&file).expect_err("a weight that would be cut");
    assert_eq!(
        error.to_string(),
        "the weights do not fit the description: bucket 0, layer 1: the weight of input 2 to output 1 is 128, and 8 bits hold -128 to \
         127"
    );
}

#[test]
fn stockfish_13_gives_the_listed_integers() {
    let (Some(bytes), Some(golden)) = (stockfish_13(), data("nets/golden_halfkp_nn-62ef826d1a6d.tsv")) else { return };
    let file = NetworkFile::from_bytes(&bytes).expect("a network");
    let golden = std::fs::read_to_string(golden).expect("a readable file");
    for set in instruction_sets() {
        let network = Network::with_instruction_set(&file, set).expect("a playable network");
        let mut evaluator = Evaluator::new(&network);
        for line in golden.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let position = Position::from_fen(fields[0], FenMode::Lenient).expect(line);
            evaluator.reset(&position);
            let value = evaluator.evaluate_parts(&position).units_for_white(&position);
            assert_eq!(value.to_string(), fields[3], "{set}: {line}");
        }
        search_like(&file, &network, 77, 400);
    }
}

#[test]
fn the_small_network_plays_exactly() {
    let Some(bytes) = stockfish_small() else { return };
    let file = NetworkFile::from_bytes(&bytes).expect("a network");
    for set in instruction_sets() {
        search_like(&file, &Network::with_instruction_set(&file, set).expect("a playable network"), 78, 400);
    }
}

/// The value for White of a placement with this mover, by features alone: for that nobody need be able to play on.
fn value_for_white(network: &Network, setup: &Setup) -> Option<i32> {
    let as_it_is = Position::try_from(setup.clone());
    let flipped = || Position::try_from(Setup { side_to_move: !setup.side_to_move, ..setup.clone() });
    let position = as_it_is.or_else(|_| flipped()).ok()?;
    let spec = network.spec();
    let mut active = [Vec::new(), Vec::new()];
    for color in Color::ALL {
        spec.features().for_each_active(&position, color, |index| active[color.index()].push(index));
    }
    let [white, black] = &active;
    let (pieces, mover) = (position.occupied().len(), setup.side_to_move);
    let units = FeatureEvaluator::new(network).units(Features { white, black, pieces, mover })?;
    let centipawns = spec.centipawns.of(units);
    Some(if mover == Color::White { centipawns } else { -centipawns })
}

/// Rooks and queens behind knights: without those, a king would be in check and not to move.
const PINNED: [&str; 3] = [
    "4k3/8/8/8/4n3/8/8/4R1K1 w - - 0 1",
    "3rk3/8/8/3N4/8/8/8/3K4 b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

#[test]
fn removal_effects_are_differences_of_values() {
    let sets = NAMED_SETS.iter().map(|set| {
        format!("inputs = {} trunk = accumulate 16 clipped shortcut -> dense 8 clipped heads = value", set.name)
    });
    for text in sets.chain(SPECS.iter().map(|&text| text.to_owned())) {
        let network = Network::new(&example(&text, 5)).expect("a playable network");
        let pinned = PINNED.iter().map(|fen| fen.parse().expect(fen));
        for position in positions(9, 6).into_iter().chain(pinned) {
            let effects = removal_effects(&network, &position);
            assert_eq!(effects.len() + 2, position.occupied().len(), "{position}");
            let mut setup = position.to_setup();
            (setup.castling_rooks, setup.en_passant) = (Bitboard::EMPTY, None);
            let whole = value_for_white(&network, &setup).expect("a value");
            for effect in effects {
                let mut without = setup.clone();
                without.board.set(effect.square, None);
                if let Some(value) = value_for_white(&network, &without) {
                    assert_eq!(effect.centipawns, whole - value, "{} of {position}: {text}", effect.square);
                }
            }
        }
    }
}
