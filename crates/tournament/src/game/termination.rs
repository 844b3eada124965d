//! Why a game ended.

use std::fmt;
use std::time::Duration;

use kiebitz_chess::{Color, Ending, Outcome};

use crate::Adjudication;

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// The rules of chess ended it.
    Rules(Ending),
    /// The players' scores ended it, or its length.
    Adjudicated(Adjudication),
    /// Endgame tablebases know the outcome.
    Tablebase(Outcome),
    /// A player's time ran out.
    TimeForfeit {
        /// Whose time.
        loser: Color,
        /// By how much, the margin included.
        late: Duration,
        /// Whether a move came at all.
        moved: bool,
        /// For how long the whole machine stood still meanwhile, if it did.
        stalled: Option<Duration>,
    },
    /// A player answered with something that is no legal move.
    IllegalMove {
        /// Who.
        loser: Color,
        /// What it said.
        reason: String,
    },
    /// A player's program ended, or became useless by flooding us.
    Crash {
        /// Who.
        loser: Color,
        /// What happened, with the program's last words.
        reason: String,
    },
    /// A player did not answer any more.
    Hang {
        /// Who.
        loser: Color,
        /// What was awaited for how long.
        reason: String,
    },
}

impl Termination {
    /// The result.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Rules(ending) => ending.outcome(),
            Self::Adjudicated(adjudication) => adjudication.outcome(),
            Self::Tablebase(outcome) => *outcome,
            Self::TimeForfeit { loser, .. }
            | Self::IllegalMove { loser, .. }
            | Self::Crash { loser, .. }
            | Self::Hang { loser, .. } => Outcome::Win(!*loser),
        }
    }

    /// Who broke the game, if somebody did: time forfeits, illegal moves, crashes and hangs.
    #[must_use]
    pub const fn culprit(&self) -> Option<Color> {
        match self {
            Self::TimeForfeit { loser, .. }
            | Self::IllegalMove { loser, .. }
            | Self::Crash { loser, .. }
            | Self::Hang { loser, .. } => Some(*loser),
            Self::Rules(_) | Self::Adjudicated(_) | Self::Tablebase(_) => None,
        }
    }

    /// Whether a player lost on time although the machine, not the player, was late: without the stall the move would
    /// have come in time.
    #[must_use]
    pub fn is_excused(&self) -> bool {
        matches!(self, Self::TimeForfeit { late, stalled: Some(stalled), .. } if stalled >= late)
    }

    /// The value of the tag `Termination` in PGN.
    #[must_use]
    pub const fn tag(&self) -> &'static str {
        match self {
            Self::Rules(_) => "normal",
            Self::Adjudicated(_) | Self::Tablebase(_) => "adjudication",
            Self::TimeForfeit { .. } => "time forfeit",
            Self::IllegalMove { .. } => "rules infraction",
            Self::Crash { .. } | Self::Hang { .. } => "abandoned",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(ending) => write!(formatter, "{ending}"),
            Self::Adjudicated(adjudication) => write!(formatter, "{adjudication}"),
            Self::Tablebase(Outcome::Draw) => formatter.write_str("draw by tablebase"),
            Self::Tablebase(Outcome::Win(winner)) => write!(formatter, "{winner} wins by tablebase"),
            Self::TimeForfeit { loser, late, moved, stalled } => {
                let without = if *moved { "" } else { ", without a move" };
                write!(formatter, "{loser} loses on time by {:.0} ms{without}", late.as_secs_f64() * 1e3)?;
                match stalled {
                    Some(stalled) => {
                        write!(formatter, ", the machine stalled for {:.0} ms", stalled.as_secs_f64() * 1e3)
                    }
                    None => Ok(()),
                }
            }
            Self::IllegalMove { loser, reason } => write!(formatter, "{loser} makes an illegal move: {reason}"),
            Self::Crash { loser, reason } => write!(formatter, "{loser} crashes: {reason}"),
            Self::Hang { loser, reason } => write!(formatter, "{loser} hangs: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stall_as_long_as_the_delay_excuses_it() {
        let loss = |late: u64, stalled: Option<u64>| Termination::TimeForfeit {
            loser: Color::White,
            late: Duration::from_millis(late),
            moved: true,
            stalled: stalled.map(Duration::from_millis),
        };
        assert!(!loss(50, None).is_excused());
        assert!(!loss(50, Some(30)).is_excused());
        assert!(loss(50, Some(50)).is_excused());
        assert_eq!(loss(50, Some(60)).outcome(), Outcome::Win(Color::Black));
        let text = "white loses on time by 50 ms, the machine stalled for 60 ms";
        assert_eq!(loss(50, Some(60)).to_string(), text);
        let hang = Termination::Hang { loser: Color::White, reason: String::new() };
        assert!(!hang.is_excused());
    }
}
