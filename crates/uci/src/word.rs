//! A line as a row of words, and what all messages do with them.
//!
//! Words are separated by ASCII white space only: a path may contain any other character.

use std::fmt;

use crate::MoveText;
use crate::complaint::{Complaint, excerpt};

/// Reads a line word by word and collects what is wrong with it.
pub(crate) struct Words<'a> {
    line: &'a str,
    /// Where the next word is looked for, in bytes.
    place: usize,
    complaints: Vec<Complaint>,
}

impl<'a> Words<'a> {
    /// Everything after the first line break belongs to another message and is not looked at.
    pub(crate) fn new(text: &'a str) -> Self {
        let line = text.split('\n').next().unwrap_or_default();
        Self { line, place: 0, complaints: Vec::new() }
    }

    /// Where the next word begins and ends.
    fn next_span(&self) -> Option<(usize, usize)> {
        let rest = self.line.as_bytes().get(self.place..)?;
        let start = rest.iter().position(|letter| !letter.is_ascii_whitespace())?;
        let word = rest.get(start..)?;
        let length = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        Some((self.place + start, self.place + start + length))
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        let (start, end) = self.next_span()?;
        self.line.get(start..end)
    }

    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let (start, end) = self.next_span()?;
        self.place = end;
        self.line.get(start..end)
    }

    /// All that is left, white space inside it kept: paths may have two spaces in a row.
    pub(crate) fn rest(&mut self) -> String {
        let rest = self.line.get(self.place..).unwrap_or_default();
        self.place = self.line.len();
        one_line(rest)
    }

    /// Words up to one that `ends` the text, white space between them kept.
    pub(crate) fn text_until(&mut self, ends: impl Fn(&str) -> bool) -> String {
        let start = self.place;
        while let Some(word) = self.peek() {
            if ends(word) {
                break;
            }
            self.next();
        }
        one_line(self.line.get(start..self.place).unwrap_or_default())
    }

    /// Complains of a word nobody knows and passes over what belongs to it.
    pub(crate) fn skip_unknown(&mut self, word: &str, known: impl Fn(&str) -> bool) {
        self.complain(Complaint::UnknownToken { token: excerpt(word) });
        self.text_until(known);
    }

    /// Complains of anything that follows a complete message.
    pub(crate) fn expect_end(&mut self) {
        if let Some(word) = self.next() {
            self.skip_unknown(word, |_| false);
        }
    }

    pub(crate) fn complain(&mut self, complaint: Complaint) {
        self.complaints.push(complaint);
    }

    pub(crate) fn into_complaints(self) -> Vec<Complaint> {
        self.complaints
    }

    /// Fills a field; complains if it was filled before.
    pub(crate) fn set<T>(&mut self, slot: &mut Option<T>, field: &'static str, value: Option<T>) {
        let Some(value) = value else { return };
        if slot.replace(value).is_some() {
            self.complain(Complaint::Duplicate { field });
        }
    }

    /// Raises a flag; complains if it was up before.
    pub(crate) fn raise(&mut self, flag: &mut bool, field: &'static str) {
        if std::mem::replace(flag, true) {
            self.complain(Complaint::Duplicate { field });
        }
    }

    /// A count: fractions are rounded towards zero, what exceeds the type is held at its limits.
    pub(crate) fn count<T: Integer>(&mut self, field: &'static str) -> Option<T> {
        self.number(field, Fraction::Rounded)
    }

    /// A number that means nothing if it is not an integer: half a centipawn may have been half a pawn.
    pub(crate) fn integer<T: Integer>(&mut self, field: &'static str) -> Option<T> {
        self.number(field, Fraction::Refused)
    }

    fn number<T: Integer>(&mut self, field: &'static str, fraction: Fraction) -> Option<T> {
        let looks_like_number =
            |word: &&str| word.starts_with(|first: char| matches!(first, '0'..='9' | '+' | '-' | '.'));
        let Some(word) = self.peek().filter(looks_like_number) else {
            self.complain(Complaint::Missing { field });
            return None;
        };
        self.next();
        // Almost all numbers are short, and short ones are read faster.
        let value = match word.parse::<i64>().map(i128::from).or_else(|_| word.parse()) {
            Ok(value) => value,
            Err(_) => {
                let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
                let is_integer = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
                if !is_integer {
                    self.complain(Complaint::NotAnInteger { field, token: excerpt(word) });
                }
                let value = word.parse::<f64>().ok()?;
                if fraction == Fraction::Refused && !is_integer {
                    return None;
                }
                // Saturates, and the range check below then tells.
                value as i128
            }
        };
        let held = value.clamp(T::MIN, T::MAX);
        if held != value {
            self.complain(Complaint::OutOfRange { field, token: excerpt(word) });
        }
        T::from_wide(held)
    }

    /// A count that should lie below a limit; it is kept as it stands, but complained of.
    pub(crate) fn limited_count(&mut self, field: &'static str, limit: u32) -> Option<u32> {
        let value = self.count::<u32>(field)?;
        if value > limit {
            self.complain(Complaint::OutOfRange { field, token: value.to_string() });
        }
        Some(value)
    }

    /// One move.
    pub(crate) fn one_move(&mut self, field: &'static str, known: impl Fn(&str) -> bool) -> Option<MoveText> {
        let Some(word) = self.peek().filter(|word| !known(word)) else {
            self.complain(Complaint::Missing { field });
            return None;
        };
        self.next();
        let mv = MoveText::from(word);
        self.check_move(&mv, word, field);
        Some(mv)
    }

    /// Moves up to a word that is `known` to begin something else.
    pub(crate) fn moves(&mut self, field: &'static str, known: impl Fn(&str) -> bool) -> Vec<MoveText> {
        let mut moves = Vec::new();
        while let Some(word) = self.peek() {
            let mv = MoveText::from(word);
            // No keyword looks like a move, and almost all words here are moves.
            if !mv.is_readable() && known(word) {
                break;
            }
            self.next();
            self.check_move(&mv, word, field);
            moves.push(mv);
        }
        if moves.is_empty() {
            self.complain(Complaint::Missing { field });
        }
        moves
    }

    fn check_move(&mut self, mv: &MoveText, word: &str, field: &'static str) {
        if !mv.is_readable() || word.bytes().any(|letter| letter.is_ascii_uppercase()) {
            self.complain(Complaint::NotAMove { field, token: excerpt(word) });
        }
    }
}

