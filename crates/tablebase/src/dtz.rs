//! How far the next irreversible move is.

use crate::{FiftyMoveRule, TableResult};

/// Plies until a capture or pawn move that keeps the result, or until mate: the *distance to zeroing*.
///
/// Positive when the side to move wins, negative when it loses, zero in draws. More than a hundred means that the
/// fifty-move rule comes first even from a fresh counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dtz {
    /// Plies with the winner's sign.
    pub plies: i32,
    /// The table counts in whole moves here: the true distance is `plies` or one more.
    pub rounded: bool,
}

/// Plies without capture or pawn move after which a draw can be claimed.
pub(crate) const FIFTY_MOVES: u32 = 100;

impl Dtz {
    /// The distance of a position whose best move is itself a capture or pawn move, or mates.
    #[must_use]
    pub const fn before_zeroing(result: TableResult) -> Self {
        let plies = match result {
            TableResult::Loss => -1,
            TableResult::BlessedLoss => -101,
            TableResult::Draw => 0,
            TableResult::CursedWin => 101,
            TableResult::Win => 1,
        };
        Self { plies, rounded: false }
    }

    /// The distance one ply earlier, from the view of the side that made that reversible move.
    #[must_use]
    pub const fn one_ply_earlier(self) -> Self {
        let plies = self.plies.saturating_neg();
        Self { plies: plies.saturating_add(plies.signum()), rounded: self.rounded }
    }

    /// The result when the fifty-move counter stands at `clock`; `None` where rounding hides whether the rule comes
    /// just in time.
    #[must_use]
    pub fn result(self, clock: u16, rule: FiftyMoveRule) -> Option<TableResult> {
        let won = match self.plies.signum() {
            0 => return Some(TableResult::Draw),
            sign => sign > 0,
        };
        let last = self.plies.unsigned_abs().saturating_add(u32::from(clock));
        // From a fresh counter tables are exact: they round only where that cannot change the result.
        let ambiguous = self.rounded && clock > 0 && last == FIFTY_MOVES;
        let in_time = match rule {
            FiftyMoveRule::Ignored => true,
            FiftyMoveRule::Honoured if ambiguous => return None,
            FiftyMoveRule::Honoured => last <= FIFTY_MOVES,
        };
        Some(match (won, in_time) {
            (true, true) => TableResult::Win,
            (true, false) => TableResult::CursedWin,
            (false, true) => TableResult::Loss,
            (false, false) => TableResult::BlessedLoss,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(plies: i32) -> Dtz {
        Dtz { plies, rounded: false }
    }

    #[test]
    fn the_counter_decides() {
        let honoured = |dtz: Dtz, clock| dtz.result(clock, FiftyMoveRule::Honoured);
        assert_eq!(honoured(exact(40), 60), Some(TableResult::Win));
        assert_eq!(honoured(exact(40), 61), Some(TableResult::CursedWin));
        assert_eq!(honoured(exact(-40), 60), Some(TableResult::Loss));
        assert_eq!(honoured(exact(-40), 61), Some(TableResult::BlessedLoss));
        assert_eq!(honoured(exact(0), 99), Some(TableResult::Draw));
        assert_eq!(exact(-40).result(61, FiftyMoveRule::Ignored), Some(TableResult::Loss));
    }

    #[test]
    fn rounding_is_admitted() {
        let rounded = Dtz { plies: 40, rounded: true };
        assert_eq!(rounded.result(60, FiftyMoveRule::Honoured), None);
        assert_eq!(rounded.result(59, FiftyMoveRule::Honoured), Some(TableResult::Win));
        assert_eq!(rounded.result(61, FiftyMoveRule::Honoured), Some(TableResult::CursedWin));
        assert_eq!(Dtz { plies: 100, rounded: true }.result(0, FiftyMoveRule::Honoured), Some(TableResult::Win));
    }

    #[test]
    fn a_ply_earlier_is_a_ply_further_for_the_other_side() {
        assert_eq!(exact(-3).one_ply_earlier(), exact(4));
        assert_eq!(exact(3).one_ply_earlier(), exact(-4));
        assert_eq!(exact(0).one_ply_earlier(), exact(0));
        assert_eq!(exact(i32::MIN + 1).one_ply_earlier(), exact(i32::MAX));
    }
}
