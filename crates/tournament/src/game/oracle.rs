//! Who knows how an endgame ends.

use kiebitz_chess::{Outcome, Position};
use kiebitz_tablebase::{FiftyMoveRule, SyzygyTables, Tablebase};

/// Knows the outcome of some positions under perfect play, such as endgame tablebases do.
///
/// Asked only directly after a capture or a pawn move, so that the count to the fifty-move rule begins anew and an answer
/// that takes the rule into account is exact.
pub trait EndgameOracle: Send + Sync {
    /// The outcome with best play by both sides and the fifty-move rule in force; `None` if it is not known.
    fn outcome(&self, position: &Position) -> Option<Outcome>;
}

impl EndgameOracle for SyzygyTables {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let result = self.verdict(position, FiftyMoveRule::Honoured)?;
        Some(result.outcome(position.side_to_move()))
    }
}
