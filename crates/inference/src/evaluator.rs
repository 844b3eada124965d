//! A network that follows a search: one evaluator a thread.

use kiebitz_chess::{Color, Position};
use kiebitz_features::BoardDelta;
use kiebitz_kernels::{AlignedSlice, OUTPUT_PADDING, PADDING};
use kiebitz_network::{
    ACTIVATION_RANGE, AccumulatorActivation, DenseActivation, DenseLayer, Evaluation, Numbers, OutputNumbers,
};

use crate::accumulator_stack::AccumulatorStack;
use crate::network::{Network, PackedNetwork};
use crate::packed_layer::PackedLayer;
use crate::sums::Sums;

/// Evaluates positions along the path of a search.
///
/// [`Self::reset`] at the root, [`Self::push`] after every move played, [`Self::pop`] when it is taken back. A null move is
/// pushed as an empty delta, or not at all. The position given to [`Self::evaluate`] must be the one the moves led to.
///
/// ```no_run
/// use std::path::Path;
///
/// use kiebitz_chess::Position;
/// use kiebitz_features::BoardDelta;
/// use kiebitz_inference::{Evaluator, Network};
/// use kiebitz_network::NetworkFile;
///
/// let network = Network::new(&NetworkFile::read(Path::new("kiebitz.knet"))?)?;
/// let mut evaluator = Evaluator::new(&network);
/// let mut position = Position::default();
/// evaluator.reset(&position);
/// let mut delta = BoardDelta::default();
/// position.play_observed(position.parse_san("e4")?, &mut delta);
/// evaluator.push(&delta);
/// let centipawns = evaluator.evaluate(&position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evaluator {
    network: Network,
    stack: AccumulatorStack,
    buffers: Buffers,
}

/// Memory for the layers, reused by every evaluation.
pub(crate) struct Buffers {
    /// What the first layer sees; later what the next layer sees.
    bytes: AlignedSlice<u8>,
    next_bytes: AlignedSlice<u8>,
    sums: AlignedSlice<i32>,
}

impl Buffers {
    pub(crate) fn new(network: &PackedNetwork) -> Self {
        let spec = &network.spec;
        let widest = spec.layer_shapes().iter().map(|shape| shape.inputs.max(shape.outputs)).max().unwrap_or(0);
        let bytes = (spec.views() * network.activated).max(widest.next_multiple_of(PADDING));
        Self {
            bytes: AlignedSlice::zeros(bytes),
            next_bytes: AlignedSlice::zeros(bytes),
            sums: AlignedSlice::zeros(widest.next_multiple_of(PADDING)),
        }
    }
}

impl Evaluator {
    /// An evaluator at the start position.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        let packed = network.packed();
        let (stack, buffers) = (AccumulatorStack::new(packed), Buffers::new(packed));
        let mut evaluator = Self { network: network.clone(), stack, buffers };
        evaluator.reset(&Position::default());
        evaluator
    }

    /// The network in use.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Starts anew from a position.
    pub fn reset(&mut self, position: &Position) {
        self.stack.reset(self.network.packed(), position);
    }

    /// A move was played.
    #[inline]
    pub fn push(&mut self, delta: &BoardDelta) {
        self.stack.push(self.network.packed(), delta);
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// How many moves have been pushed since the reset.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stack.depth()
    }

    /// The value in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let units = self.outcome(position).units();
        self.network.spec().centipawns.of(units)
    }

    /// The value in centipawns for the side to move of the position that is evaluated, if pieces other than kings were put down or
    /// taken off: of any placement, whether it could arise in a game or not.
    pub(crate) fn evaluate_changed(&mut self, position: &Position, delta: &BoardDelta) -> i32 {
        let pieces = position.occupied().len() + delta.placed().count() - delta.removed().count();
        let bucket = self.network.spec().buckets.index(pieces);
        self.push(delta);
        let units = self.outcome_of(position, bucket).units();
        self.pop();
        self.network.spec().centipawns.of(units)
    }

    /// The value with its parts, in the network's internal units, for the side to move.
    pub fn evaluate_parts(&mut self, position: &Position) -> Evaluation {
        self.outcome(position).evaluation()
    }

    /// What the layers of every bucket say with their part of the shortcut, as if each were the position's: for people who wonder what the
    /// choice of a bucket does. The value is that of [`Self::evaluate_parts`].
    pub fn evaluate_buckets(&mut self, position: &Position) -> Vec<Evaluation> {
        (0..self.network.spec().buckets.count).map(|bucket| self.outcome_of(position, bucket).evaluation()).collect()
    }

    #[inline]
    fn outcome(&mut self, position: &Position) -> Outcome {
        let bucket = self.network.spec().buckets.index(position.occupied().len());
        self.outcome_of(position, bucket)
    }

    #[inline]
    fn outcome_of(&mut self, position: &Position, bucket: usize) -> Outcome {
        let network = self.network.packed();
        let spec = &network.spec;
        let mover = position.side_to_move();
        let (stack, buffers) = (&mut self.stack, &mut self.buffers);
        let order = if spec.views() == 2 { [mover, !mover] } else { [Color::White, Color::White] };
        let mut gathered = Gathered::default();
        for (number, &view) in order[..spec.views()].iter().enumerate() {
            gathered.add(network, stack.sums(network, position, view.index()), number, bucket, buffers);
        }
        gathered.outcome(network, bucket, mover, buffers)
    }
}

