//! `bestmove`: the answer to a search.

use std::fmt;

use crate::MoveText;
use crate::complaint::Complaint;
use crate::word::Words;

/// The move an engine chose, as text: only the position it was asked about can say whether it is legal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BestMove {
    /// The move; none for `(none)` or `0000`. A `bestmove` without a word holds an unreadable empty one.
    pub best: Option<MoveText>,
    /// The answer the engine would like to ponder on.
    pub ponder: Option<MoveText>,
}

impl BestMove {
    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let best = match words.peek() {
            Some("(none)" | "0000") => {
                words.next();
                None
            }
            None => {
                words.complain(Complaint::Missing { field: "bestmove" });
                Some(MoveText::from(""))
            }
            Some(_) => words.one_move("bestmove", |word| word == "ponder").or_else(|| Some(MoveText::from(""))),
        };
        if let Some(word) = words.peek().filter(|&word| word != "ponder") {
            words.skip_unknown(word, |word| word == "ponder");
        }
        let ponder = match words.next() {
            Some(_) if matches!(words.peek(), Some("(none)" | "0000")) => {
                words.next();
                None
            }
            Some(_) => words.one_move("ponder", |_| false),
            None => None,
        };
        Self { best, ponder }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.best {
            Some(best) => write!(formatter, "bestmove {best}")?,
            None => formatter.write_str("bestmove (none)")?,
        }
        self.ponder.iter().try_for_each(|ponder| write!(formatter, " ponder {ponder}"))
    }
}
