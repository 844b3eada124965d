//! What searchers and adjudication ask of tables.

use kiebitz_chess::{GameHistory, Position};

use crate::{Dtz, FiftyMoveRule, RootRanking, TableResult, root};

/// Exact knowledge about positions with few pieces.
///
/// `None` always means *the tables do not say*: too many pieces, castling rights, a table that is missing or damaged.
pub trait Tablebase: Send + Sync {
    /// The most pieces, kings included, that any table covers. Searchers compare this with the board before they probe.
    fn largest(&self) -> usize;

    /// Who wins if the fifty-move counter stood at zero. The fast probe: exact after a capture or pawn move, where
    /// searchers should use it.
    fn wdl(&self, position: &Position) -> Option<TableResult>;

    /// Distance to the next capture or pawn move. Slower than [`Self::wdl`] by far.
    fn dtz(&self, position: &Position) -> Option<Dtz>;

    /// Who wins with the fifty-move counter as it stands; what adjudication goes by. `None` also where rounded tables
    /// cannot tell whether the fifty-move rule comes in time.
    fn verdict(&self, position: &Position, rule: FiftyMoveRule) -> Option<TableResult> {
        let fresh = self.wdl(position)?;
        if rule == FiftyMoveRule::Ignored || position.halfmove_clock() == 0 || fresh == TableResult::Draw {
            return Some(fresh.under(rule));
        }
        self.dtz(position)?.result(position.halfmove_clock(), rule)
    }

    /// All legal moves, best first, by what the tables say of the positions after them. The game's past matters:
    /// moves that complete a threefold repetition or the fifty moves are draws.
    fn rank_root(&self, game: &GameHistory, rule: FiftyMoveRule) -> Option<RootRanking> {
        root::rank(self, game, rule)
    }
}