/// What the views have given on the way to a value, besides the bytes for the first layer.
#[derive(Default)]
pub(crate) struct Gathered {
    shortcut: i32,
    wide: i64,
}

impl Gathered {
    /// Takes in the sums of a view; the mover's is number 0.
    #[inline]
    pub(crate) fn add(
        &mut self,
        network: &PackedNetwork,
        sums: &Sums,
        number: usize,
        bucket: usize,
        buffers: &mut Buffers,
    ) {
        let direct = sums.shortcut.get(bucket).copied().unwrap_or(0);
        // Like the sums they come from these wrap where nothing is proved.
        self.shortcut =
            if number == 0 { self.shortcut.wrapping_add(direct) } else { self.shortcut.wrapping_sub(direct) };
        let part = number * network.activated..(number + 1) * network.activated;
        match network.spec.numbers.output {
            OutputNumbers::Narrow { .. } => activate(network, &sums.words, &mut buffers.bytes[part]),
            OutputNumbers::Wide { .. } => self.wide += wide_dot(network, &sums.words, bucket, part),
        }
    }

    /// The way through the layers, after all views.
    #[inline]
    pub(crate) fn outcome(
        self,
        network: &PackedNetwork,
        bucket: usize,
        mover: Color,
        buffers: &mut Buffers,
    ) -> Outcome {
        let spec = &network.spec;
        let (total, shortcut, divisor) = match spec.numbers.output {
            OutputNumbers::Narrow { scale, divisor } => {
                let shortcut = i64::from(self.shortcut / 2);
                (propagate(network, bucket, buffers, scale) + shortcut, shortcut, i64::from(divisor))
            }
            OutputNumbers::Wide { scale, units } => (wide_value(network, bucket, self.wide, scale, units), 0, 1),
        };
        let sign = if spec.views() == 1 && mover == Color::Black { -1 } else { 1 };
        Outcome { total, shortcut, divisor, sign, bucket }
    }
}

/// The last sums before they are divided, which takes longer than one would think.
pub(crate) struct Outcome {
    total: i64,
    shortcut: i64,
    divisor: i64,
    sign: i32,
    bucket: usize,
}

impl Outcome {
    #[inline]
    fn part(&self, sum: i64) -> i32 {
        self.sign.wrapping_mul((sum / self.divisor) as i32)
    }

    #[inline]
    pub(crate) fn units(&self) -> i32 {
        self.part(self.total)
    }

    fn evaluation(&self) -> Evaluation {
        Evaluation {
            units: self.units(),
            shortcut: self.part(self.shortcut),
            positional: self.part(self.total - self.shortcut),
            bucket: self.bucket,
        }
    }
}

/// One view's accumulator as bytes.
#[inline]
fn activate(network: &PackedNetwork, sums: &[i16], bytes: &mut [u8]) {
    let activation = network.spec.accumulated().activation;
    let (limit, shift) = (network.spec.numbers.accumulator as i16, network.shift);
    let kernels = &network.kernels;
    if !network.fits_vectors {
        let (left, right) = factors(activation, sums);
        let clip = |sum: i16| i32::from(sum.clamp(0, limit));
        for ((byte, &left), &right) in bytes.iter_mut().zip(left).zip(right) {
            let value =
                if activation == AccumulatorActivation::Clipped { clip(left) } else { clip(left) * clip(right) };
            *byte = (value >> shift) as u8;
        }
        return;
    }
    match activation {
        AccumulatorActivation::Clipped => kernels.clip(sums, bytes, limit, shift),
        AccumulatorActivation::Squared => kernels.multiply(sums, sums, bytes, limit, shift),
        AccumulatorActivation::Pairwise => {
            let (left, right) = sums.split_at(sums.len() / 2);
            kernels.multiply(left, right, bytes, limit, shift);
        }
    }
}

