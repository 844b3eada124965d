//! A search that was answered, kept for later checks.

use std::time::Duration;

use kiebitz_chess::CastlingForm;
use kiebitz_uci::{BestMove, Complaint, Info};

use super::asked::Asked;

/// Longest line that is shown, in characters.
const SHOWN_CHARACTERS: usize = 400;

/// A search that was answered.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) asked: Asked,
    /// The `go` line.
    pub(super) go: String,
    /// How castling had to be written.
    pub(super) form: CastlingForm,
    /// Every report, with its line.
    pub(super) infos: Vec<(Info, String)>,
    /// Everything that was odd about its lines.
    pub(super) complaints: Vec<(Complaint, String)>,
    pub(super) best: BestMove,
    pub(super) best_line: String,
    pub(super) elapsed: Duration,
}

impl Search {
    /// The question and the answer, for a failure that is not about a report.
    pub(super) fn shown(&self) -> Vec<String> {
        let mut lines = vec![format!("> {}", self.asked.command), format!("> {}", self.go)];
        lines.extend(self.infos.last().map(|(_, line)| shown('<', line)));
        lines.push(shown('<', &self.best_line));
        lines
    }

    /// The question and one of the answers to it.
    pub(super) fn shown_with(&self, line: &str) -> Vec<String> {
        vec![format!("> {}", self.asked.command), format!("> {}", self.go), shown('<', line)]
    }
}

/// A line with a mark that tells who said it, cut off where nobody would read on.
pub(super) fn shown(mark: char, line: &str) -> String {
    let mut text: String = format!("{mark} ").chars().chain(line.chars().take(SHOWN_CHARACTERS)).collect();
    if line.chars().nth(SHOWN_CHARACTERS).is_some() {
        text.push('…');
    }
    text
}
