//! What the two sides say to each other, as values.
//!
//! `Display` writes a message, without the line break; `parse` reads one. Reading follows the specification:
//! unknown words are passed over, also at the beginning of a line, and white space does not matter. What is
//! passed over or bent is listed as [`Complaint`]s.
//!
//! **Law:** what is written is read back the same, and without complaint, as long as texts hold no line breaks
//! and no keyword of their message.

mod bestmove;
mod engine;
mod go;
mod gui;
mod info;
mod option;
mod position;

pub use bestmove::BestMove;
pub use engine::{EngineMessage, Id, Verdict};
pub use go::{Clock, Go};
pub use gui::{GuiMessage, Register};
pub use info::{Bound, CurrentLine, Info, ScoreReport, ScoreValue};
pub(crate) use option::same_name;
pub use option::{EMPTY_TEXT, OptionDeclaration, OptionError, OptionKind, find_option};
pub use position::{PositionError, PositionMessage, StartPosition};

use crate::complaint::{Complaint, excerpt};
use crate::word::Words;

/// What was read from a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed<M> {
    /// The message; none if the line is blank or holds nothing that could be understood.
    pub message: Option<M>,
    /// What was wrong with the line.
    pub complaints: Vec<Complaint>,
}

impl<M> Parsed<M> {
    /// The message, if there was nothing to complain of.
    #[must_use]
    pub fn faultless(self) -> Option<M> {
        self.message.filter(|_| self.complaints.is_empty())
    }
}

/// Finds the word that begins a message and has the rest read by `read`.
fn parse_line<M>(line: &str, leading: &[&str], read: impl FnOnce(&str, &mut Words<'_>) -> Option<M>) -> Parsed<M> {
    let mut words = Words::new(line);
    if words.peek().is_none() {
        return Parsed { message: None, complaints: Vec::new() };
    }
    let skipped = words.text_until(|word| leading.contains(&word));
    let message = match words.next() {
        None => {
            words.complain(Complaint::UnknownMessage { line: excerpt(&skipped) });
            None
        }
        Some(first) => {
            if !skipped.is_empty() {
                words.complain(Complaint::UnknownToken { token: excerpt(&skipped) });
            }
            let message = read(first, &mut words);
            words.expect_end();
            message
        }
    };
    Parsed { message, complaints: words.into_complaints() }
}
