//! What a position is worth, for people: always as White sees it.

use kiebitz_chess::{Color, Score, Wdl};
use serde::{Deserialize, Serialize};

/// A score as White sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum ScoreView {
    /// An evaluation in centipawns.
    Centipawns(i32),
    /// Moves until mate; negative if White is mated, 0 if the mate is on the board.
    Mate(i32),
}

impl ScoreView {
    /// A score of the side to move as White sees it.
    #[must_use]
    pub fn of(score: Score, side_to_move: Color) -> Self {
        let white = |value: i32| if side_to_move == Color::White { value } else { -value };
        match score.mate_moves() {
            Some(moves) => Self::Mate(white(moves)),
            None => Self::Centipawns(white(score.value())),
        }
    }
}

/// White's chances to win, draw and lose, in thousandths that sum to a thousand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Chances {
    /// White wins.
    pub win: u16,
    /// Nobody wins.
    pub draw: u16,
    /// Black wins.
    pub loss: u16,
}

impl Chances {
    /// The chances of the side to move as White sees them.
    #[must_use]
    pub fn of(wdl: Wdl, side_to_move: Color) -> Self {
        let wdl = if side_to_move == Color::White { wdl } else { wdl.flipped() };
        Self { win: wdl.win(), draw: wdl.draw(), loss: wdl.loss() }
    }
}
