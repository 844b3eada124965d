//! What programs write into comments: `[%eval 0.17,20]`, `[%clk 0:00:30]`, `[%cal Gd4e5]`, and `+0.19/10 28s`.
//!
//! Everything here reads plain bytes without allocating (arrows and marks excepted), because an import goes through
//! millions of comments. A command that is not well formed is not a command: it stays part of the text.

use std::fmt;
use std::time::Duration;

use kiebitz_chess::Square;

/// An engine's judgement of a position, seen by White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Evaluation {
    /// The judgement.
    pub score: EvaluationScore,
    /// How deep the engine looked, in plies.
    pub depth: Option<u16>,
}

/// The value of an [`Evaluation`]; positive is good for White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvaluationScore {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative when White is mated. Zero is the mated position itself.
    Mate(i32),
}

impl fmt::Display for EvaluationScore {
    /// As Lichess writes it: `0.17`, `-1.5`, `#-3`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Mate(moves) => write!(formatter, "#{moves}"),
            Self::Centipawns(value) => {
                let (sign, value) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
                write!(formatter, "{sign}{}.{}", value / 100, value % 100 / 10)?;
                if value % 10 == 0 { Ok(()) } else { write!(formatter, "{}", value % 10) }
            }
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.score)?;
        match self.depth {
            Some(depth) => write!(formatter, ",{depth}"),
            None => Ok(()),
        }
    }
}

/// The color of an arrow or mark on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl MarkColor {
    const fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'G' => Self::Green,
            b'R' => Self::Red,
            b'Y' => Self::Yellow,
            b'B' => Self::Blue,
            _ => return None,
        })
    }

    const fn letter(self) -> char {
        match self {
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Blue => 'B',
        }
    }
}

/// An arrow (`[%cal …]`), or a marked square (`[%csl …]`) where both ends are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardMark {
    /// Its color.
    pub color: MarkColor,
    /// Where the arrow begins.
    pub from: Square,
    /// Where it points; `from` for a marked square.
    pub to: Square,
}

impl fmt::Display for BoardMark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.color.letter(), self.from)?;
        if self.from == self.to { Ok(()) } else { write!(formatter, "{}", self.to) }
    }
}

/// A command inside a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `[%eval …]`: the position after the move.
    Evaluation(Evaluation),
    /// `[%clk …]`: what the mover has left on the clock.
    Clock(Duration),
    /// `[%emt …]`: how long the mover thought.
    Elapsed(Duration),
    /// `[%cal …]`: arrows.
    Arrows(Vec<BoardMark>),
    /// `[%csl …]`: marked squares.
    Squares(Vec<BoardMark>),
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = |formatter: &mut fmt::Formatter<'_>, name: &str, marks: &[BoardMark]| {
            write!(formatter, "[%{name} ")?;
            for (index, mark) in marks.iter().enumerate() {
                write!(formatter, "{}{mark}", if index == 0 { "" } else { "," })?;
            }
            formatter.write_str("]")
        };
        match self {
            Self::Evaluation(evaluation) => write!(formatter, "[%eval {evaluation}]"),
            Self::Clock(time) => write!(formatter, "[%clk {}]", ClockTime(*time)),
            Self::Elapsed(time) => write!(formatter, "[%emt {}]", ClockTime(*time)),
            Self::Arrows(arrows) => marks(formatter, "cal", arrows),
            Self::Squares(squares) => marks(formatter, "csl", squares),
        }
    }
}

/// `1:02:03`, with thousandths where there are any.
struct ClockTime(Duration);

impl fmt::Display for ClockTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(formatter, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            thousandths => write!(formatter, ".{}", format!("{thousandths:03}").trim_end_matches('0')),
        }
    }
}

/// A comment as it stands in the file: bytes between braces, or after `;`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawComment<'a>(pub &'a [u8]);

impl<'a> RawComment<'a> {
    /// The well-formed commands, in order.
    #[must_use]
    pub fn commands(self) -> Commands<'a> {
        Commands { text: self.0, at: 0 }
    }

    /// The first `[%eval …]`.
    #[must_use]
    pub fn evaluation(self) -> Option<Evaluation> {
        self.commands().find_map(|(_, command)| match command {
            Command::Evaluation(evaluation) => Some(evaluation),
            _ => None,
        })
    }

    /// The first `[%clk …]`.
    #[must_use]
    pub fn clock(self) -> Option<Duration> {
        self.commands().find_map(|(_, command)| match command {
            Command::Clock(time) => Some(time),
            _ => None,
        })
    }

    /// What an engine match writes: `+0.19/10 28s`.
    #[must_use]
    pub fn engine_note(self) -> Option<EngineNote> {
        EngineNote::read(self.0)
    }
}

/// The commands of a comment, each with its place in the text.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    text: &'a [u8],
    at: usize,
}

impl Iterator for Commands<'_> {
    type Item = (std::ops::Range<usize>, Command);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at + memchr::memmem::find(&self.text[self.at..], b"[%")?;
            let body = &self.text[start + 2..];
            let Some(length) = memchr::memchr(b']', body) else {
                // Without a bracket there is no command after this one either.
                self.at = self.text.len();
                return None;
            };
            // After a malformed command the next may begin inside it.
            self.at = start + 2;
            if let Some(command) = read_command(&body[..length]) {
                self.at = start + 2 + length + 1;
                return Some((start..self.at, command));
            }
        }
    }
}

