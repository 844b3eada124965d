//! How fast networks are evaluated: `make bench-nnue`.
//!
//! Three shapes with random weights, on one core, for plain code and for the best instructions of this CPU:
//!
//! - *refresh*: both accumulators from nothing;
//! - *step*: a move is played, both accumulators follow, the value is formed, the move is taken back;
//! - *value*: the accumulators are ready, only the layers are computed.
//!
//! The bound of each is what the hardware could do if nothing took time but the bytes of accumulators and rows that have to pass
//! through the nearest cache or, if that takes longer, the multiply-adds of the layers; each at the speed that it reaches
//! there alone in the same run, by the kernel that the shape uses. Random positions are unkind to caches: a search asks for the same rows
//! again and again. Bytes that are zero are skipped by the first layer, so that a value of such a shape may come faster than its
//! multiply-adds allow.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kiebitz_chess::{Move, Position};
use kiebitz_features::BoardDelta;
use kiebitz_inference::{Evaluator, InstructionSet, Network};
use kiebitz_kernels::{AlignedSlice, NetworkKernels};
use kiebitz_network::{
    AccumulatorActivation, Dense, LayerShape, NetworkFile, NetworkSpec, OutputNumbers, QuantisedWeights,
};

/// How long one figure is measured.
const TIME: Duration = Duration::from_millis(1500);

/// Positions that the figures are averaged over.
const POSITIONS: usize = 100;

/// Moves tried in each of them.
const MOVES: usize = 10;

/// How often the value of a position is formed while its accumulators are ready.
const VALUES: usize = 50;

/// Replies tried to each of those.
const REPLIES: usize = 6;

const SHAPES: [(&str, &str); 3] = [
    (
        "HalfKP 256-32-32",
        "inputs = halfkp trunk = accumulate 256 clipped -> dense 32 clipped -> dense 32 clipped heads = value",
    ),
    (
        "(768->1024)x2->1",
        "inputs = bullet768 trunk = accumulate 1024 squared heads = value
         numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    ),
    (
        "(10x768->1024)x2->8",
        "inputs = bucketed768 trunk = accumulate 1024 squared buckets = 8 of (pieces - 2) / 4 heads = value
         numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    ),
];

fn main() -> Result<()> {
    let best = InstructionSet::detect();
    let samples = samples(20_261_116);
    let peak = Peak::of(best)?;
    println!(
        "best instructions: {best}; in the nearest cache rows are added at {:.0} GB/s, and a second has {:.0} billion \
         multiply-adds of bytes, {:.0} of 16-bit words, or {:.0} of their squares\n",
        peak.bandwidth / 1e9,
        peak.bytes / 1e9,
        peak.words / 1e9,
        peak.squares / 1e9
    );
    println!("HalfKP indices of both views: {:.1} million positions a second\n", index_rate(&samples)? / 1e6);
    println!("million a second      refresh     step    value");
    for (name, text) in SHAPES {
        let file = random_network(text)?;
        let plain = measure(&file, InstructionSet::Scalar, &samples)?;
        let fast = measure(&file, best, &samples)?;
        let bound = peak.bounds(&file, &samples);
        println!("{name}");
        print_rates("plain code", &plain.map(|rate| rate / 1e6));
        print_rates(&best.to_string(), &fast.map(|rate| rate / 1e6));
        print_rates("ratio", &fast.over(&plain));
        print_rates("bound", &bound.map(|rate| rate / 1e6));
        print_rates("% of the bound", &fast.over(&bound).map(|share| 100.0 * share));
    }
    Ok(())
}

fn print_rates(what: &str, Rates { refresh, step, value }: &Rates) {
    println!("  {what:<18}{refresh:>9.2}{step:>9.2}{value:>9.2}");
}

/// Evaluations a second, or something that is told of each of them.
struct Rates {
    refresh: f64,
    step: f64,
    value: f64,
}

impl Rates {
    fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self { refresh: change(self.refresh), step: change(self.step), value: change(self.value) }
    }

    fn over(&self, other: &Self) -> Self {
        Self { refresh: self.refresh / other.refresh, step: self.step / other.step, value: self.value / other.value }
    }
}

/// A position with some of its moves, and some of the replies to each.
type Sample = (Position, Vec<(Move, Vec<Move>)>);

/// Seeded random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }
}

/// Positions of random games after 10 to 80 plies.
fn samples(seed: u64) -> Vec<Sample> {
    let mut random = Random(seed);
    let mut samples = Vec::new();
    while samples.len() < POSITIONS {
        let mut position = Position::default();
        for _ in 0..10 + random.below(70) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        let moves = position.legal_moves();
        if moves.len() >= MOVES {
            let mut chosen = Vec::new();
            for _ in 0..MOVES {
                let mv = moves[random.below(moves.len())];
                let replies = position.after(mv).legal_moves();
                let count = if replies.is_empty() { 0 } else { REPLIES };
                chosen.push((mv, (0..count).map(|_| replies[random.below(replies.len())]).collect()));
            }
            samples.push((position, chosen));
        }
    }
    samples
}

