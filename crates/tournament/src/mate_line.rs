//! Is an announced mate shown to its end?

use std::fmt;

use kiebitz_chess::{Move, Position};
use kiebitz_uci::{Info, ScoreValue, resolve_line};

/// How the variation of a mate score departs from the score. Lengths are in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MateFault {
    /// Legal, but cut off before the mate.
    Short { plies: usize, claimed: usize },
    /// Mates earlier or later than claimed.
    OtherLength { plies: usize, claimed: usize },
    /// As long as claimed, or longer, and no mate.
    NoMate { plies: usize, claimed: usize },
}

impl fmt::Display for MateFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { plies, claimed } => write!(formatter, "the line shows {plies} of {claimed} plies"),
            Self::OtherLength { plies, claimed } => {
                write!(formatter, "the line mates after {plies} plies, {claimed} are claimed")
            }
            Self::NoMate { plies, claimed } => {
                write!(formatter, "the line has {plies} plies and no mate, which is claimed after {claimed}")
            }
        }
    }
}

impl MateFault {
    /// What is wrong with a report; nothing if it holds no exact mate score, no variation or an illegal one, which is
    /// another fault.
    pub(crate) fn of(position: &Position, info: &Info) -> Option<Self> {
        let score = info.score.filter(|score| score.bound.is_none())?;
        let ScoreValue::Mate(moves) = score.value else { return None };
        if info.pv.is_empty() {
            return None;
        }
        let line = resolve_line(position, &info.pv).ok()?;
        Self::of_line(position, moves, &line)
    }

    fn of_line(position: &Position, moves: i32, line: &[Move]) -> Option<Self> {
        let length = usize::try_from(moves.unsigned_abs()).unwrap_or(usize::MAX).saturating_mul(2);
        // The side that mates also makes the last move.
        let claimed = if moves > 0 { length - 1 } else { length };
        let end = line.iter().fold(position.clone(), |position, &mv| position.after(mv));
        let plies = line.len();
        match end.is_checkmate() {
            true if plies == claimed => None,
            true => Some(Self::OtherLength { plies, claimed }),
            false if plies < claimed => Some(Self::Short { plies, claimed }),
            false => Some(Self::NoMate { plies, claimed }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_uci::EngineMessage;

    fn fault(fen: &str, line: &str) -> Option<MateFault> {
        let Some(EngineMessage::Info(info)) = EngineMessage::parse(line).message else { panic!("{line}") };
        MateFault::of(&fen.parse().unwrap(), &info)
    }

    #[test]
    fn mates_are_followed_to_their_end() {
        let in_1 = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let in_2 = "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";
        let lost = "6k1/R7/8/8/8/8/8/1R4K1 b - - 0 1";
        assert_eq!(fault(in_1, "info score mate 1 pv a1a8"), None);
        assert_eq!(fault(in_2, "info score mate 2 pv a2a7 g8f8 b1b8"), None);
        assert_eq!(fault(lost, "info score mate -1 pv g8f8 b1b8"), None);
        assert_eq!(fault(lost, "info score mate -1"), None);
        assert_eq!(fault(in_2, "info score mate 2 lowerbound pv a2a7"), None);
        assert_eq!(fault(in_2, "info score mate 2 pv a2a8"), Some(MateFault::Short { plies: 1, claimed: 3 }));
        let longer = fault(in_2, "info score mate 3 pv a2a7 g8f8 b1b8");
        assert_eq!(longer, Some(MateFault::OtherLength { plies: 3, claimed: 5 }));
        assert_eq!(fault(in_2, "info score mate 1 pv a2a7"), Some(MateFault::NoMate { plies: 1, claimed: 1 }));
        assert_eq!(
            fault(in_2, "info score mate 2147483647 pv a2a7").map(|fault| fault.to_string().len() > 9),
            Some(true)
        );
        assert!(fault(in_2, "info score mate -2147483648 pv a2a7").is_some());
    }
}
