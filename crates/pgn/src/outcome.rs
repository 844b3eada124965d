//! How a game ended.

use std::fmt;

use kiebitz_chess::Color;

/// How a game ended, as PGN writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, abandoned, or not known.
    #[default]
    Unknown,
}

impl Outcome {
    /// Reads a termination marker or the value of a `Result` tag, with whatever dash and half sign it was written.
    ///
    /// ```
    /// use kiebitz_pgn::Outcome;
    /// assert_eq!(Outcome::from_text("1–0"), Some(Outcome::WhiteWins));
    /// assert_eq!(Outcome::from_text("2-0"), None);
    /// ```
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text.trim() {
            "1-0" | "1–0" | "1—0" => Self::WhiteWins,
            "0-1" | "0–1" | "0—1" => Self::BlackWins,
            "1/2-1/2" | "1/2–1/2" | "1/2—1/2" | "1/2" | "½-½" | "½–½" | "½—½" | "½" => Self::Draw,
            "*" => Self::Unknown,
            _ => return None,
        })
    }

    /// The marker as the PGN standard writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Who won, if anybody did.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// Whether the game has a result at all.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_round_trip() {
        for outcome in [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown] {
            assert_eq!(Outcome::from_text(outcome.as_str()), Some(outcome));
        }
    }
}
