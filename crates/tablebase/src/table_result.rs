//! Who wins, as tables know it.

use std::fmt;
use std::ops::Neg;

use kiebitz_chess::{Color, Outcome};

/// What best play makes of a position, from the view of the side to move, worst first.
///
/// The two results between draw and win exist because of the fifty-move rule: the winning side needs more than fifty
/// moves before it can capture or move a pawn, so that the defender may claim a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TableResult {
    /// Lost.
    Loss,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// Whether fifty moves without capture or pawn move end a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FiftyMoveRule {
    /// They do, as in every real game.
    #[default]
    Honoured,
    /// They do not, as in analysis and in correspondence chess with tables.
    Ignored,
}

impl TableResult {
    /// The same result where the fifty-move rule is ignored: wins stay wins however long they take.
    #[must_use]
    pub const fn under(self, rule: FiftyMoveRule) -> Self {
        match (rule, self) {
            (FiftyMoveRule::Honoured, result) => result,
            (FiftyMoveRule::Ignored, Self::BlessedLoss) => Self::Loss,
            (FiftyMoveRule::Ignored, Self::CursedWin) => Self::Win,
            (FiftyMoveRule::Ignored, result) => result,
        }
    }

    /// How the game ends if `mover` is to move; what the fifty-move rule saves is a draw.
    #[must_use]
    pub fn outcome(self, mover: Color) -> Outcome {
        match self {
            Self::Win => Outcome::Win(mover),
            Self::Loss => Outcome::Win(!mover),
            Self::BlessedLoss | Self::Draw | Self::CursedWin => Outcome::Draw,
        }
    }
}

/// The same result from the other side.
impl Neg for TableResult {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for TableResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [TableResult; 5] =
        [TableResult::Loss, TableResult::BlessedLoss, TableResult::Draw, TableResult::CursedWin, TableResult::Win];

    #[test]
    fn changing_sides_turns_the_order_around() {
        for a in ALL {
            assert_eq!(-(-a), a);
            for b in ALL {
                assert_eq!(a < b, -b < -a);
            }
        }
    }

    #[test]
    fn the_fifty_move_rule_makes_draws() {
        assert_eq!(TableResult::CursedWin.outcome(Color::Black), Outcome::Draw);
        let unlimited = TableResult::CursedWin.under(FiftyMoveRule::Ignored);
        assert_eq!(unlimited.outcome(Color::Black), Outcome::Win(Color::Black));
        assert_eq!(
            TableResult::BlessedLoss.under(FiftyMoveRule::Ignored).outcome(Color::Black),
            Outcome::Win(Color::White)
        );
    }
}
