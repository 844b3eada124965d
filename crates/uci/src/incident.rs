//! What an engine did wrong without ending the conversation.

use thiserror::Error;

use crate::complaint::Complaint;
use crate::message::BestMove;
use crate::move_text::MoveText;

/// Incidents that are kept; a broken engine repeats itself, and only the number of further ones is of interest.
const CAPACITY: usize = 256;

/// Something to be reported, though the game goes on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Incident {
    /// A line departs from the protocol.
    #[error("{complaint}, in '{line}'")]
    Complaint {
        /// The beginning of the line.
        line: String,
        /// What is wrong with it.
        complaint: Complaint,
    },
    /// An answer nobody had asked for, or a second one; it was ignored.
    #[error("unasked '{0}'")]
    UnaskedBestMove(BestMove),
    /// The answer to a search that had been given up; it was ignored.
    #[error("late '{0}', to an earlier search")]
    StaleBestMove(BestMove),
    /// An answer to `go infinite` or `go ponder` before `stop` or `ponderhit`; it was taken all the same.
    #[error("'{0}' before stop or ponderhit")]
    PrematureBestMove(BestMove),
    /// `readyok` without `isready`.
    #[error("unasked readyok")]
    UnaskedReadyOk,
    /// The move to ponder on is not legal after the best move; it was ignored.
    #[error("cannot ponder on {0}: not legal after the best move")]
    IllegalPonder(MoveText),
    /// Castling written in the form of the other kind of chess; it was understood.
    #[error("castling written as {0}")]
    CastlingForm(MoveText),
    /// A message that belongs to the introduction, or one of copy protection or registration with bad news.
    #[error("'{0}' at this time")]
    OutOfPlace(String),
}

/// A list of incidents that cannot grow without end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Incidents {
    /// The first ones.
    pub list: Vec<Incident>,
    /// How many more there were.
    pub omitted: u64,
}

impl Incidents {
    pub(crate) fn push(&mut self, incident: Incident) {
        if self.list.len() < CAPACITY {
            self.list.push(incident);
        } else {
            self.omitted += 1;
        }
    }

    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
