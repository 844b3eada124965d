//! A network packed for play: laid out for vector arithmetic, shared by all threads.

use std::sync::Arc;

use kiebitz_features::FeatureSet;
use kiebitz_kernels::{AlignedSlice, InstructionSet, NetworkKernels, PADDING, prefetch};
use kiebitz_network::{
    AccumulatorActivation, Dense, NetworkFile, NetworkSpec, OutputNumbers, Rows, ShapeError, SpecError,
};

use crate::packed_layer::PackedLayer;

/// Why a network cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The description is unfit.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The weights do not fit the description.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A layer whose sums might not fit 32 bits, so that CPUs could disagree.
    #[error("bucket {bucket}, layer {layer}: sums may exceed 32 bits; quantise the network again with smaller weights")]
    Overflow {
        /// Which copy of the layers.
        bucket: usize,
        /// Which layer, counted from 1.
        layer: usize,
    },
    /// The instruction set asked for is not there.
    #[error("this CPU has no {0}; leave the choice to the program")]
    InstructionSet(InstructionSet),
}

/// A network ready to play. Cloning shares everything.
#[derive(Clone)]
pub struct Network {
    packed: Arc<PackedNetwork>,
}

/// What all players of a network share.
pub(crate) struct PackedNetwork {
    pub(crate) spec: NetworkSpec,
    pub(crate) kernels: NetworkKernels,
    /// How many bytes or sums of one view the first layer sees, filling included.
    pub(crate) activated: usize,
    matrix: Matrix,
    pub(crate) biases: AlignedSlice<i16>,
    pub(crate) shortcut: Vec<i32>,
    pub(crate) stacks: Vec<Vec<PackedLayer>>,
    /// The layers as the file has them, for explanations.
    plain_stacks: Vec<Vec<Dense<i16, i32>>>,
    pub(crate) fits_vectors: bool,
    /// The bits that activations of the accumulator lose.
    pub(crate) shift: u32,
}

/// The accumulator's weights: shared with other processes where they lie in a mapped file and rows need no filling, else
/// copied to where memory is fastest.
enum Matrix {
    Shared(Arc<Rows>),
    Filled(AlignedSlice<i16>),
}

/// Scales up to this one keep products within 16 bits.
const LARGEST_VECTOR_SCALE: u16 = 255;

impl Network {
    /// Packs a network for the best instructions this CPU has.
    pub fn new(file: &NetworkFile) -> Result<Self, NetworkError> {
        Self::pack(file, NetworkKernels::default())
    }

    /// Packs a network for given instructions: for tests and measurements.
    pub fn with_instruction_set(file: &NetworkFile, set: InstructionSet) -> Result<Self, NetworkError> {
        Self::pack(file, NetworkKernels::new(set).ok_or(NetworkError::InstructionSet(set))?)
    }

    fn pack(file: &NetworkFile, kernels: NetworkKernels) -> Result<Self, NetworkError> {
        let spec = file.spec().clone();
        spec.check()?;
        file.weights.check(&spec)?;
        let filling = Filling::of(&spec);
        let activated = spec.activated_width().next_multiple_of(PADDING);
        let weights = &file.weights;
        let matrix = if filling.is_needless() && weights.accumulator_weights.is_mapped() {
            Matrix::Shared(weights.accumulator_weights.clone())
        } else {
            Matrix::Filled(filling.fill(&weights.accumulator_weights))
        };
        let mut stacks = Vec::new();
        for (bucket, stack) in weights.stacks.iter().enumerate() {
            let mut layers = Vec::new();
            for (number, dense) in stack.iter().enumerate() {
                // Only the first layer sees views, each with its own filling.
                let (views, stride) = if number == 0 { (spec.views(), activated) } else { (1, 0) };
                let packed = PackedLayer::new(&spec, dense, views, stride, number + 1 == stack.len());
                layers.push(packed.ok_or(NetworkError::Overflow { bucket, layer: number + 1 })?);
            }
            stacks.push(layers);
        }
        let packed = PackedNetwork {
            activated,
            matrix,
            biases: filling.fill(&weights.accumulator_biases),
            shortcut: weights.shortcut_weights.clone(),
            plain_stacks: weights.stacks.clone(),
            fits_vectors: fits_vectors(&spec, &stacks),
            shift: spec.numbers.activation_shift(spec.accumulated().activation),
            stacks,
            kernels,
            spec,
        };
        Ok(Self { packed: Arc::new(packed) })
    }

    /// What the network is.
    #[must_use]
    pub fn spec(&self) -> &NetworkSpec {
        &self.packed.spec
    }

    /// The instructions in use.
    #[must_use]
    pub fn instruction_set(&self) -> InstructionSet {
        self.packed.kernels.instruction_set()
    }

