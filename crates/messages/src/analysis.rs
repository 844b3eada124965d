//! Live analysis.

use serde::{Deserialize, Serialize};

use crate::{Chances, ScoreView};

/// How far an analysis goes. Without any limit it goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct AnalysisLimit {
    /// To this depth, in plies.
    pub depth: Option<u32>,
    /// So many nodes.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub nodes: Option<u64>,
    /// For so long.
    pub time_ms: Option<u32>,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LineMove {
    /// In UCI notation.
    pub uci: String,
    /// In algebraic notation, English letters; the page turns them into figurines.
    pub san: String,
}

/// One of the best lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalysisLine {
    /// Its rank, from 1.
    pub rank: u32,
    /// The depth it was searched to, in plies.
    pub depth: u32,
    /// What it is worth to White.
    pub score: ScoreView,
    /// White's chances.
    pub chances: Chances,
    /// The moves.
    pub moves: Vec<LineMove>,
}

/// What an analysis knows now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalysisUpdate {
    /// The last depth that was reported, in plies.
    pub depth: u32,
    /// The deepest line that was looked at, in plies.
    pub selective_depth: u32,
    /// Positions visited since the analysis began.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub nodes: u64,
    /// Positions a second.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub nodes_per_second: u64,
    /// Thinking time since the analysis began.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub elapsed_ms: u64,
    /// How full the table is, in thousandths.
    pub hash_full_permille: u32,
    /// The best lines, best first.
    pub lines: Vec<AnalysisLine>,
}

/// Why an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AnalysisEnd {
    /// Its limit was reached, or everything is known.
    Finished,
    /// The page said stop.
    Stopped,
    /// The page asked for another one.
    Replaced,
}
