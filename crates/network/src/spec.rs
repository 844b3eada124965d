//! The description of a network: a plain value with a canonical text, from which every size follows.

use std::fmt;

use kiebitz_features::FeatureSet;
use serde::{Deserialize, Serialize};

use crate::numbers::{Centipawns, Numbers, OutputNumbers, SearchScale};
use crate::spec_text;

/// What a network is made of. Stored in every network file and every checkpoint; no size is written down elsewhere.
///
/// ```
/// use kiebitz_network::NetworkSpec;
///
/// let spec = NetworkSpec::parse(
///     "inputs  = half(king_square * piece_square)
///      trunk   = accumulate 256, clipped -> dense 32 clipped -> dense 32 clipped
///      heads   = value      numbers = accumulator i16*127, dense i8*64, output*9600",
/// )?;
/// assert_eq!(spec.layer_shapes().len(), 3);
/// assert_eq!(NetworkSpec::parse(&spec.to_string())?, spec);
/// # Ok::<(), kiebitz_network::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NetworkSpec {
    /// What the network is shown.
    pub inputs: Inputs,
    /// What it computes from that.
    pub trunk: Trunk,
    /// Which of several copies of the dense layers a position uses.
    pub buckets: OutputBuckets,
    /// What it answers.
    pub heads: Vec<Head>,
    /// How real numbers become integers.
    pub numbers: Numbers,
    /// How the answer becomes centipawns.
    pub centipawns: Centipawns,
    /// What a search makes of it.
    pub search: SearchScale,
}

/// What a network is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// Few active features out of many.
    Sparse(FeatureSet),
}

/// What a network computes from its inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trunk {
    /// A wide sum over active features, kept up to date move by move, then dense layers.
    Accumulated(AccumulatedTrunk),
}

/// An accumulator followed by dense layers; the last layer, to one number, is the head's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccumulatedTrunk {
    /// How many sums a view has.
    pub width: usize,
    /// What becomes of them.
    pub activation: AccumulatorActivation,
    /// Whether every feature also has a direct weight (one a bucket), as piece-square tables have.
    pub shortcut: bool,
    /// The layers behind the accumulator.
    pub layers: Vec<Layer>,
}

/// What becomes of an accumulator's sums; a unit is 1.0 of the float network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccumulatorActivation {
    /// Limited to 0..1.
    Clipped,
    /// Limited to 0..1 and squared.
    Squared,
    /// Limited to 0..1; the first half times the second half.
    Pairwise,
}

/// A layer behind the accumulator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layer {
    /// Every output sees every input.
    Dense(DenseLayer),
}

/// A dense layer and what becomes of its sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DenseLayer {
    /// How many sums are activated.
    pub width: usize,
    /// How; with several ways, their results follow one another.
    pub activations: Vec<DenseActivation>,
    /// Whether one more sum goes straight to the value.
    pub skip: bool,
}

/// What becomes of a dense layer's sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DenseActivation {
    /// Limited to 0..1.
    Clipped,
    /// Limited to 0..1 and squared.
    Squared,
    /// Squared and limited to 1, so that negative sums count like positive ones.
    Folded,
}

/// What a network answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// One number: how good the position is for the side to move.
    Value,
}

/// Copies of the dense layers, chosen by how many pieces are on the board: (pieces − less) / per.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputBuckets {
    /// How many copies there are.
    pub count: usize,
    /// What is taken off the number of pieces.
    pub less: usize,
    /// How many numbers of pieces share a copy.
    pub per: usize,
}

impl OutputBuckets {
    /// One copy for all positions.
    pub const ONE: Self = Self { count: 1, less: 1, per: 32 };

    /// The copy for a number of pieces.
    #[inline]
    #[must_use]
    pub fn index(self, pieces: usize) -> usize {
        (pieces.saturating_sub(self.less) / self.per.max(1)).min(self.count.saturating_sub(1))
    }
}

/// The size of a dense layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerShape {
    /// How many numbers come in.
    pub inputs: usize,
    /// How many sums are formed, a skipping one included.
    pub outputs: usize,
}

/// The widest accumulator and the widest layer that are accepted.
const WIDEST: usize = 1 << 14;

/// The most layers that are accepted.
const MOST_LAYERS: usize = 16;

/// The most copies of the dense layers.
const MOST_BUCKETS: usize = 64;