    /// Whether the weights lie in a mapped file, where processes share them.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        matches!(&self.packed.matrix, Matrix::Shared(_))
    }

    pub(crate) fn packed(&self) -> &PackedNetwork {
        &self.packed
    }
}

/// Whether scale and weights allow the fast way through 16-bit products.
fn fits_vectors(spec: &NetworkSpec, stacks: &[Vec<PackedLayer>]) -> bool {
    let scale = spec.numbers.accumulator;
    let squares = spec.accumulated().activation == AccumulatorActivation::Squared;
    match spec.numbers.output {
        OutputNumbers::Narrow { .. } => scale <= LARGEST_VECTOR_SCALE,
        OutputNumbers::Wide { .. } => {
            let product = |layer: &PackedLayer| i64::from(layer.largest_weight()) * i64::from(scale);
            scale <= LARGEST_VECTOR_SCALE
                && spec.accumulated().activation != AccumulatorActivation::Pairwise
                && (!squares || stacks.iter().flatten().all(|layer| product(layer) <= i64::from(i16::MAX)))
        }
    }
}

impl PackedNetwork {
    pub(crate) fn features(&self) -> &FeatureSet {
        self.spec.features()
    }

    #[inline(always)]
    pub(crate) fn matrix(&self) -> &[i16] {
        match &self.matrix {
            Matrix::Shared(rows) => rows,
            Matrix::Filled(rows) => rows,
        }
    }
}

/// Integers in a cache line.
const WORDS_PER_LINE: usize = 32;

/// Lines of a row that are asked for; behind them the processor has noticed where this leads, and asking for all 32 lines of a wide row took
/// longer than it saved (the bench of the built-in network is 3 % faster with 2, 4 or 8 of them).
const LINES_AHEAD: usize = 8;

impl PackedNetwork {
    /// Starts to bring the beginning of a row of the accumulator's weights near.
    #[inline]
    pub(crate) fn prefetch_row(&self, index: u32) {
        let width = self.biases.len();
        let row = self.matrix().get(index as usize * width..(index as usize + 1) * width).unwrap_or(&[]);
        row.chunks_exact(WORDS_PER_LINE).take(LINES_AHEAD).for_each(|line| prefetch(&line[0]));
    }
}

/// Weights as numbers without filling, for explanations.
impl PackedNetwork {
    pub(crate) fn plain_stack(&self, bucket: usize) -> &[Dense<i16, i32>] {
        self.plain_stacks.get(bucket).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn plain_biases(&self) -> Vec<f64> {
        Filling::of(&self.spec).without(&self.biases).collect()
    }

    pub(crate) fn plain_row(&self, index: u32) -> impl Iterator<Item = f64> {
        let filling = Filling::of(&self.spec);
        let row = self.matrix().get(index as usize * filling.row..(index as usize + 1) * filling.row);
        filling.without(row.unwrap_or(&[]))
    }

    pub(crate) fn plain_shortcut(&self, index: u32, bucket: usize) -> f64 {
        let place = index as usize * self.spec.buckets.count + bucket;
        self.shortcut.get(place).map_or(0.0, |&weight| weight.into())
    }
}

/// How rows of the accumulator are filled up to whole registers.
struct Filling {
    /// Parts of a row that are filled up by themselves, and how long they are.
    parts: usize,
    part: usize,
    /// The length of a filled row: with pairwise products either half is filled up by itself.
    row: usize,
}

impl Filling {
    fn of(spec: &NetworkSpec) -> Self {
        let trunk = spec.accumulated();
        let parts = if trunk.activation == AccumulatorActivation::Pairwise { 2 } else { 1 };
        let part = trunk.width / parts;
        Self { parts, part, row: parts * part.next_multiple_of(PADDING) }
    }

    fn is_needless(&self) -> bool {
        self.row == self.parts * self.part
    }

    /// The numbers of a row without its filling.
    fn without<'a>(&self, row: &'a [i16]) -> impl Iterator<Item = f64> + use<'a> {
        let part = self.part;
        row.chunks_exact(self.row / self.parts).flat_map(move |filled| filled[..part].iter().map(|&word| word.into()))
    }

    fn fill(&self, rows: &[i16]) -> AlignedSlice<i16> {
        let parts = rows.len() / self.part;
        let filled_part = self.row / self.parts;
        let mut filled = AlignedSlice::zeros(parts * filled_part);
        for (from, to) in rows.chunks_exact(self.part).zip(filled.chunks_exact_mut(filled_part)) {
            to[..self.part].copy_from_slice(from);
        }
        filled
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Network({}, {:?})", self.instruction_set(), self.spec())
    }
}
