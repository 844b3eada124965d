//! Networks: what they are, where they come from, what was proved.

use serde::{Deserialize, Serialize};

/// A layer in the drawing of a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DrawnLayer {
    /// Its name: `accumulator`, `layer 1`, `output`.
    pub name: String,
    /// How many numbers it sees.
    pub inputs: u32,
    /// How many sums it forms.
    pub outputs: u32,
    /// What becomes of them, in words; empty for the output.
    pub activation: String,
    /// Weights and biases, all copies counted.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub parameters: u64,
}

/// A network as a drawing shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkDiagram {
    /// The expression of the features.
    pub inputs: String,
    /// Its well-known name, such as `halfkp`.
    pub inputs_name: Option<String>,
    /// How many features there are.
    pub features: u32,
    /// How many can be active at once, in one view.
    pub max_active: u32,
    /// One view or two.
    pub views: u32,
    /// Copies of the layers, chosen by the number of pieces.
    pub buckets: u32,
    /// Whether features also have a direct weight.
    pub shortcut: bool,
    /// The accumulator (for one view) and the layers behind it, the output last.
    pub layers: Vec<DrawnLayer>,
    /// Weights and biases in all.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub parameters: u64,
}

/// What a step of a network can reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProvedStep {
    /// Which step.
    pub step: String,
    /// The lowest value it can reach.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub lowest: i64,
    /// The highest value it can reach.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub highest: i64,
    /// What its integers can hold, plus or minus.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub limit: i64,
    /// Whether it can neither saturate nor wrap.
    pub proved: bool,
}

/// How far integers are from the floats they were made from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RoundingFigures {
    /// Positions compared.
    pub positions: u32,
    /// Mean distance in centipawns.
    pub mean_centipawns: f64,
    /// Largest distance in centipawns.
    pub largest_centipawns: f64,
    /// The share of positions where the best move of one ply is another one, 0 to 1.
    pub changed_best_moves: f64,
}

/// What was proved and measured about a network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkCertificate {
    /// Every step.
    pub steps: Vec<ProvedStep>,
    /// Whether every step is proved.
    pub proved: bool,
    /// The distance to the floats, where there were some.
    pub rounding: Option<RoundingFigures>,
}

/// A network in the workspace or among those that ship.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkCard {
    /// Its name in requests: that of its file, or `kiebitz` for the one that is built in.
    pub id: String,
    /// Bytes of the file.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub bytes: u64,
    /// When the file was changed last, in milliseconds since 1970; 0 for the one that is built in.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub changed_ms: u64,
    /// The canonical description.
    pub spec: String,
    /// What its file says about it.
    pub description: String,
    /// Its licence; empty if nobody said.
    pub licence: String,
    /// The drawing.
    pub diagram: NetworkDiagram,
    /// What was proved, if anything.
    pub certificate: Option<NetworkCertificate>,
    /// How it was trained: whatever the trainer wrote down.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub manifest: serde_json::Value,
    /// Why it cannot be played; nothing if it can. Such a card has an empty drawing.
    pub fault: Option<String>,
}