/// The two rows that are multiplied.
fn factors(activation: AccumulatorActivation, sums: &[i16]) -> (&[i16], &[i16]) {
    match activation {
        AccumulatorActivation::Pairwise => sums.split_at(sums.len() / 2),
        AccumulatorActivation::Clipped | AccumulatorActivation::Squared => (sums, sums),
    }
}

/// One view's part of the sum of an output directly over the accumulator.
#[inline]
fn wide_dot(network: &PackedNetwork, sums: &[i16], bucket: usize, part: std::ops::Range<usize>) -> i64 {
    let Some(PackedLayer::Wide { weights, .. }) = network.stacks[bucket].first() else { return 0 };
    let weights = &weights[part];
    let limit = network.spec.numbers.accumulator as i16;
    let activation = network.spec.accumulated().activation;
    match activation {
        AccumulatorActivation::Clipped if network.fits_vectors => network.kernels.dot(sums, weights, limit),
        AccumulatorActivation::Squared if network.fits_vectors => network.kernels.dot_squared(sums, weights, limit),
        _ => {
            let clip = |sum: i16| i64::from(sum.clamp(0, limit));
            let (left, right) = factors(activation, sums);
            let product = |((&left, &right), &weight): ((&i16, &i16), &i16)| {
                let input =
                    if activation == AccumulatorActivation::Clipped { clip(left) } else { clip(left) * clip(right) };
                input * i64::from(weight)
            };
            left.iter().zip(right).zip(weights).map(product).sum()
        }
    }
}

fn wide_value(network: &PackedNetwork, bucket: usize, mut sum: i64, scale: u16, units: u32) -> i64 {
    let Some(PackedLayer::Wide { bias, .. }) = network.stacks[bucket].first() else { return 0 };
    let accumulator = i64::from(network.spec.numbers.accumulator);
    if network.spec.accumulated().activation != AccumulatorActivation::Clipped {
        sum /= accumulator;
    }
    (sum + i64::from(*bias)) * i64::from(units) / (accumulator * i64::from(scale))
}

/// From the first layer's bytes to the last sum.
#[inline]
fn propagate(network: &PackedNetwork, bucket: usize, buffers: &mut Buffers, scale: u32) -> i64 {
    let spec = &network.spec;
    let mut inputs = spec.views() * network.activated;
    let mut total = 0;
    let mut layers = spec.dense_layers();
    for packed in &network.stacks[bucket] {
        match packed {
            PackedLayer::Bytes { weights, biases } => {
                let Some(layer) = layers.next() else { break };
                let sums = &mut buffers.sums[..biases.len()];
                network.kernels.affine(&buffers.bytes[..inputs], weights, biases, sums);
                if layer.skip {
                    let unit = i64::from(ACTIVATION_RANGE) * i64::from(spec.numbers.dense);
                    total += i64::from(sums[layer.width]) * i64::from(scale) / unit;
                }
                inputs = (layer.width * layer.activations.len()).next_multiple_of(PADDING);
                activate_layer(network, layer, sums, &mut buffers.next_bytes[..inputs]);
                std::mem::swap(&mut buffers.bytes, &mut buffers.next_bytes);
            }
            PackedLayer::Value { weights, bias } => {
                total += network.kernels.dot_bytes(&buffers.bytes[..inputs], weights) + i64::from(*bias);
            }
            PackedLayer::Wide { .. } => {}
        }
    }
    total
}

/// The sums of a dense layer as bytes, one activation behind the other, then zeros.
#[inline]
fn activate_layer(network: &PackedNetwork, layer: &DenseLayer, sums: &[i32], bytes: &mut [u8]) {
    let shift = network.spec.numbers.dense_shift();
    let square_shift = 2 * shift + Numbers::SQUARE_SHIFT;
    let squared = |sum: i32| ((i64::from(sum) * i64::from(sum)) >> square_shift).min(i64::from(ACTIVATION_RANGE)) as u8;
    let sums = &sums[..layer.width];
    let (used, filling) = bytes.split_at_mut(layer.width * layer.activations.len());
    for (&activation, bytes) in layer.activations.iter().zip(used.chunks_exact_mut(layer.width)) {
        let pairs = bytes.iter_mut().zip(sums);
        match activation {
            DenseActivation::Clipped if layer.width.is_multiple_of(OUTPUT_PADDING) => {
                network.kernels.narrow(sums, bytes, shift);
            }
            DenseActivation::Clipped => {
                pairs.for_each(|(byte, sum)| *byte = (sum >> shift).clamp(0, ACTIVATION_RANGE) as u8);
            }
            DenseActivation::Squared => pairs.for_each(|(byte, &sum)| *byte = squared(sum.max(0))),
            DenseActivation::Folded => pairs.for_each(|(byte, &sum)| *byte = squared(sum)),
        }
    }
    filling.fill(0);
}
