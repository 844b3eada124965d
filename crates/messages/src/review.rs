//! Whole games, judged.

use serde::{Deserialize, Serialize};

use crate::{LineMove, ScoreView, Side};

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MoveMark {
    /// `?!`, glyph 6: 0.05 expected points or more given away.
    Dubious,
    /// `?`, glyph 2: 0.10 or more.
    Mistake,
    /// `??`, glyph 4: 0.20 or more.
    Blunder,
}

/// A move of the main line, judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReviewedMove {
    /// Its place in the main line, from 0.
    pub ply: u32,
    /// Whose move it is.
    pub side: Side,
    /// The move played.
    pub played: LineMove,
    /// What the position is worth after it.
    pub score: ScoreView,
    /// What the best move promised.
    pub best_score: ScoreView,
    /// The best line from the position before the move.
    pub best_line: Vec<LineMove>,
    /// Depth of that search, in plies; nothing where the rules alone decide.
    pub depth: Option<u32>,
    /// Expected points given away, 0 to 1.
    pub loss: f64,
    /// How bad it was, if it was.
    pub mark: Option<MoveMark>,
}

/// A side of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SideReview {
    /// The average of 100 · e^(-5 · loss) over its moves; nothing if it never moved.
    pub accuracy: Option<f64>,
    /// Average loss in centipawns.
    pub centipawn_loss: Option<f64>,
    /// Dubious moves.
    pub dubious: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
}

/// A game, judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Review {
    /// Who judged, and how hard it looked.
    pub judge: String,
    /// White.
    pub white: SideReview,
    /// Black.
    pub black: SideReview,
    /// What the start was worth.
    pub start_score: ScoreView,
    /// Every move of the main line.
    pub moves: Vec<ReviewedMove>,
    /// The game with glyphs, evaluations and better lines; nothing where there is no PGN writer (in the browser alone) or
    /// no PGN was given.
    pub annotated_pgn: Option<String>,
}