/// Why a description is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The feature set cannot be read.
    #[error("inputs: {0}")]
    Inputs(#[from] kiebitz_features::FeatureError),
    /// A part is missing.
    #[error("the description has no line '{0} = …'")]
    Missing(&'static str),
    /// A part occurs twice.
    #[error("the description says '{0} = …' twice")]
    Twice(String),
    /// A part that is not known.
    #[error("'{0} = …' is unknown; known are: inputs, trunk, buckets, heads, numbers, centipawns, search")]
    UnknownKey(String),
    /// Something in a part cannot be read.
    #[error("{key}: found '{found}', expected {expected}")]
    Syntax {
        /// The part.
        key: &'static str,
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// The parts do not fit together.
    #[error("{0}")]
    Unfit(String),
}

impl NetworkSpec {
    /// Reads a description.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec = spec_text::parse(text)?;
        spec.check()?;
        Ok(spec)
    }

    /// The network as it is played: without virtual features, which only training knows.
    #[must_use]
    pub fn played(&self) -> Self {
        Self { inputs: Inputs::Sparse(self.features().merged()), ..self.clone() }
    }

    /// The feature set.
    #[must_use]
    pub fn features(&self) -> &FeatureSet {
        let Inputs::Sparse(features) = &self.inputs;
        features
    }

    /// The accumulator and the layers behind it.
    #[must_use]
    pub fn accumulated(&self) -> &AccumulatedTrunk {
        let Trunk::Accumulated(trunk) = &self.trunk;
        trunk
    }

    /// How many views there are: one for either side, or a single one.
    #[must_use]
    pub fn views(&self) -> usize {
        if self.features().half().is_some() { 2 } else { 1 }
    }

    /// How many numbers one view's accumulator hands on.
    #[must_use]
    pub fn activated_width(&self) -> usize {
        let trunk = self.accumulated();
        match trunk.activation {
            AccumulatorActivation::Clipped | AccumulatorActivation::Squared => trunk.width,
            AccumulatorActivation::Pairwise => trunk.width / 2,
        }
    }

    /// The dense layers of the trunk.
    pub fn dense_layers(&self) -> impl ExactSizeIterator<Item = &DenseLayer> {
        self.accumulated().layers.iter().map(|Layer::Dense(layer)| layer)
    }

    /// The sizes of all dense layers, that of the value head last.
    #[must_use]
    pub fn layer_shapes(&self) -> Vec<LayerShape> {
        let mut inputs = self.views() * self.activated_width();
        let mut shapes = Vec::new();
        for layer in self.dense_layers() {
            shapes.push(LayerShape { inputs, outputs: layer.width + usize::from(layer.skip) });
            inputs = layer.width * layer.activations.len();
        }
        shapes.push(LayerShape { inputs, outputs: 1 });
        shapes
    }

    /// How many weights and biases there are in all.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        let trunk = self.accumulated();
        let rows = u64::from(self.features().count());
        let (width, buckets) = (trunk.width as u64, self.buckets.count as u64);
        let shortcut = if trunk.shortcut { rows * buckets } else { 0 };
        let dense: u64 = self.layer_shapes().iter().map(|shape| ((shape.inputs + 1) * shape.outputs) as u64).sum();
        (rows + 1) * width + shortcut + dense * buckets
    }

    /// What a value of 1.0 of the float network is in the network's internal units.
    #[must_use]
    pub fn units(&self) -> f32 {
        match self.numbers.output {
            OutputNumbers::Narrow { scale, divisor } => scale as f32 / divisor as f32,
            OutputNumbers::Wide { units, .. } => units as f32,
        }
    }

    /// Whether all parts fit together; a spec built by hand is checked by whoever uses it.
    pub fn check(&self) -> Result<(), SpecError> {
        let unfit = |text: String| Err(SpecError::Unfit(text));
        let trunk = self.accumulated();
        let widths = self.dense_layers().map(|layer| layer.width).chain([trunk.width]);
        if let Some(width) = widths.into_iter().find(|&width| width == 0 || width > WIDEST) {
            return unfit(format!("trunk: a width of {width} is not between 1 and {WIDEST}"));
        }
        if trunk.activation == AccumulatorActivation::Pairwise && trunk.width % 2 == 1 {
            return unfit(format!("trunk: a pairwise product needs an even width, not {}", trunk.width));
        }
        if trunk.layers.len() > MOST_LAYERS {
            return unfit(format!("trunk: {} layers are more than {MOST_LAYERS}", trunk.layers.len()));
        }
        if self.dense_layers().any(|layer| layer.activations.is_empty() || layer.activations.len() > 3) {
            return unfit("trunk: a dense layer needs one to three activations".to_owned());
        }
        let OutputBuckets { count, per, .. } = self.buckets;
        if count == 0 || count > MOST_BUCKETS || per == 0 {
            return unfit(format!(
                "buckets: {count} buckets of {per} are not between 1 and {MOST_BUCKETS} of at least 1"
            ));
        }
        if trunk.shortcut && self.views() == 1 {
            return unfit("trunk: a shortcut compares two views, but the inputs have one; write half(…)".to_owned());
        }
        if matches!(self.numbers.output, OutputNumbers::Wide { .. }) && (!trunk.layers.is_empty() || trunk.shortcut) {
            return unfit(
                "numbers: output i16 stands directly behind the accumulator, without dense layers or a \
                          shortcut; write output i8*9600/16"
                    .to_owned(),
            );
        }
        if self.heads != [Head::Value] {
            return unfit("heads: exactly one value head is understood".to_owned());
        }
        self.numbers.check()
    }
}

impl TryFrom<String> for NetworkSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        Self::parse(&text)
    }
}

impl From<NetworkSpec> for String {
    fn from(spec: NetworkSpec) -> Self {
        spec.to_string()
    }
}

impl std::str::FromStr for NetworkSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

impl fmt::Debug for NetworkSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "NetworkSpec(\n{self})")
    }
}
