//! Where one game ends and the next begins.
//!
//! This is the one place that decides it. Everything else works on the text of a single game, so numbering is the same
//! however a file is cut into chunks, and a broken game cannot drag its neighbour down. The rules:
//!
//! - A line that is a tag pair, outside `{comments}` and after movetext, begins a game.
//! - After an empty line a tag of the same name as the game's first tag begins a game: a game may have no moves.
//! - After an empty line, movetext without tags begins a game if the text before it ended with a result or if it
//!   starts over with `1.`. Any other empty line means nothing: people do put them between moves.
//! - A comment that is never closed, or that runs over a tag pair into another `{`, ends before that tag pair.
//! - `;` comments reach to the end of the line; lines with `%` in the first column are for other programs.

use std::ops::Range;

use crate::encoding::{self, BYTE_ORDER_MARK};
use crate::marker;
use crate::tags;

/// What the search for the next boundary came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A whole game.
    Game(Range<usize>),
    /// The buffer ends before the game does.
    NeedMore,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Before the first character of a game.
    Between,
    /// Among the tag pairs; `line_breaks` counts those since the last pair.
    Tags {
        first_name: Option<Range<usize>>,
        line_breaks: u32,
    },
    Movetext,
    /// After a `{`; no tag pair begins before `searched`.
    Comment {
        searched: usize,
    },
}

/// Finds game after game in a buffer that grows at its end and is cut at its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Splitter {
    phase: Phase,
    /// Everything before this has been looked at.
    at: usize,
    /// Where the game began.
    start: usize,
    /// Inside a `;` comment or a `%` line.
    skip_line: bool,
    /// The beginning of this game has been thrown away: any way out of it will do.
    oversized: bool,
}

impl Splitter {
    pub(crate) fn new() -> Self {
        Self { phase: Phase::Between, at: 0, start: 0, skip_line: false, oversized: false }
    }

    /// The first byte that is still needed.
    pub(crate) fn needed_from(&self) -> usize {
        if self.phase == Phase::Between { self.at } else { self.start }
    }

    /// Tells that the first `count` bytes have been cut off the buffer; they must not be needed any more.
    pub(crate) fn cut_front(&mut self, count: usize) {
        self.at -= count;
        self.start = self.start.saturating_sub(count);
        match &mut self.phase {
            Phase::Comment { searched } => *searched = searched.saturating_sub(count),
            Phase::Tags { first_name: Some(name), .. } => {
                *name = name.start.saturating_sub(count)..name.end.saturating_sub(count);
            }
            _ => {}
        }
    }

    /// Gives up on keeping this game: from here on only its end is looked for.
    ///
    /// Returns it whole if it has an end after all, because only an unclosed comment made it so long.
    pub(crate) fn give_up(&mut self, buffer: &[u8]) -> Option<Range<usize>> {
        if let Some(game) = self.escape_comment(buffer) {
            return Some(game);
        }
        self.oversized = true;
        if let Phase::Tags { first_name, .. } = &mut self.phase {
            // Only a line without end gets here.
            *first_name = None;
            self.skip_line = true;
            self.at = buffer.len();
        } else if buffer.len() - self.at > tags::PAIR_LOOK_AHEAD {
            // Blanks without end after a line break.
            self.at = buffer.len();
        }
        self.start = self.at;
        None
    }

    /// Searches on. `at_end` says that no more bytes will follow those in `buffer`.
    pub(crate) fn advance(&mut self, buffer: &[u8], at_end: bool) -> Step {
        loop {
            if self.skip_line {
                let Some(found) = memchr::memchr(b'\n', &buffer[self.at..]) else {
                    self.at = buffer.len();
                    return self.out_of_bytes(buffer, at_end);
                };
                // The line break itself matters to what comes next.
                self.at += found;
                self.skip_line = false;
            }
            let found = match self.phase {
                Phase::Between => self.between(buffer, at_end),
                Phase::Tags { .. } => self.tags(buffer, at_end),
                Phase::Movetext => self.movetext(buffer, at_end),
                Phase::Comment { .. } => self.comment(buffer, at_end),
            };
            match found {
                Some(Found::Boundary(at)) => return Step::Game(self.end_game(at)),
                Some(Found::EndOfBuffer) => return self.out_of_bytes(buffer, at_end),
                None => {}
            }
        }
    }

