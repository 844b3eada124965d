//! Lines from pieces of any size.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::complaint::Complaint;
use crate::limits::Limits;

/// A line without end is given up after so many times its allowed length.
const ENDLESS_LINE_FACTOR: usize = 256;
/// The time over which lines are counted.
const FLOOD_WINDOW: Duration = Duration::from_secs(1);

/// Whether more is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    On,
    /// Too many lines, or a line without end.
    Flood,
    /// Whoever the lines were for has gone.
    Unwanted,
}

/// A complete line, before anybody has decided to keep it.
pub(super) struct CompleteLine<'a> {
    pub(super) text: &'a str,
    pub(super) complaints: Vec<Complaint>,
}

/// Who takes lines; `false` if no more are wanted.
type Taker<'a> = &'a mut dyn FnMut(CompleteLine<'_>) -> bool;

/// Puts lines together from pieces of any size.
pub(super) struct LineAssembler {
    longest_line: usize,
    lines_per_second: u32,
    line: Vec<u8>,
    /// Bytes of the current line that were thrown away; its beginning is already delivered.
    discarded: Option<usize>,
    window: Option<Instant>,
    lines_in_window: u32,
}

impl LineAssembler {
    pub(super) fn new(limits: &Limits) -> Self {
        let (longest_line, lines_per_second) = (limits.longest_line, limits.lines_per_second);
        Self { longest_line, lines_per_second, line: Vec::new(), discarded: None, window: None, lines_in_window: 0 }
    }

    /// Takes bytes that arrived at a moment, and delivers the lines they complete until one is not wanted.
    pub(super) fn take(&mut self, bytes: &[u8], at: Instant, deliver: Taker<'_>) -> Flow {
        let mut rest = bytes;
        while let Some(length) = memchr::memchr(b'\n', rest) {
            let (piece, behind) = rest.split_at(length);
            rest = behind.get(1..).unwrap_or_default();
            let is_whole = self.line.is_empty() && self.discarded.is_none() && piece.len() <= self.longest_line;
            // Most lines come in one piece, and need not be copied.
            let flow = if is_whole { hand_over(piece, deliver) } else { self.extend(piece, deliver) };
            if flow != Flow::On {
                return flow;
            }
            let flow = if is_whole { self.count(at) } else { self.end_line(at, deliver) };
            if flow != Flow::On {
                return flow;
            }
        }
        self.extend(rest, deliver)
    }

    fn extend(&mut self, piece: &[u8], deliver: Taker<'_>) -> Flow {
        if let Some(discarded) = &mut self.discarded {
            *discarded += piece.len();
            let endless = self.longest_line.saturating_mul(ENDLESS_LINE_FACTOR);
            return if *discarded > endless { Flow::Flood } else { Flow::On };
        }
        let room = self.longest_line - self.line.len();
        let (kept, rest) = piece.split_at(piece.len().min(room));
        self.line.extend_from_slice(kept);
        if rest.is_empty() {
            return Flow::On;
        }
        // Delivered at once and not at its end, which may never come.
        self.discarded = Some(rest.len());
        let text = String::from_utf8_lossy(&self.line);
        let complaints = vec![Complaint::LineTooLong { limit: self.longest_line }];
        let is_wanted = deliver(CompleteLine { text: text.trim_end_matches('\r'), complaints });
        self.line.clear();
        if is_wanted { Flow::On } else { Flow::Unwanted }
    }

    fn end_line(&mut self, at: Instant, deliver: Taker<'_>) -> Flow {
        if self.discarded.take().is_none() {
            let flow = hand_over(&self.line, deliver);
            self.line.clear();
            if flow != Flow::On {
                return flow;
            }
        }
        self.count(at)
    }

    /// Counts a line that has ended.
    fn count(&mut self, at: Instant) -> Flow {
        if self.window.is_none_or(|start| at.saturating_duration_since(start) >= FLOOD_WINDOW) {
            self.window = Some(at);
            self.lines_in_window = 0;
        }
        self.lines_in_window += 1;
        if self.lines_in_window > self.lines_per_second { Flow::Flood } else { Flow::On }
    }

    /// Delivers what stands behind the last line break when the stream ends.
    pub(super) fn finish(&mut self, deliver: Taker<'_>) -> Flow {
        if self.line.is_empty() {
            return Flow::On;
        }
        let flow = hand_over(&self.line, deliver);
        self.line.clear();
        flow
    }
}

fn hand_over(bytes: &[u8], deliver: Taker<'_>) -> Flow {
    let (text, complaints) = match str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), Vec::new()),
        Err(_) => (String::from_utf8_lossy(bytes), vec![Complaint::NotUtf8]),
    };
    if deliver(CompleteLine { text: text.trim_end_matches('\r'), complaints }) { Flow::On } else { Flow::Unwanted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Line;

    fn lines(chunks: &[&[u8]], longest_line: usize) -> (Vec<Line>, Flow) {
        let limits = Limits { longest_line, lines_per_second: 1000, ..Limits::default() };
        let mut assembler = LineAssembler::new(&limits);
        let mut lines = Vec::new();
        let at = Instant::now();
        let mut keep = |line: CompleteLine<'_>| {
            lines.push(Line { text: line.text.to_owned(), at, complaints: line.complaints });
            true
        };
        let mut flow = Flow::On;
        for chunk in chunks {
            flow = assembler.take(chunk, at, &mut keep);
            if flow != Flow::On {
                break;
            }
        }
        if flow == Flow::On {
            assembler.finish(&mut keep);
        }
        (lines, flow)
    }

    #[test]
    fn pieces_of_any_size_become_the_same_lines() {
        let text = b"id name X\r\n\nuciok\nlast";
        let (whole, _) = lines(&[text], 100);
        let texts: Vec<_> = whole.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["id name X", "", "uciok", "last"]);
        let single: Vec<&[u8]> = text.chunks(1).collect();
        let (bytewise, _) = lines(&single, 100);
        assert_eq!(bytewise.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), texts);
    }

    #[test]
    fn a_long_line_is_cut_once_and_the_next_one_is_whole() {
        let (lines, flow) = lines(&[b"0123456789abc", b"def", b"\nnext\n"], 10);
        assert_eq!(flow, Flow::On);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].text, "0123456789");
        assert_eq!(lines[0].complaints, [Complaint::LineTooLong { limit: 10 }]);
        assert_eq!((lines[1].text.as_str(), lines[1].complaints.len()), ("next", 0));
    }

    #[test]
    fn a_line_without_end_is_a_flood() {
        let chunk = [b'x'; 100];
        let chunks: Vec<&[u8]> = vec![&chunk; 100];
        let (lines, flow) = lines(&chunks, 10);
        assert_eq!((lines.len(), flow), (1, Flow::Flood));
    }

    #[test]
    fn too_many_lines_in_a_second_are_a_flood() {
        let (lines, flow) = lines(&[&[b'\n'; 5000]], 10);
        assert_eq!((lines.len(), flow), (1001, Flow::Flood));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let (lines, _) = lines(&[b"id name \xff\xfe\n"], 100);
        assert_eq!(lines[0].complaints, [Complaint::NotUtf8]);
        assert!(lines[0].text.starts_with("id name "));
    }
}
