//! How the real numbers of training become the integers of play.
//!
//! Activations behind the accumulator are bytes from 0 to [`ACTIVATION_RANGE`], which stands for 1.0. What exceeds it
//! is shifted down: with an accumulator scale of 127 a clipped sum fits as it is, a product of two of them loses 7
//! bits; with 255 the shifts are 1 and 9. The exact factor between a product of floats and its integer is therefore
//! not quite 1 (127 · 127 / 128 / 127); the float reference applies it too, so that both mean the same network.

use kiebitz_chess::{PieceKind, Position};

use crate::spec::{AccumulatorActivation, SpecError};

/// The integer that stands for 1.0 in activations.
pub const ACTIVATION_RANGE: i32 = 127;

/// Scales and integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// What 1.0 is in the accumulator (16-bit integers).
    pub accumulator: u16,
    /// What 1.0 is in the weights of dense layers (8-bit integers); a power of two.
    pub dense: u16,
    /// The last layer.
    pub output: OutputNumbers,
}

/// Scales and types of the last layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputNumbers {
    /// Weights of 8 bits over byte activations; sums are scaled by `scale` and divided by `divisor` in the end.
    Narrow {
        /// What 1.0 is in the last sum.
        scale: u32,
        /// What the last sum is divided by to give internal units.
        divisor: u32,
    },
    /// Weights of 16 bits directly over the accumulator, as the trainer bullet writes them.
    Wide {
        /// What 1.0 is in the weights.
        scale: u16,
        /// Internal units of a value of 1.0.
        units: u32,
    },
}

/// Internal units to centipawns: units · `times` / `per`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Centipawns {
    /// What units are multiplied with.
    pub times: u32,
    /// What they are then divided by.
    pub per: u32,
}

impl Centipawns {
    /// Internal units as centipawns, rounded towards zero.
    #[inline]
    #[must_use]
    pub fn of(self, units: i32) -> i32 {
        (i64::from(units) * i64::from(self.times) / i64::from(self.per.max(1))) as i32
    }
}

impl Default for Centipawns {
    /// A pawn is 208 units, as in Stockfish 12 and 13.
    fn default() -> Self {
        Self { times: 100, per: 208 }
    }
}

/// What a value is worth to a search: value · (`base` + `slope` · material) / 1024, with 1, 3, 3, 5 and 9 points for the pieces of both
/// sides together.
///
/// Networks that never learned how far an advantage carries need this: Stockfish 12 to 14 multiply theirs so. Values that are shown stay as the
/// network gave them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchScale {
    /// The factor of bare kings, in 1024ths.
    pub base: u16,
    /// What a point of material adds to it.
    pub slope: u8,
}

impl SearchScale {
    /// Values as they are.
    pub const ONE: Self = Self { base: 1024, slope: 0 };

    /// A value, scaled for a position.
    #[inline]
    #[must_use]
    pub fn of(self, value: i32, position: &Position) -> i32 {
        if self == Self::ONE {
            return value;
        }
        let count = |kind: PieceKind| position.board().kind(kind).len() as i32;
        let minor_pieces = count(PieceKind::Knight) + count(PieceKind::Bishop);
        let material =
            count(PieceKind::Pawn) + 3 * minor_pieces + 5 * count(PieceKind::Rook) + 9 * count(PieceKind::Queen);
        let factor = i64::from(i32::from(self.base) + i32::from(self.slope) * material);
        (i64::from(value) * factor / 1024) as i32
    }
}

impl Default for Numbers {
    /// 127 / 64 / 9600, the scheme of Stockfish and of most of the literature.
    fn default() -> Self {
        Self { accumulator: 127, dense: 64, output: OutputNumbers::Narrow { scale: 9600, divisor: 16 } }
    }
}

impl Numbers {
    /// How many bits a sum of a dense layer is shifted down by before it becomes an activation.
    #[must_use]
    pub fn dense_shift(self) -> u32 {
        self.dense.trailing_zeros()
    }

    /// The bits that an activated sum of the accumulator loses so that it fits a byte.
    #[must_use]
    pub fn activation_shift(self, activation: AccumulatorActivation) -> u32 {
        let largest = self.largest(activation);
        (0..32).find(|&shift| largest >> shift <= ACTIVATION_RANGE as u32).unwrap_or(31)
    }

    /// What 1.0 becomes in bytes, relative to [`ACTIVATION_RANGE`].
    #[must_use]
    pub fn activation_gain(self, activation: AccumulatorActivation) -> f32 {
        let exact = self.largest(activation) as f32 / (1_u64 << self.activation_shift(activation)) as f32;
        exact / ACTIVATION_RANGE as f32
    }

    /// The same for a squared sum of a dense layer: it loses twice the layer's shift and seven bits more.
    #[must_use]
    pub fn square_gain() -> f32 {
        ACTIVATION_RANGE as f32 / 128.0
    }

    /// Extra bits that a squared sum of a dense layer loses.
    pub const SQUARE_SHIFT: u32 = 7;

    fn largest(self, activation: AccumulatorActivation) -> u32 {
        let scale = u32::from(self.accumulator);
        match activation {
            AccumulatorActivation::Clipped => scale,
            AccumulatorActivation::Squared | AccumulatorActivation::Pairwise => scale * scale,
        }
    }

    pub(crate) fn check(self) -> Result<(), SpecError> {
        let unfit = |text: String| Err(SpecError::Unfit(format!("numbers: {text}")));
        if !(1..=1023).contains(&self.accumulator) {
            return unfit(format!("an accumulator scale of {} is not between 1 and 1023", self.accumulator));
        }
        if !self.dense.is_power_of_two() || self.dense > 128 {
            return unfit(format!("a dense scale of {} is not a power of two up to 128", self.dense));
        }
        match self.output {
            OutputNumbers::Narrow { scale, divisor } if scale == 0 || scale > 1 << 20 || divisor == 0 => {
                unfit(format!("output {scale}/{divisor} is not between 1 and {} over at least 1", 1 << 20))
            }
            OutputNumbers::Wide { scale, units } if scale == 0 || units == 0 || units > 1 << 20 => {
                unfit(format!("output {scale} with {units} units is not positive and at most {}", 1 << 20))
            }
            _ => Ok(()),
        }
    }
}