    fn end_game(&mut self, at: usize) -> Range<usize> {
        let game = self.start..at;
        (self.phase, self.at, self.start, self.oversized) = (Phase::Between, at, at, false);
        game
    }

    fn out_of_bytes(&mut self, buffer: &[u8], at_end: bool) -> Step {
        if !at_end {
            if self.oversized && !matches!(self.phase, Phase::Comment { .. }) {
                self.start = self.at;
            }
            return Step::NeedMore;
        }
        if let Some(game) = self.escape_comment(buffer) {
            return Step::Game(game);
        }
        self.skip_line = false;
        if self.phase == Phase::Between || self.start == buffer.len() && !self.oversized {
            self.at = buffer.len();
            return Step::NeedMore;
        }
        Step::Game(self.end_game(buffer.len()))
    }

    /// In a comment that seems to have no end: ends the game before the next tag pair.
    fn escape_comment(&mut self, buffer: &[u8]) -> Option<Range<usize>> {
        let Phase::Comment { searched } = self.phase else { return None };
        find_pair_line(&buffer[searched..]).map(|found| self.end_game(searched + found))
    }

    fn between(&mut self, buffer: &[u8], at_end: bool) -> Option<Found> {
        while let Some(&byte) = buffer.get(self.at) {
            match byte {
                // Control characters included: DOS files end with one.
                0..=b' ' => self.at += 1,
                b'%' | b';' => {
                    self.skip_line = true;
                    return None;
                }
                0xef => match byte_order_mark(&buffer[self.at..], at_end) {
                    Some(true) => self.at += BYTE_ORDER_MARK.len(),
                    Some(false) => break,
                    None => return Some(Found::EndOfBuffer),
                },
                _ => break,
            }
        }
        self.start = self.at;
        self.phase = match buffer.get(self.at) {
            None => return Some(Found::EndOfBuffer),
            Some(b'[') => Phase::Tags { first_name: None, line_breaks: 0 },
            _ => Phase::Movetext,
        };
        None
    }