fn random_network(text: &str) -> Result<NetworkFile> {
    let spec = NetworkSpec::parse(text)?;
    let mut random = Random(1);
    let trunk = spec.accumulated();
    let rows = spec.features().count() as usize;
    let wide = matches!(spec.numbers.output, OutputNumbers::Wide { .. });
    let reach = if wide { 100 } else { 127 };
    let mut layer = |shape: LayerShape| Dense {
        inputs: shape.inputs,
        outputs: shape.outputs,
        weights: (0..shape.inputs * shape.outputs).map(|_| random.between(-reach, reach) as i16).collect(),
        biases: (0..shape.outputs).map(|_| random.between(-2000, 2000)).collect(),
    };
    let stacks = (0..spec.buckets.count).map(|_| spec.layer_shapes().into_iter().map(&mut layer).collect()).collect();
    let weights: Vec<i16> = (0..rows * trunk.width).map(|_| random.between(-40, 40) as i16).collect();
    let weights = QuantisedWeights {
        accumulator_biases: (0..trunk.width).map(|_| random.between(-150, 50) as i16).collect(),
        accumulator_weights: Arc::new(weights.into()),
        shortcut_weights: Vec::new(),
        stacks,
    };
    Ok(NetworkFile::new(spec, weights))
}

/// Does all items again and again; `work` tells how much an item is. The best time of every item counts, because shared
/// machines are noisy.
fn rate(items: usize, mut work: impl FnMut(usize) -> usize) -> f64 {
    let start = Instant::now();
    let mut best = vec![f64::INFINITY; items];
    let mut done = 0;
    while start.elapsed() < TIME {
        done = 0;
        for (item, best) in best.iter_mut().enumerate() {
            let begin = Instant::now();
            done += work(item);
            *best = best.min(begin.elapsed().as_secs_f64());
        }
    }
    done as f64 / best.iter().sum::<f64>()
}

fn measure(file: &NetworkFile, set: InstructionSet, samples: &[Sample]) -> Result<Rates> {
    let network = Network::with_instruction_set(file, set)?;
    let kernels = NetworkKernels::new(set).context("the instruction set is there")?;
    let features = file.spec().features();
    let width = file.spec().accumulated().width;
    let (mut indices, mut sums) = (Vec::new(), AlignedSlice::<i16>::zeros(width));
    let mut evaluator = Evaluator::new(&network);
    let refresh = rate(samples.len(), |item| {
        for view in kiebitz_chess::Color::ALL {
            features.active(&samples[item].0, view, &mut indices);
            kernels.update(
                &file.weights.accumulator_weights,
                &file.weights.accumulator_biases,
                &mut sums,
                &indices,
                &[],
            );
            black_box(&mut sums);
        }
        1
    });
    let value = rate(samples.len(), |item| {
        let position = &samples[item].0;
        evaluator.reset(position);
        for _ in 0..VALUES {
            black_box(evaluator.evaluate(black_box(position)));
        }
        VALUES
    });
    let (mut next, mut last) = (Position::default(), Position::default());
    let step = rate(samples.len(), |item| {
        let (position, moves) = &samples[item];
        evaluator.reset(position);
        evaluator.evaluate(position);
        for (mv, replies) in moves {
            step(&mut evaluator, position, *mv, &mut next);
            for &reply in replies {
                step(&mut evaluator, &next, reply, &mut last);
                evaluator.pop();
            }
            evaluator.pop();
        }
        moves.iter().map(|(_, replies)| 1 + replies.len()).sum()
    });
    Ok(Rates { refresh, step, value })
}

/// Positions a second for which the features of both views are collected, as a data loader does.
fn index_rate(samples: &[Sample]) -> Result<f64> {
    let set = kiebitz_features::FeatureSet::parse("halfkp")?;
    let mut indices = Vec::with_capacity(64);
    Ok(rate(samples.len(), |item| {
        indices.clear();
        for view in kiebitz_chess::Color::ALL {
            set.for_each_active(&samples[item].0, view, |index| indices.push(index));
        }
        black_box(&mut indices);
        1
    }))
}

/// Plays a move and evaluates what comes of it.
#[inline(always)]
fn step(evaluator: &mut Evaluator, position: &Position, mv: Move, next: &mut Position) {
    let mut delta = BoardDelta::default();
    position.play_into(mv, next, &mut delta);
    evaluator.push(&delta);
    black_box(evaluator.evaluate(next));
}

