//! One game as one player sees it.

use kiebitz_chess::{Color, Outcome};

/// The result of a game for the player whose strength is in question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl GameResult {
    /// The result for the player of one color.
    #[must_use]
    pub fn of(outcome: Outcome, color: Color) -> Self {
        match outcome {
            Outcome::Draw => Self::Draw,
            Outcome::Win(winner) if winner == color => Self::Win,
            Outcome::Win(_) => Self::Loss,
        }
    }

    /// The points in halves: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self) -> u32 {
        self as u32
    }

    /// The same game as the opponent sees it.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}