/// Reads what stands between `[%` and `]`.
fn read_command(body: &[u8]) -> Option<Command> {
    let split = body.iter().position(u8::is_ascii_whitespace)?;
    let value = body[split..].trim_ascii();
    match &body[..split] {
        b"eval" => read_evaluation(value).map(Command::Evaluation),
        b"clk" => read_clock_time(value).map(Command::Clock),
        b"emt" => read_clock_time(value).map(Command::Elapsed),
        b"cal" => read_marks(value, 5).map(Command::Arrows),
        b"csl" => read_marks(value, 3).map(Command::Squares),
        _ => None,
    }
}

fn read_number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(digits).ok()?.parse().ok()
}

/// `0.17`, `-1.5`, `#-3`, each optionally with `,depth`.
fn read_evaluation(value: &[u8]) -> Option<Evaluation> {
    let (score, depth) = match memchr::memchr(b',', value) {
        Some(comma) => (&value[..comma], Some(read_number(value[comma + 1..].trim_ascii())?)),
        None => (value, None),
    };
    let score = match score.strip_prefix(b"#") {
        Some(moves) => {
            let (negative, digits) = split_sign(moves);
            let moves: i32 = read_number(digits)?;
            EvaluationScore::Mate(if negative { -moves } else { moves })
        }
        None => EvaluationScore::Centipawns(read_centipawns(score)?),
    };
    Some(Evaluation { score, depth })
}

fn split_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Pawns with any number of decimals, rounded to hundredths.
fn read_centipawns(text: &[u8]) -> Option<i32> {
    let (negative, digits) = split_sign(text);
    let (whole, decimals) = match memchr::memchr(b'.', digits) {
        Some(dot) => (&digits[..dot], &digits[dot + 1..]),
        None => (digits, &b""[..]),
    };
    if whole.is_empty() && decimals.is_empty() || !decimals.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let pawns: i32 = if whole.is_empty() { 0 } else { read_number(whole)? };
    let decimal = |index: usize| decimals.get(index).map_or(0, |digit| i32::from(digit - b'0'));
    let hundredths = decimal(0) * 10 + decimal(1) + i32::from(decimal(2) >= 5);
    let value = pawns.checked_mul(100)?.checked_add(hundredths)?;
    Some(if negative { -value } else { value })
}

/// Hours, minutes and seconds, the seconds with up to three decimals that count: `0:00:30.5`.
fn read_clock_time(value: &[u8]) -> Option<Duration> {
    let mut parts = value.split(|&byte| byte == b':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (hours, minutes): (u32, u64) = (read_number(hours)?, read_number(minutes)?);
    let (seconds, fraction) = match memchr::memchr(b'.', seconds) {
        Some(dot) => (&seconds[..dot], &seconds[dot + 1..]),
        None => (seconds, &b"0"[..]),
    };
    let seconds: u64 = read_number(seconds)?;
    if minutes > 59 || seconds > 59 || fraction.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |index: usize| fraction.get(index).map_or(0, |digit| u64::from(digit - b'0'));
    let thousandths = digit(0) * 100 + digit(1) * 10 + digit(2);
    Some(Duration::from_millis((u64::from(hours) * 3600 + minutes * 60 + seconds) * 1000 + thousandths))
}

/// A list such as `Gd4e5,Rd4c6`, every item `length` letters long.
fn read_marks(value: &[u8], length: usize) -> Option<Vec<BoardMark>> {
    let square = |text: &[u8]| str::from_utf8(text).ok()?.parse::<Square>().ok();
    let mark = |item: &[u8]| {
        let item = item.trim_ascii();
        if item.len() != length {
            return None;
        }
        let from = square(&item[1..3])?;
        let to = if length == 5 { square(&item[3..])? } else { from };
        Some(BoardMark { color: MarkColor::from_letter(item[0])?, from, to })
    };
    let marks: Vec<BoardMark> = value.split(|&byte| byte == b',').map(mark).collect::<Option<_>>()?;
    // An arrow from a square to itself would be written as a mark.
    (length == 3 || marks.iter().all(|mark| mark.from != mark.to)).then_some(marks)
}

/// What cutechess and fastchess write after every move: `+0.19/10 28s`, `-M4/32 0.5s, White mates`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EngineNote {
    /// The mover's own judgement, positive when it likes its position.
    pub score: EvaluationScore,
    /// How deep it looked, in plies.
    pub depth: u16,
    /// How long it thought, where that is said.
    pub time: Option<Duration>,
}

impl EngineNote {
    /// Reads a note at the beginning of a comment.
    #[must_use]
    pub fn read(comment: &[u8]) -> Option<Self> {
        let note = comment.trim_ascii();
        let note = &note[..memchr::memchr(b',', note).unwrap_or(note.len())];
        let mut words = note.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let first = words.next()?;
        let slash = memchr::memchr(b'/', first)?;
        let depth = read_number(&first[slash + 1..])?;
        let (negative, digits) = split_sign(&first[..slash]);
        let score = match digits.strip_prefix(b"M") {
            Some(moves) => {
                let moves: i32 = read_number(moves)?;
                EvaluationScore::Mate(if negative { -moves } else { moves })
            }
            // Engine matches always write decimals; `1/2` is something else.
            None if !digits.contains(&b'.') => return None,
            None => EvaluationScore::Centipawns(read_centipawns(&first[..slash])?),
        };
        let time = words.next().and_then(|word| {
            let seconds = str::from_utf8(word.strip_suffix(b"s")?).ok()?.parse::<f64>().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        });
        Some(Self { score, depth, time })
    }
}

#[cfg(test)]
mod tests;
