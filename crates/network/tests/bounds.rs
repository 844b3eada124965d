//! Nothing leaves what certificates prove: neither positions of random games nor positions that were sought for it.

mod support;

use std::collections::HashSet;
use std::path::Path;

use kiebitz_chess::{Bitboard, Color, Piece, PieceKind, Position, Setup, Square};
use kiebitz_network::{
    Agreement, Bounds, Certificate, NetworkFile, NetworkSpec, OutputNumbers, QuantisedWeights, reference,
};
use support::random_games::SplitMix;
use support::{SPECS, positions, random_weights, stockfish_13};

/// What a position makes of every step that has a bound, in the order in which they come: all sums of the step, without any wrapping.
fn reached(spec: &NetworkSpec, weights: &QuantisedWeights, position: &Position) -> Vec<(String, Vec<i64>)> {
    let trace = reference::trace_integers(spec, weights, position);
    let (width, buckets, bucket) = (spec.accumulated().width, spec.buckets.count, trace.evaluation.bucket);
    let mut steps = Vec::new();
    let mut direct = Vec::new();
    for view in &trace.views {
        let mut sums: Vec<i64> = weights.accumulator_biases.iter().map(|&bias| bias.into()).collect();
        let mut shortcut = 0;
        spec.features().for_each_active(position, view.color, |index| {
            let row = &weights.accumulator_weights[index as usize * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
            let weight = weights.shortcut_weights.get(index as usize * buckets + bucket);
            shortcut += weight.map_or(0, |&weight| i64::from(weight));
        });
        steps.push(("the accumulator".to_owned(), sums));
        direct.push(shortcut);
    }
    if spec.accumulated().shortcut {
        steps.push(("the shortcut".to_owned(), direct.clone()));
        steps.push(("the shortcut, both views".to_owned(), vec![direct[0] - direct[1]]));
    }
    let mut inputs: Vec<i32> = trace.views.iter().flat_map(|view| view.activations.iter().copied()).collect();
    for (number, (dense, traced)) in weights.stacks[bucket].iter().zip(&trace.layers).enumerate() {
        // A wide output is divided before the trace shows it; what has to fit is the sum before.
        let sum = |output: usize| {
            let products = dense.row(output).iter().zip(&inputs);
            i64::from(dense.biases[output])
                + products.map(|(&weight, &input)| i64::from(weight) * i64::from(input)).sum::<i64>()
        };
        let sums: Vec<i64> = (0..dense.outputs).map(sum).collect();
        assert!(matches!(spec.numbers.output, OutputNumbers::Wide { .. }) || sums == traced.sums);
        steps.push((format!("bucket {bucket}, layer {}", number + 1), sums));
        inputs.clone_from(&traced.activations);
    }
    // The bound of a network of one view is White's, whoever moves.
    let sign = if spec.views() == 1 && position.side_to_move() == Color::Black { -1 } else { 1 };
    let evaluation = trace.evaluation;
    let values = [evaluation.units, evaluation.centipawns(spec)].map(|value| sign * i64::from(value));
    steps.push((format!("bucket {bucket}, the value"), values.to_vec()));
    steps
}

/// Fails if a sum of the position lies outside its bound; says how many sums there were.
fn held(spec: &NetworkSpec, weights: &QuantisedWeights, certificate: &Certificate, position: &Position) -> usize {
    let mut sums_seen = 0;
    for (step, sums) in reached(spec, weights, position) {
        let bounds = certificate.bounds.iter().find(|bounds| bounds.step == step);
        let bounds = bounds.unwrap_or_else(|| panic!("no bound for {step}"));
        for sum in sums {
            assert!(
                (bounds.lowest..=bounds.highest).contains(&sum),
                "{step}: {sum} is outside {bounds:?} in {position} of\n{spec}"
            );
            sums_seen += 1;
        }
    }
    sums_seen
}

/// What a position makes of the steps that vector instructions take in 16 bits, without any wrapping.
fn reached_by_vectors(spec: &NetworkSpec, weights: &QuantisedWeights, position: &Position) -> Vec<(String, Vec<i64>)> {
    use kiebitz_network::AccumulatorActivation::{Clipped, Pairwise, Squared};
    let trace = reference::trace_integers(spec, weights, position);
    let (stack, bucket) = (&weights.stacks[trace.evaluation.bucket], trace.evaluation.bucket);
    let activation = spec.accumulated().activation;
    let limit = spec.numbers.accumulator as i16;
    let clipped = |sums: &[i16]| sums.iter().map(|&sum| i64::from(sum.clamp(0, limit))).collect::<Vec<i64>>();
    let views: Vec<Vec<i64>> = trace.views.iter().map(|view| clipped(&view.sums)).collect();
    let mut steps = Vec::new();
    if let OutputNumbers::Wide { .. } = spec.numbers.output {
        if activation == Squared {
            let products =
                views.concat().iter().zip(stack[0].row(0)).map(|(sum, &weight)| sum * i64::from(weight)).collect();
            steps.push((format!("bucket {bucket}, layer 1, sums times weights"), products));
        }
        return steps;
    }
    if activation != Clipped {
        let halves = |sums: &Vec<i64>| if activation == Pairwise { sums.len() / 2 } else { 0 };
        let products = |sums: &Vec<i64>| {
            sums.iter().zip(&sums[halves(sums)..]).map(|(left, right)| left * right).collect::<Vec<i64>>()
        };
        steps.push(("the accumulator, products".to_owned(), views.iter().flat_map(products).collect()));
    }
    // Neighbours within a view, then within a layer.
    let mut parts: Vec<Vec<i32>> = trace.views.iter().map(|view| view.activations.clone()).collect();
    for (number, (dense, traced)) in stack.iter().zip(&trace.layers).enumerate() {
        let mut pairs = Vec::new();
        for output in 0..dense.outputs {
            let mut weights = dense.row(output);
            for part in &parts {
                let (own, rest) = weights.split_at(part.len());
                weights = rest;
                let product = |(&input, &weight): (&i32, &i16)| i64::from(input) * i64::from(weight);
                let sum = |(inputs, weights): (&[i32], &[i16])| inputs.iter().zip(weights).map(product).sum::<i64>();
                pairs.extend(part.chunks(2).zip(own.chunks(2)).map(sum));
            }
        }
        steps.push((format!("bucket {bucket}, layer {}, pairs of products", number + 1), pairs));
        parts = vec![traced.activations.clone()];
    }
    steps
}

#[test]
fn no_position_of_random_games_leaves_the_proved_steps_of_vectors() {
    let positions = positions(17, 60);
    let mut kinds = HashSet::new();
    for (number, text) in SPECS.iter().enumerate() {
        let spec = NetworkSpec::parse(text).expect(text);
        let weights = random_weights(&spec, number as u64);
        let certificate = Certificate::new(&spec, &weights);
        for position in &positions {
            for (step, sums) in reached_by_vectors(&spec, &weights, position) {
                let bounds = certificate.vector_steps.iter().find(|bounds| bounds.step == step);
                let bounds = bounds.unwrap_or_else(|| panic!("no bound for {step} of {text}"));
                let outside = sums.iter().find(|sum| !(bounds.lowest..=bounds.highest).contains(sum));
                assert_eq!(outside, None, "{step}: {bounds:?} in {position} of {text}");
                kinds.insert(step.rsplit(", ").next().unwrap_or_default().to_owned());
            }
        }
    }
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

/// Of every kind of step one that would leave its 16 bits, and beside it the largest that does not.
#[test]
fn steps_of_vectors_that_would_saturate_are_not_proved() {
    let unproved = |text: &str, change: &dyn Fn(&mut QuantisedWeights)| {
        let spec = NetworkSpec::parse(text).expect(text);
        let mut weights = random_weights(&spec, 5);
        change(&mut weights);
        let certificate = Certificate::new(&spec, &weights);
        let steps = certificate.vector_steps.iter().filter(|bounds| !bounds.is_proved());
        steps.map(|bounds| (bounds.step.clone(), bounds.lowest, bounds.highest)).collect::<Vec<_>>()
    };
    let none = Vec::new();
    let wide = |activation: &str, scale: u16| {
        format!(
            "inputs = piece768 trunk = accumulate 8 {activation} heads = value
             numbers = accumulator i16*{scale}, dense i8*64, output i16*64 units 400"
        )
    };
    let with = |weight: i16| {
        move |weights: &mut QuantisedWeights| {
            weights.stacks[0][0].weights.fill(1);
            weights.stacks[0][0].weights[3] = weight;
        }
    };
    assert_eq!(unproved(&wide("squared", 255), &with(128)), none);
    let found = unproved(&wide("squared", 255), &with(-129));
    assert_eq!(found, [("bucket 0, layer 1, sums times weights".to_owned(), -255 * 129, 255)]);
    assert_eq!(unproved(&wide("clipped", 255), &with(3000)), none, "these are added in 32 bits at once");

    let products = |scale: u16| {
        format!(
            "inputs = piece768 trunk = accumulate 8 pairwise -> dense 4 clipped heads = value
             numbers = accumulator i16*{scale}, dense i8*64, output i8*9600/16"
        )
    };
    assert_eq!(unproved(&products(255), &|_| ()), none);
    assert_eq!(unproved(&products(256), &|_| ()), [("the accumulator, products".to_owned(), 0, 256 * 256)]);

    // The most extreme weights of 8 bits keep pairs within 16: 2 * 127 * 128 is 32512. Those of a wider type would not.
    let bytes = "inputs = piece768 trunk = accumulate 8 clipped -> dense 4 clipped heads = value";
    let fill = |weight: i16| {
        move |weights: &mut QuantisedWeights| weights.stacks[0].iter_mut().for_each(|layer| layer.weights.fill(weight))
    };
    assert_eq!(unproved(bytes, &fill(-128)), none);
    assert_eq!(unproved(bytes, &fill(127)), none);
    let found = unproved(bytes, &fill(-130));
    assert_eq!(found[0], ("bucket 0, layer 1, pairs of products".to_owned(), -2 * 127 * 130, 0));
}

/// The sum of a wide output has 64 bits, and needs more than 32 even with ordinary weights.
#[test]
fn sums_of_wide_outputs_are_proved_beyond_32_bits() {
    let spec = |units: u32| {
        let text = format!(
            "inputs = bullet768 trunk = accumulate 1024 squared heads = value
             numbers = accumulator i16*255, dense i8*64, output i16*64 units {units} centipawns = 1/1"
        );
        NetworkSpec::parse(&text).expect("a description")
    };
    for (reach, units, unproved) in [(90, 400, &[][..]), (32_767, 400, &[]), (32_767, 5_000, &["bucket 0, the value"])]
    {
        let spec = spec(units);
        let mut weights = random_weights(&spec, 9);
        // Every sum can be clipped at its highest, where squares weigh most.
        weights.accumulator_biases.fill(255);
        let extremes = [reach, -reach].into_iter().cycle();
        weights.stacks[0][0].weights.iter_mut().zip(extremes).for_each(|(weight, extreme)| *weight = extreme);
        let certificate = Certificate::new(&spec, &weights);
        let found: Vec<&str> = certificate.unproved().map(|bounds| bounds.step.as_str()).collect();
        assert_eq!(found, unproved, "±{reach}, {units} units: {:?}", certificate.bounds);
        let bounds = &certificate.bounds[1];
        assert_eq!((bounds.step.as_str(), bounds.limit), ("bucket 0, layer 1", i64::MAX));
        // 1024 squares of 255 with weights of each sign, and the bias.
        let highest = 1024 * 255 * 255 * i64::from(reach) + i64::from(weights.stacks[0][0].biases[0]);
        assert!(highest > i64::from(i32::MAX) && bounds.highest == highest, "{bounds:?}");

        // Older programs held these sums to 32 bits. They meant the same; who says another limit does not.
        let with_limit = |limit: i64| {
            let mut stored = certificate.clone();
            stored.bounds[1].limit = limit;
            certificate.compared_with(&stored)
        };
        assert_eq!(with_limit(i32::MAX.into()), Agreement::Same);
        assert_eq!(with_limit(i64::MAX - 1), Agreement::Different);
        assert!(!Bounds { limit: i64::MIN, ..bounds.clone() }.is_proved(), "whatever a file may hold");
    }
}

#[test]
fn no_position_of_random_games_leaves_the_proved_bounds() {
    let positions = positions(7, 300);
    for (number, text) in SPECS.iter().enumerate() {
        let spec = NetworkSpec::parse(text).expect(text);
        let weights = random_weights(&spec, number as u64);
        let certificate = Certificate::new(&spec, &weights);
        for position in &positions {
            let sums = held(&spec, &weights, &certificate, position);
            assert!(sums > spec.accumulated().width, "{text}");
        }
    }
}

/// What a search makes as large or as small as it can.
#[derive(Clone, Copy, Debug)]
struct Aim {
    /// Which of the steps of [`reached`].
    step: usize,
    /// Which of its sums.
    sum: usize,
    sign: i64,
}

impl Aim {
    fn of(self, spec: &NetworkSpec, weights: &QuantisedWeights, position: &Position) -> i64 {
        let steps = reached(spec, weights, position);
        let (_, sums) = &steps[self.step.min(steps.len() - 1)];
        self.sign * sums[self.sum % sums.len()]
    }
}

/// Another board: a piece less, more, or elsewhere; kings move. Not every one is a position.
fn altered(position: &Position, random: &mut SplitMix) -> Option<Position> {
    let mut board = position.board().clone();
    let mut square = || Square::from_index(random.below(64)).expect("a number below 64");
    let (from, to) = (square(), square());
    let kind = PieceKind::ALL[random.below(5)];
    let color = Color::ALL[random.below(2)];
    match board.piece_at(from) {
        Some(piece) if piece.kind == PieceKind::King || random.below(2) == 0 => {
            if from == to || board.piece_at(to).is_some_and(|other| other.kind == PieceKind::King) {
                return None;
            }
            board.set(from, None);
            board.set(to, Some(piece));
        }
        Some(_) if random.below(3) == 0 => board.set(from, None),
        _ => board.set(from, Some(Piece::new(color, kind))),
    }
    let setup = Setup {
        board,
        side_to_move: if random.below(8) == 0 { !position.side_to_move() } else { position.side_to_move() },
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    Position::try_from(setup).ok()
}

/// Climbs from a position of a random game to the most extreme sum that small changes of the board lead to, and tries every board on the way.
fn climb(
    spec: &NetworkSpec,
    weights: &QuantisedWeights,
    certificate: &Certificate,
    aim: Aim,
    tries: usize,
) -> (i64, i64) {
    let mut random = SplitMix(31 * aim.step as u64 + 7 * aim.sum as u64 + u64::from(aim.sign > 0));
    let mut position = support::random_games::position(aim.step as u64, 40);
    let begun = aim.of(spec, weights, &position);
    let mut best = begun;
    for _ in 0..tries {
        let Some(next) = altered(&position, &mut random) else { continue };
        let found = aim.of(spec, weights, &next);
        if found >= best {
            (position, best) = (next, found);
            held(spec, weights, certificate, &position);
        }
    }
    (begun, best)
}

/// The ends of all steps that one position passes, each for two of its sums.
fn aims(steps: usize) -> impl Iterator<Item = Aim> {
    (0..steps).flat_map(|step| [0, 5].into_iter().flat_map(move |sum| [-1, 1].map(|sign| Aim { step, sum, sign })))
}

#[test]
fn no_position_that_was_sought_for_it_leaves_the_proved_bounds() {
    for (number, text) in SPECS.iter().enumerate() {
        let spec = NetworkSpec::parse(text).expect(text);
        let weights = random_weights(&spec, number as u64);
        let certificate = Certificate::new(&spec, &weights);
        let steps = reached(&spec, &weights, &Position::default()).len();
        let mut climbed = 0;
        for aim in aims(steps) {
            let (begun, best) = climb(&spec, &weights, &certificate, aim, 250);
            climbed += usize::from(best > begun);
        }
        // Else the search would be worth nothing. A sum that hears of nothing, and a clipped layer's, may stay.
        assert!(climbed >= 3 * steps, "{text}: only {climbed} of {} sums could be driven anywhere", 4 * steps);
    }
}

#[test]
fn stockfish_13_is_proved_in_every_step() {
    let Some(bytes) = stockfish_13() else { return };
    let file = NetworkFile::from_bytes(&bytes).expect("a network");
    let certificate = Certificate::new(file.spec(), &file.weights);
    let steps: Vec<&str> = certificate.bounds.iter().map(|bounds| bounds.step.as_str()).collect();
    let layer = |number| format!("bucket 0, layer {number}");
    assert_eq!(steps, ["the accumulator", &layer(1), &layer(2), &layer(3), "bucket 0, the value"]);
    assert_eq!(certificate.unproved().count(), 0, "{:?}", certificate.bounds);
    let steps: Vec<&str> = certificate.vector_steps.iter().map(|bounds| bounds.step.as_str()).collect();
    assert_eq!(steps, [1, 2, 3].map(|number| layer(number) + ", pairs of products"));
    assert!(certificate.vector_steps.iter().all(Bounds::is_proved), "{:?}", certificate.vector_steps);
    // The figures of decision 11.
    let accumulator = &certificate.bounds[0];
    assert_eq!((accumulator.lowest, accumulator.highest, accumulator.limit), (-4330, 3706, 32767));
    for aim in aims(6) {
        climb(file.spec(), &file.weights, &certificate, aim, 150);
    }
}

/// All networks together, and the one that a browser loads, in bytes.
const LARGEST_TOGETHER: u64 = 40_000_000;
const LARGEST_SMALL: u64 = 2_000_000;

#[test]
fn the_networks_that_ship_are_proved_as_they_say_and_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
    let mut names = Vec::new();
    let mut together = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of networks") {
        let path = entry.expect("a readable folder").path();
        let size = path.metadata().expect("a readable file").len();
        together += size;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.ends_with(".gz") {
            continue;
        }
        assert!(name != "small.net.gz" || size <= LARGEST_SMALL, "{name} has {size} bytes");
        let file = NetworkFile::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let certificate = Certificate::new(file.spec(), &file.weights);
        assert_eq!(certificate.unproved().count(), 0, "{name}: {:?}", certificate.bounds);
        let stored = file.header.certificate.as_ref().unwrap_or_else(|| panic!("{name} has no certificate"));
        // Files from before the steps of vectors were proved lack these, and nothing else.
        let lacking = certificate.vector_steps.len();
        let agreement = certificate.compared_with(stored);
        assert!([Agreement::Same, Agreement::Older(lacking)].contains(&agreement), "{name}: {agreement:?}");
        assert!(certificate.vector_steps.iter().all(Bounds::is_proved), "{name}: {:?}", certificate.vector_steps);
        let rounding = stored.rounding.as_ref().unwrap_or_else(|| panic!("{name}: its floats were not compared"));
        assert!(rounding.positions >= 100, "{name}: {rounding:?}");
        names.push(name);
    }
    for built_in in ["kiebitz.net.gz", "small.net.gz"] {
        assert!(names.iter().any(|name| name == built_in), "{built_in} is not among {names:?}");
    }
    assert!(together < LARGEST_TOGETHER, "nets/ has {together} bytes");
}
