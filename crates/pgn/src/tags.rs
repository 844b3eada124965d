//! The tag pairs of a game: `[White "Kasparov, G"]`.
//!
//! Reading is lenient where the meaning is plain (blanks, missing or unescaped quotation marks); writing is strict.

use std::fmt;
use std::ops::Range;

use kiebitz_chess::Outcome;

use crate::encoding;
use crate::marker;

/// The seven tags that every exported game has, in their order, with the value that stands for "not known".
pub const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tag pairs of a game, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// Names and values, and whatever stood between them in the file: a whole section is copied at once.
    text: String,
    pairs: Vec<Pair>,
}

/// Where name and value are in the text of [`Tags`].
#[derive(Clone, Debug)]
struct Pair {
    name: Range<usize>,
    value: Range<usize>,
}

impl Tags {
    /// No tags.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Name and value of every tag, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.pairs.iter().map(|pair| (&self.text[pair.name.clone()], &self.text[pair.value.clone()]))
    }

    /// How many tags there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The value of the first tag of that name. Upper and lower case are the same, as some programs write `Fen`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|pair| self.is_named(pair, name))?;
        Some(&self.text[pair.value.clone()])
    }

    fn is_named(&self, pair: &Pair, name: &str) -> bool {
        pair.name.len() == name.len() && self.text[pair.name.clone()].eq_ignore_ascii_case(name)
    }

    /// Like [`Self::get`], but `None` for the ways to say that nothing is known: `?`, `-`, `????.??.??` and nothing.
    #[must_use]
    pub fn known(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' ')))
    }

    /// Sets a tag, in place where it exists, else at the end. White space in the value becomes single spaces.
    ///
    /// Returns whether the name is one PGN can write (letters, digits and `_+#=:-`); otherwise nothing happens.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        if !is_tag_name(name.as_bytes()) {
            return false;
        }
        let value = self.append(&encoding::one_line(value));
        match self.pairs.iter().position(|pair| self.is_named(pair, name)) {
            Some(index) => self.pairs[index].value = value,
            None => {
                let name = self.append(name);
                self.pairs.push(Pair { name, value });
            }
        }
        true
    }

    /// Removes every tag of that name.
    pub fn remove(&mut self, name: &str) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.retain(|pair| !self.is_named(pair, name));
        self.pairs = pairs;
    }

    fn append(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// White's name, if known.
    #[must_use]
    pub fn white(&self) -> Option<&str> {
        self.known("White")
    }

    /// Black's name, if known.
    #[must_use]
    pub fn black(&self) -> Option<&str> {
        self.known("Black")
    }

    /// The event, if known.
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.known("Event")
    }

    /// The date as written (`1997.05.11`, parts may be `??`), if anything of it is known.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.known("Date")
    }

    /// The year of the date.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.get("Date")?.get(..4)?.parse().ok()
    }

    /// White's rating.
    #[must_use]
    pub fn white_elo(&self) -> Option<u16> {
        self.get("WhiteElo")?.trim().parse().ok()
    }

    /// Black's rating.
    #[must_use]
    pub fn black_elo(&self) -> Option<u16> {
        self.get("BlackElo")?.trim().parse().ok()
    }

    /// The result; `None` where the tag is missing or is no result.
    #[must_use]
    pub fn result(&self) -> Option<Outcome> {
        self.get("Result").and_then(marker::read).flatten()
    }

    /// The time control as written: `180+2`, `40/7200:20/3600:900+30`.
    #[must_use]
    pub fn time_control(&self) -> Option<&str> {
        self.known("TimeControl")
    }

    /// How the game came to its end: `Normal`, `Time forfeit`, `adjudication`.
    #[must_use]
    pub fn termination(&self) -> Option<&str> {
        self.known("Termination")
    }

    /// The FEN of a game that does not begin at the beginning.
    #[must_use]
    pub fn fen(&self) -> Option<&str> {
        self.known("FEN")
    }

    /// One line that says which game this is: `Kasparov – Deep Blue, New York 1997`.
    #[must_use]
    pub fn headline(&self) -> String {
        let mut line = format!("{} – {}", self.white().unwrap_or("?"), self.black().unwrap_or("?"));
        if let Some(event) = self.event() {
            line.push_str(", ");
            line.push_str(event);
        }
        if let Some(year) = self.year().filter(|_| self.date().is_some()) {
            line.push_str(&format!(" {year}"));
        }
        line
    }

    /// The tags as an exported game has them: the whole roster first, then the rest by name, each once.
    #[must_use]
    pub fn into_export_order(self) -> Self {
        let mut ordered = Self::new();
        for (name, unknown) in SEVEN_TAG_ROSTER {
            let value = self.get(name).map(encoding::one_line).filter(|value| !value.is_empty());
            ordered.set(name, value.as_deref().unwrap_or(unknown));
        }
        let mut rest: Vec<(&str, &str)> = self.iter().collect();
        // Stable, so that of two tags of one name the first stays the first.
        rest.sort_by_key(|&(name, _)| name);
        for (name, value) in rest {
            if ordered.get(name).is_none() {
                ordered.set(name, value);
            }
        }
        ordered
    }

    /// Reads the tags at the beginning of a game's text instead of what was here; returns where its movetext begins.
    pub(crate) fn read(&mut self, text: &[u8]) -> usize {
        self.text.clear();
        self.pairs.clear();
        let mut at = 0;
        loop {
            match text.get(at) {
                Some(b'[') => {
                    let pair = scan_pair(&text[at..]);
                    if !pair.name.is_empty() {
                        let place = |range: Range<usize>| at + range.start..at + range.end;
                        self.pairs.push(Pair { name: place(pair.name), value: place(pair.value) });
                    }
                    at += pair.end;
                }
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'%') if at > 0 && text[at - 1] == b'\n' => {
                    at += memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at);
                }
                _ => break,
            }
        }
        let section = &text[..at];
        // Nearly every section is printable ASCII without escapes and is taken over as it is.
        let plain = section
            .iter()
            .fold(true, |plain, &byte| plain & (matches!(byte, b' '..=b'~' | b'\n' | b'\r') & (byte != b'\\')));
        match str::from_utf8(section) {
            Ok(section) if plain => self.text.push_str(section),
            _ => self.take_over_decoded(section),
        }
        at
    }

    #[cold]
    fn take_over_decoded(&mut self, section: &[u8]) {
        for mut pair in std::mem::take(&mut self.pairs) {
            let value = encoding::one_line(&unescape(&encoding::decode(&section[pair.value])));
            pair.name = self.append(&encoding::decode(&section[pair.name]));
            pair.value = self.append(&value);
            self.pairs.push(pair);
        }
    }
}

impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Tags {}

impl fmt::Display for Tags {
    /// One pair a line, quotation marks and backslashes escaped.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.iter() {
            write!(formatter, "[{name} \"")?;
            for c in value.chars() {
                if matches!(c, '"' | '\\') {
                    formatter.write_str("\\")?;
                }
                write!(formatter, "{c}")?;
            }
            formatter.write_str("\"]\n")?;
        }
        Ok(())
    }
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        // A lone backslash is meant as one: paths and markup occur in old files.
        let escape = c == '\\' && matches!(characters.peek(), Some('"' | '\\'));
        plain.push(if escape { characters.next().unwrap_or(c) } else { c });
    }
    plain
}

static TAG_SYMBOLS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'+' | b'#' | b'=' | b':' | b'-');
        byte += 1;
    }
    table
};

#[inline(always)]
fn is_tag_symbol(byte: u8) -> bool {
    TAG_SYMBOLS[byte as usize]
}

fn is_tag_name(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphanumeric) && name.iter().all(|&byte| is_tag_symbol(byte))
}

/// Where the parts of a tag pair are in a line.
pub(crate) struct TagPair {
    /// Empty where there is no name to speak of: the pair is to be ignored.
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    /// After the `]`, or the line break where there is no `]`.
    pub(crate) end: usize,
}

/// Takes a tag pair apart. `text` begins with `[`; nothing after the first line break is looked at.
pub(crate) fn scan_pair(text: &[u8]) -> TagPair {
    let mut at = 1 + blanks(&text[1..]);
    let name_start = at;
    at += text[at..].iter().take_while(|&&byte| is_tag_symbol(byte)).count();
    let name = name_start..at;
    at += blanks(&text[at..]);
    if text.get(at) == Some(&b'"') {
        let start = at + 1;
        let mut look = start;
        let mut last_quote = None;
        while let Some(found) = memchr::memchr3(b'"', b'\\', b'\n', &text[look..]) {
            let mark = look + found;
            match text[mark] {
                b'\n' => return unclosed(text, name, start, mark, last_quote),
                b'\\' => {
                    // The escaped character is skipped, unless it ends the line.
                    look = mark + 1 + usize::from(matches!(text.get(mark + 1), Some(b'"' | b'\\')));
                }
                _ => {
                    // A quotation mark that is not followed by `]` was meant as part of the value.
                    let after = mark + 1 + blanks(&text[mark + 1..]);
                    if text.get(after) == Some(&b']') {
                        return TagPair { name, value: start..mark, end: after + 1 };
                    }
                    last_quote = Some(mark);
                    look = mark + 1;
                }
            }
        }
        return unclosed(text, name, start, text.len(), last_quote);
    }
    // Without quotation marks the value ends at the bracket or with the line.
    let end = memchr::memchr2(b']', b'\n', &text[at..]).map_or(text.len(), |found| at + found);
    let value = at..at + text[at..end].trim_ascii_end().len();
    TagPair { name, value, end: end + usize::from(text.get(end) == Some(&b']')) }
}

fn unclosed(text: &[u8], name: Range<usize>, start: usize, end: usize, last_quote: Option<usize>) -> TagPair {
    let cut = last_quote.unwrap_or_else(|| {
        let line = text[start..end].trim_ascii_end();
        start + line.strip_suffix(b"]").unwrap_or(line).len()
    });
    TagPair { name, value: start..cut, end }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count()
}

/// Whether a line that begins with `[` is a tag pair beyond doubt: name, blank, quotation mark.
///
/// `None` when the text ends before that can be said, which never takes more than [`PAIR_LOOK_AHEAD`] bytes. This is
/// what tells the beginning of a game from stray brackets in movetext, so it is stricter than [`scan_pair`].
pub(crate) fn looks_like_pair(text: &[u8]) -> Option<bool> {
    let text = &text[..text.len().min(PAIR_LOOK_AHEAD)];
    let start = 1 + blanks(text.get(1..)?);
    let end = start + text[start..].iter().take_while(|&&byte| is_tag_symbol(byte)).count();
    match text.get(end + blanks(&text[end..])) {
        Some(b'"') => Some(is_tag_name(&text[start..end])),
        Some(_) => Some(false),
        // Longer names are noise.
        None => (text.len() == PAIR_LOOK_AHEAD).then_some(false),
    }
}

/// How much of a line decides whether it is a tag pair, in bytes.
pub(crate) const PAIR_LOOK_AHEAD: usize = 512;

#[cfg(test)]
mod tests;
