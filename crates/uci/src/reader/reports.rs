//! Reports that nobody reads one by one.
//!
//! An engine reports many times in a search, and each report wakes up whoever waits for its move. A game needs only the last
//! one on the first choice, so they are counted and kept as they come, and looked at from the end when the move is there.

use std::time::Instant;

use super::Line;

/// Beyond so many bytes the reports that are kept are looked at, and only the one that may be needed stays.
const MOST_BYTES: usize = 16 * 1024;

/// Counts reports and keeps those of which the last one may be needed.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    count: u64,
    /// One to a line.
    unread: String,
    /// When the last one arrived; none if none is kept.
    at: Option<Instant>,
}

impl Reports {
    /// Takes a line if it is a report.
    #[cfg(any(unix, test))]
    pub(super) fn take(&mut self, text: &str, at: Instant) -> bool {
        if !is_report(text) {
            return false;
        }
        self.count += 1;
        if self.unread.len() + text.len() > MOST_BYTES {
            let last = self.last().to_owned();
            self.unread = last;
            self.unread.push('\n');
        }
        self.unread.push_str(text);
        self.unread.push('\n');
        self.at = Some(at);
        true
    }

    /// The last one on the first choice; empty if there is none.
    fn last(&self) -> &str {
        self.unread.rsplit('\n').find(|report| looks_like_main_line(report)).unwrap_or_default()
    }

    /// How many there were since this was asked last, and the last one on the first choice, without its line of moves if
    /// that stands at the end.
    pub(crate) fn collect(&mut self) -> (u64, Option<Line>) {
        let last = self.at.take().map(|at| (self.last(), at)).filter(|(text, _)| !text.is_empty());
        let line = last.map(|(text, at)| Line { text: without_moves(text).to_owned(), at, complaints: Vec::new() });
        self.unread.clear();
        (std::mem::take(&mut self.count), line)
    }
}

/// A report without its line of moves, if nothing but moves follows there: they are half of what there is to read, and games
/// do not need them.
fn without_moves(report: &str) -> &str {
    match report.split_once(" pv ") {
        Some((before, moves)) if moves.split_ascii_whitespace().all(looks_like_move) => before,
        _ => report,
    }
}

fn looks_like_move(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8']
            | [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', b'q' | b'r' | b'b' | b'n']
    )
}

/// Whether a line is a report.
pub(crate) fn is_report(text: &str) -> bool {
    text.starts_with("info ") || text.split_ascii_whitespace().next() == Some("info")
}

/// Whether a report has a score and is about the first choice, as far as can be told without reading it.
pub(crate) fn looks_like_main_line(report: &str) -> bool {
    let mut words = report.split_ascii_whitespace().take_while(|&word| word != "pv" && word != "string");
    let (mut has_score, mut is_first) = (false, false);
    while let Some(word) = words.next() {
        match word {
            "score" => has_score = true,
            "multipv" if words.next() != Some("1") => return false,
            "multipv" => is_first = true,
            _ => {}
        }
        // Nothing behind can change it, and reports are long.
        if has_score && is_first {
            return true;
        }
    }
    has_score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::EngineMessage;

    #[test]
    fn the_last_main_line_is_kept_however_much_follows() {
        let mut reports = Reports::default();
        let at = Instant::now();
        assert!(reports.take("info score cp 1", at));
        assert!(reports.take("info score cp 2 pv e2e4", at));
        for number in 0..5_000 {
            assert!(reports.take(&format!("info depth 9 currmove e2e4 currmovenumber {number}"), at));
            assert!(reports.unread.len() <= 2 * MOST_BYTES);
        }
        assert!(!reports.take("bestmove e2e4", at));
        let (count, last) = reports.collect();
        assert_eq!((count, last.unwrap().text.as_str()), (5_002, "info score cp 2"));
        assert_eq!(reports.collect(), (0, None));
        assert!(reports.take("info string x", at));
        assert_eq!(reports.collect(), (1, None));
    }

    #[test]
    fn only_scores_of_the_first_choice_count() {
        for (report, expected) in [
            ("info depth 9 seldepth 12 multipv 1 score cp 20 nodes 5 pv e2e4 e7e5", true),
            ("info score mate -3", true),
            ("info depth 9 multipv 2 score cp 20 pv e2e4", false),
            ("info depth 9 currmove e2e4 currmovenumber 1", false),
            ("info string score cp 20", false),
            ("info depth 1 pv score cp 20", false),
            ("info", false),
            ("", false),
        ] {
            assert_eq!(looks_like_main_line(report), expected, "{report}");
            // The real reading agrees.
            if let Some(EngineMessage::Info(info)) = EngineMessage::parse(report).message
                && !report.contains("pv score")
            {
                assert_eq!(info.is_main_line(), expected, "{report}");
            }
        }
    }

    #[test]
    fn moves_are_left_out_only_where_nothing_is_lost() {
        for (report, expected) in [
            ("info depth 9 score cp 20 nodes 5 pv e2e4 e7e8q", "info depth 9 score cp 20 nodes 5"),
            ("info score cp 20 pv e2e4 nodes 5", "info score cp 20 pv e2e4 nodes 5"),
            ("info score cp 20 pv e2e4 Nf3", "info score cp 20 pv e2e4 Nf3"),
            ("info score cp 20 pv", "info score cp 20 pv"),
            ("info score cp 20", "info score cp 20"),
        ] {
            assert_eq!(without_moves(report), expected);
        }
    }

    #[test]
    fn the_last_main_line_is_kept_and_all_are_counted() {
        let mut reports = Reports::default();
        let at = Instant::now();
        for line in ["info depth 1 score cp 5", "  info depth 2 score cp 7 pv e2e4", "info depth 3 currmove e2e4"] {
            assert!(reports.take(line, at), "{line}");
        }
        for line in ["bestmove e2e4", "readyok", "information", ""] {
            assert!(!reports.take(line, at), "{line}");
        }
        let (count, line) = reports.collect();
        assert_eq!((count, line.unwrap().text.as_str()), (3, "  info depth 2 score cp 7"));
        assert_eq!(reports.collect(), (0, None));
    }
}