/// What becomes of a number with a fraction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fraction {
    Rounded,
    Refused,
}

/// The integers that messages hold.
pub(crate) trait Integer: Sized {
    const MIN: i128;
    const MAX: i128;
    fn from_wide(value: i128) -> Option<Self>;
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl Integer for $name {
            const MIN: i128 = $name::MIN as i128;
            const MAX: i128 = $name::MAX as i128;

            fn from_wide(value: i128) -> Option<Self> {
                Self::try_from(value).ok()
            }
        }
    )*};
}

integers! { u16 u32 u64 i32 i64 }

/// A text without line breaks and outer white space.
fn one_line(text: &str) -> String {
    OneLine(text.trim_ascii()).to_string()
}

/// Writes a text so that it cannot break the line: whoever fills in an option's value must not be able to send
/// a command.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, part) in self.0.split(['\n', '\r', '\t', '\x0c']).enumerate() {
            if number > 0 {
                formatter.write_str(" ")?;
            }
            formatter.write_str(part)?;
        }
        Ok(())
    }
}

/// Writes ` field value` if there is a value.
pub(crate) fn write_field<T: fmt::Display>(
    formatter: &mut fmt::Formatter<'_>,
    field: &str,
    value: Option<T>,
) -> fmt::Result {
    match value {
        Some(value) => write!(formatter, " {field} {value}"),
        None => Ok(()),
    }
}

/// Writes ` field move move …` if there are moves.
pub(crate) fn write_moves(formatter: &mut fmt::Formatter<'_>, field: &str, moves: &[MoveText]) -> fmt::Result {
    if !moves.is_empty() {
        write!(formatter, " {field}")?;
    }
    moves.iter().try_for_each(|mv| write!(formatter, " {mv}"))
}
