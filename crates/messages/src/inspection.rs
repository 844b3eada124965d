//! A look inside: what an evaluation is made of.
//!
//! **Invariants:** all numbers are the engine's own. With a network the shares of [`Inspection::pieces`], `empty_tenths` and
//! `rounding_tenths` sum up to ten times `static_centipawns`, and so do the shares of the neurons with `other_tenths`; without one
//! the shares of the hand-crafted terms and their rounding do.

use serde::{Deserialize, Serialize};

use crate::{LineMove, ScoreView, Side};

/// What a piece is worth, in two views.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PieceWorth {
    /// Where it stands, such as `e4`.
    pub square: String,
    /// The piece as FEN writes it: upper case is White.
    pub piece: String,
    /// The value with it less the value without it, in centipawns for White. Nothing for kings, where the rest is no
    /// position for the hand-crafted terms, and where the side to move is in check.
    pub removal: Option<i32>,
    /// Its share of the value in tenths of a centipawn for White; nothing without a network, where terms have shares instead.
    pub share_tenths: Option<i32>,
}

/// How a feature came to be active.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FeatureState {
    /// It was active before the last move.
    Kept,
    /// The last move switched it on.
    Added,
    /// The last move switched it off: it is not active now.
    Removed,
}

/// A feature that the network sees, or saw before the last move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SeenFeature {
    /// Its index.
    pub index: u32,
    /// What it means, such as `king e1, own knight d4`, as the viewing side sees the board.
    pub name: String,
    /// The squares of the pieces it speaks of, as the board has them; for removed ones where they stood before the move.
    pub squares: Vec<String>,
    /// Whether the last move changed it.
    pub state: FeatureState,
    /// Its share of the value in tenths of a centipawn for White; 0 for removed ones.
    pub share_tenths: i32,
}

/// What one side's accumulator holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ViewInspection {
    /// Whose view; the side to move comes first. A network of one view has White's alone.
    pub side: Side,
    /// Active features and those that the last move removed.
    pub features: Vec<SeenFeature>,
    /// Whether the last move made the whole accumulator be computed anew (the own king changed its context).
    pub refreshed: bool,
    /// The sums, one a neuron.
    pub sums: Vec<i32>,
    /// What the first layer sees of them: as many as sums, or half of them where halves are multiplied.
    pub activations: Vec<i32>,
    /// The largest value a sum keeps: beyond it, and below zero, it is cut off.
    pub limit: i32,
}

/// How much of the value a neuron of the accumulator carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NeuronShare {
    /// Whose view, as an index into the views.
    pub view: u32,
    /// Which neuron.
    pub neuron: u32,
    /// Its sum.
    pub sum: i32,
    /// Its share of the value in tenths of a centipawn for White.
    pub share_tenths: i32,
}

/// The values of a layer behind the accumulator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LayerValues {
    /// Its name, such as `layer 1` or `output`.
    pub name: String,
    /// How many numbers it sees.
    pub inputs: u32,
    /// Its sums, biases included.
    #[cfg_attr(feature = "typescript", ts(type = "Array<number>"))]
    pub sums: Vec<i64>,
    /// What the next layer sees; empty for the last one.
    pub activations: Vec<i32>,
    /// What 1.0 is among the activations.
    pub activation_range: i32,
}

/// A network at work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkInspection {
    /// Which network.
    pub network: String,
    /// Which copy of the layers is used, by the number of pieces.
    pub bucket: u32,
    /// How many copies there are.
    pub buckets: u32,
    /// The accumulators, the side to move first.
    pub views: Vec<ViewInspection>,
    /// The neurons that carry most of the value, the heaviest first.
    pub neurons: Vec<NeuronShare>,
    /// What all other neurons, the empty board, a shortcut and rounding carry together, in tenths of a centipawn for White.
    pub other_tenths: i32,
    /// The layers, in order, the output last.
    pub layers: Vec<LayerValues>,
    /// The value in the network's own units for the side to move.
    pub units: i32,
    /// The part of it that comes from the shortcut, if there is one.
    pub shortcut_units: i32,
}

/// A group of terms of the hand-crafted evaluation, in centipawns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HandcraftedTerm {
    /// Its name.
    pub name: String,
    /// What it gives White in the middle game.
    pub white_middle: i32,
    /// What it gives White in the end game.
    pub white_end: i32,
    /// What it gives Black in the middle game, positive when good for Black.
    pub black_middle: i32,
    /// What it gives Black in the end game.
    pub black_end: i32,
    /// Its share of the value in tenths of a centipawn for White, middle game and end game blended.
    pub share_tenths: i32,
}

/// The hand-crafted evaluation, term by term.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HandcraftedInspection {
    /// The terms; empty where a known ending decides alone.
    pub terms: Vec<HandcraftedTerm>,
    /// How much of the middle game is left: 24 at the start, 0 without pieces.
    pub phase: i32,
    /// The share of the end-game value that counts, in 128ths.
    pub scale: i32,
    /// The value for White.
    pub centipawns: i32,
    /// What rounding adds to the shares of the terms, in tenths of a centipawn for White; all of it in a known ending.
    pub rounding_tenths: i32,
    /// Whether the ending is a known one and terms do not count.
    pub known_ending: bool,
}

/// What a short search says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchedValue {
    /// What the position is worth after search.
    pub score: ScoreView,
    /// How deep it went, in plies.
    pub depth: u32,
    /// How many positions it visited.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub nodes: u64,
    /// The line.
    pub line: Vec<LineMove>,
}

/// Everything that can be seen of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Inspection {
    /// The position as FEN.
    pub fen: String,
    /// Who is to move.
    pub side_to_move: Side,
    /// Whether the side to move is in check. The engine never uses the evaluation of such a position.
    pub in_check: bool,
    /// The opponent whose evaluation this is.
    pub opponent: String,
    /// The evaluation before search, in centipawns for White. The shares below sum up to it.
    pub static_centipawns: i32,
    /// The evaluation after search; nothing if none was asked for or the game is over.
    pub searched: Option<SearchedValue>,
    /// Every piece from a1 to h8.
    pub pieces: Vec<PieceWorth>,
    /// What an empty board is worth, in tenths of a centipawn for White: biases, and who is to move.
    pub empty_tenths: i32,
    /// What rounding adds, in tenths of a centipawn for White.
    pub rounding_tenths: i32,
    /// The network at work; nothing for the hand-crafted evaluation.
    pub network: Option<NetworkInspection>,
    /// The hand-crafted terms, shown beside any network.
    pub handcrafted: HandcraftedInspection,
}

/// The weights of a neuron over the board for one kind of piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NeuronBoard {
    /// The piece as FEN writes it: upper case is the viewing side's own.
    pub piece: String,
    /// 64 weights from a1, b1, … to h8 on the viewing side's board; nothing where the network has no feature.
    pub weights: Vec<Option<i32>>,
}

/// What a neuron of the accumulator looks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NeuronWeights {
    /// Which network.
    pub network: String,
    /// Which neuron.
    pub neuron: u32,
    /// How many neurons there are.
    pub neurons: u32,
    /// Where the own king stands, which decides the weights of king-dependent features.
    pub king: String,
    /// Its bias.
    pub bias: i32,
    /// A board for every kind of piece that has features.
    pub boards: Vec<NeuronBoard>,
}