/// The speeds of single operations on what lies in the nearest cache.
struct Peak {
    /// Bytes a second that pass when rows are added.
    bandwidth: f64,
    /// Multiply-adds a second of bytes, of 16-bit words, and of the squares of such words.
    bytes: f64,
    words: f64,
    squares: f64,
}

impl Peak {
    fn of(set: InstructionSet) -> Result<Self> {
        const WIDTH: usize = 1024;
        const ROWS: [u32; 4] = [0, 1, 2, 3];
        const REPEATS: usize = 1000;
        let kernels = NetworkKernels::new(set).context("the instruction set is there")?;
        let matrix = AlignedSlice::<i16>::zeros(WIDTH * ROWS.len());
        let mut sums = AlignedSlice::<i16>::zeros(WIDTH);
        let updates = rate(1, |_| {
            for _ in 0..REPEATS {
                kernels.update_in_place(black_box(&matrix), &mut sums, &ROWS[..2], &ROWS[2..]);
                black_box(&mut sums);
            }
            REPEATS
        });
        let (inputs, outputs) = (256, 64);
        let bytes = AlignedSlice::from(vec![1_u8; inputs].as_slice());
        let weights = AlignedSlice::<i8>::zeros(inputs * outputs);
        let biases = AlignedSlice::<i32>::zeros(outputs);
        let mut totals = biases.clone();
        let layers = rate(1, |_| {
            for _ in 0..REPEATS {
                kernels.affine(black_box(&bytes), &weights, &biases, &mut totals);
                black_box(&mut totals);
            }
            REPEATS
        });
        let dots = rate(1, |_| {
            for _ in 0..REPEATS {
                black_box(kernels.dot(black_box(&sums), &matrix[..WIDTH], 255));
            }
            REPEATS
        });
        let squares = rate(1, |_| {
            for _ in 0..REPEATS {
                black_box(kernels.dot_squared(black_box(&sums), &matrix[..WIDTH], 255));
            }
            REPEATS
        });
        Ok(Self {
            bandwidth: updates * (2 * WIDTH * (ROWS.len() + 2)) as f64,
            bytes: layers * (inputs * outputs) as f64,
            words: dots * WIDTH as f64,
            squares: squares * WIDTH as f64,
        })
    }

    /// Rates that bytes and multiply-adds allow.
    fn bounds(&self, file: &NetworkFile, samples: &[Sample]) -> Rates {
        let spec = file.spec();
        let products: usize = spec.layer_shapes().iter().map(|shape| shape.inputs * shape.outputs).sum();
        let products_a_second = match (spec.numbers.output, spec.accumulated().activation) {
            (OutputNumbers::Narrow { .. }, _) => self.bytes,
            (OutputNumbers::Wide { .. }, AccumulatorActivation::Squared) => self.squares,
            (OutputNumbers::Wide { .. }, _) => self.words,
        };
        let layers = products_a_second / products as f64;
        Rates {
            // No layer belongs to a refresh.
            refresh: self.bandwidth / bytes_of_a_refresh(file, samples),
            step: (self.bandwidth / bytes_of_a_step(file, samples)).min(layers),
            value: (self.bandwidth / bytes_of_a_value(file)).min(layers),
        }
    }
}

/// Bytes that one refresh must move: the biases, the rows of all active features, the new sums.
fn bytes_of_a_refresh(file: &NetworkFile, samples: &[Sample]) -> f64 {
    let row = 2 * file.spec().accumulated().width;
    let (mut bytes, mut active) = (0, Vec::new());
    for (position, _) in samples {
        for view in kiebitz_chess::Color::ALL {
            file.spec().features().active(position, view, &mut active);
            bytes += row * (2 + active.len());
        }
    }
    bytes as f64 / samples.len() as f64
}

/// Bytes that one value must move: the sums of both views.
fn bytes_of_a_value(file: &NetworkFile) -> f64 {
    (file.spec().views() * 2 * file.spec().accumulated().width) as f64
}

/// Bytes that one step must move: changed rows, both old and new sums, and the sums once more for the layers.
fn bytes_of_a_step(file: &NetworkFile, samples: &[Sample]) -> f64 {
    let features = file.spec().features();
    let row = 2 * file.spec().accumulated().width;
    let mut changes = kiebitz_features::FeatureDelta::default();
    let (mut bytes, mut steps) = (0, 0);
    for (position, moves) in samples {
        for (mv, _) in moves {
            let (mut next, mut delta) = (position.clone(), BoardDelta::default());
            next.play_observed(*mv, &mut delta);
            for view in kiebitz_chess::Color::ALL {
                features.changed(position, &next, &delta, view, &mut changes);
                bytes += row * (3 + changes.removed.len() + changes.added.len());
            }
            steps += 1;
        }
    }
    bytes as f64 / f64::from(steps)
}
