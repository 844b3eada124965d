//! What was wrong with a line that could be read all the same.

use thiserror::Error;

/// Longest piece of a line that a complaint repeats, in characters.
const EXCERPT: usize = 40;

/// A departure from the protocol that did not stop the reading.
///
/// The specification asks both sides to ignore what they do not understand. A match should do that and go on; a
/// conformance checker should tell. So reading never fails, but keeps a list of these.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Error)]
pub enum Complaint {
    /// No word of the line begins a message.
    #[error("'{line}' is no message of the protocol")]
    UnknownMessage {
        /// The beginning of the line.
        line: String,
    },
    /// A word that means nothing here; what follows it, up to the next known word, was skipped too.
    #[error("unknown word '{token}'")]
    UnknownToken {
        /// The word.
        token: String,
    },
    /// A known word where it has no meaning, such as a bound without a score.
    #[error("'{token}' has no meaning here")]
    Misplaced {
        /// The word.
        token: String,
    },
    /// A number with a dot or an exponent, or no number at all. Counts are rounded down, scores are dropped.
    #[error("{field}: '{token}' is not an integer")]
    NotAnInteger {
        /// What the number is, in the protocol's word.
        field: &'static str,
        /// What stands there.
        token: String,
    },
    /// A number beyond what it can sensibly be.
    #[error("{field}: {token} is out of range")]
    OutOfRange {
        /// What the number is, in the protocol's word.
        field: &'static str,
        /// What stands there.
        token: String,
    },
    /// A field that was given before; the last one counts.
    #[error("{field} is given twice")]
    Duplicate {
        /// The field, in the protocol's word.
        field: &'static str,
    },
    /// A field without its value, or a message without an obligatory field.
    #[error("{field} is missing or has no value")]
    Missing {
        /// The field, in the protocol's word.
        field: &'static str,
    },
    /// A value outside the few words that are allowed, such as `default yes` of a check box.
    #[error("{field}: '{token}' is not one of the allowed values")]
    NotAllowed {
        /// The field, in the protocol's word.
        field: &'static str,
        /// What stands there.
        token: String,
    },
    /// A word among moves that is no move; see [`crate::MoveText`].
    #[error("{field}: '{token}' is not a move")]
    NotAMove {
        /// The field, in the protocol's word.
        field: &'static str,
        /// What stands there.
        token: String,
    },
    /// Chances to win, draw and lose that do not sum to a thousand; they are dropped.
    #[error("wdl: {win} {draw} {loss} do not sum to 1000")]
    WdlSum {
        /// Thousandths to win.
        win: u16,
        /// Thousandths to draw.
        draw: u16,
        /// Thousandths to lose.
        loss: u16,
    },
    /// Bytes that are not UTF-8; they were replaced.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// A line so long that only its beginning was kept.
    #[error("a line is longer than {limit} bytes")]
    LineTooLong {
        /// How many bytes were kept.
        limit: usize,
    },
}

/// The beginning of a text that may be long and hostile.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(EXCERPT).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