    fn tags(&mut self, buffer: &[u8], at_end: bool) -> Option<Found> {
        let Phase::Tags { first_name, line_breaks } = &mut self.phase else { return None };
        loop {
            let Some(&byte) = buffer.get(self.at) else { return Some(Found::EndOfBuffer) };
            match byte {
                b'\n' => {
                    *line_breaks += 1;
                    self.at += 1;
                    if buffer.get(self.at) == Some(&b'%') {
                        self.skip_line = true;
                        return None;
                    }
                    // Whether a `%` follows must not depend on where the buffer ends.
                    if self.at == buffer.len() && !at_end {
                        *line_breaks -= 1;
                        self.at -= 1;
                        return Some(Found::EndOfBuffer);
                    }
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'[' => {
                    let rest = &buffer[self.at..];
                    let line = match memchr::memchr(b'\n', rest) {
                        Some(end) => &rest[..end],
                        None if at_end => rest,
                        None => return Some(Found::EndOfBuffer),
                    };
                    if first_name.is_some() && *line_breaks == 1 && is_whole_pair(line) {
                        *line_breaks = 0;
                        self.at += line.len();
                        continue;
                    }
                    let pair = tags::scan_pair(line);
                    let name = self.at + pair.name.start..self.at + pair.name.end;
                    match first_name {
                        Some(first) if *line_breaks > 1 && buffer[first.clone()] == buffer[name.clone()] => {
                            return Some(Found::Boundary(self.at));
                        }
                        Some(_) => {}
                        None => *first_name = Some(name),
                    }
                    *line_breaks = 0;
                    self.at += pair.end;
                }
                _ => {
                    self.phase = Phase::Movetext;
                    return None;
                }
            }
        }
    }

    fn movetext(&mut self, buffer: &[u8], at_end: bool) -> Option<Found> {
        while let Some(found) = memchr::memchr3(b'\n', b'{', b';', &buffer[self.at..]) {
            self.at += found;
            match buffer[self.at] {
                b'{' => {
                    self.at += 1;
                    self.phase = Phase::Comment { searched: self.at };
                    return None;
                }
                b';' => {
                    self.skip_line = true;
                    return None;
                }
                _ => match self.after_line(buffer, at_end) {
                    NextLine::Continues(at) => self.at = at,
                    NextLine::Escape(at) => {
                        self.at = at;
                        self.skip_line = true;
                        return None;
                    }
                    NextLine::NewGame(at) => return Some(Found::Boundary(at)),
                    // The line break stays in front of us and is looked at again with more text.
                    NextLine::Unclear => return Some(Found::EndOfBuffer),
                },
            }
        }
        self.at = buffer.len();
        Some(Found::EndOfBuffer)
    }

    /// Judges the first line with anything on it after the line break at `self.at`.
    fn after_line(&self, buffer: &[u8], at_end: bool) -> NextLine {
        let mut line = self.at + 1;
        let mut empty_line = false;
        let mut at = line;
        loop {
            match buffer.get(at) {
                None if at_end => return NextLine::Continues(at),
                None => return NextLine::Unclear,
                Some(b' ' | b'\t' | b'\r') => at += 1,
                Some(b'\n') => {
                    empty_line = true;
                    at += 1;
                    line = at;
                }
                Some(b'%') if at == line => return NextLine::Escape(at),
                Some(b'[') => {
                    return match tags::looks_like_pair(&buffer[at..]) {
                        Some(true) => NextLine::NewGame(at),
                        None if !at_end => NextLine::Unclear,
                        _ => NextLine::Continues(at),
                    };
                }
                Some(0xef) => match byte_order_mark(&buffer[at..], at_end) {
                    Some(true) => at += BYTE_ORDER_MARK.len(),
                    Some(false) => return NextLine::Continues(at),
                    None => return NextLine::Unclear,
                },
                Some(_) if !empty_line => return NextLine::Continues(at),
                Some(_) => {
                    let head = &buffer[at..buffer.len().min(at + 3)];
                    if head.len() < 3 && !at_end {
                        return NextLine::Unclear;
                    }
                    let starts_over = head.starts_with(b"1.") && !head.starts_with(b"1..");
                    if starts_over || ends_with_result(&buffer[self.start..self.at]) {
                        return NextLine::NewGame(at);
                    }
                    return NextLine::Continues(at);
                }
            }
        }
    }

    fn comment(&mut self, buffer: &[u8], at_end: bool) -> Option<Found> {
        let Phase::Comment { searched } = self.phase else { return None };
        if self.oversized
            && let Some(found) = find_pair_line(&buffer[searched..])
        {
            return Some(Found::Boundary(searched + found));
        }
        let Some(found) = memchr::memchr2(b'}', b'{', &buffer[self.at..]) else {
            self.at = buffer.len();
            if self.oversized && !at_end {
                // Nothing here; but a pair may begin in the last bytes.
                let from = buffer.len().saturating_sub(tags::PAIR_LOOK_AHEAD).max(searched);
                self.phase = Phase::Comment { searched: from };
                self.start = from;
            }
            return Some(Found::EndOfBuffer);
        };
        let mark = self.at + found;
        self.at = mark + 1;
        if buffer[mark] == b'}' {
            self.phase = Phase::Movetext;
            return None;
        }
        match find_pair_line(&buffer[searched..mark]) {
            Some(found) => Some(Found::Boundary(searched + found)),
            None => {
                self.phase = Phase::Comment { searched: mark };
                None
            }
        }
    }
}

enum Found {
    /// The game ends here, and the next begins.
    Boundary(usize),
    EndOfBuffer,
}

enum NextLine {
    Continues(usize),
    Escape(usize),
    NewGame(usize),
    Unclear,
}

/// Whether a line holds tag pairs and nothing else, as nearly all lines with tags do; cheaper than taking it apart.
fn is_whole_pair(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\"]")
}

/// The first `[` that begins a line and a tag pair.
fn find_pair_line(text: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(text, b"\n[")
        .map(|at| at + 1)
        .find(|&at| tags::looks_like_pair(&text[at..]) == Some(true))
}

/// Whether text begins with a byte order mark; `None` if it is too short to say.
fn byte_order_mark(text: &[u8], at_end: bool) -> Option<bool> {
    if text.len() >= BYTE_ORDER_MARK.len() || at_end || !BYTE_ORDER_MARK.starts_with(text) {
        return Some(text.starts_with(BYTE_ORDER_MARK));
    }
    None
}

/// Longest way to write a result, in bytes: `½—½`.
const LONGEST_RESULT: usize = 11;

fn ends_with_result(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let tail = &text[text.len().saturating_sub(LONGEST_RESULT)..];
    let word = tail.rsplit(u8::is_ascii_whitespace).next().unwrap_or(tail);
    word.ends_with(b"*") || marker::read(&encoding::decode(word)).is_some()
}

#[cfg(test)]
mod tests;
