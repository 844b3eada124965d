//! Extended Position Description: a position and operations such as `bm Nf3; id "test 1";`.

use std::fmt;
use std::str::FromStr;

use crate::{FenError, FenMode, Move, Position, SanError};

/// One operation: a name and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name, such as `bm`.
    pub opcode: String,
    /// The operands, quotes removed.
    pub operands: Vec<String>,
}

/// A position with operations.
///
/// ```
/// use kiebitz_chess::Epd;
///
/// let epd: Epd = r#"6k1/8/8/8/8/8/8/R3K2R w KQ - bm O-O-O Ra8+; id "rook"; hmvc 3;"#.parse()?;
/// assert_eq!(epd.best_moves()?.len(), 2);
/// assert_eq!(epd.text("id"), Some("rook"));
/// assert_eq!(epd.position.halfmove_clock(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position; its clocks come from `hmvc` and `fmvn`.
    pub position: Position,
    /// All operations but `hmvc` and `fmvn`, in the order they were written.
    pub operations: Vec<Operation>,
}

/// What is wrong with an EPD, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation cannot be read.
    #[error("EPD column {column}: {problem}")]
    Operation {
        /// The first offending character, counted from 1.
        column: usize,
        /// What is wrong, in words.
        problem: String,
    },
}

impl Epd {
    /// A position without operations.
    #[must_use]
    pub fn new(position: Position) -> Self {
        Self { position, operations: Vec::new() }
    }

    /// The operands of the first operation with this name.
    #[must_use]
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&operation.operands)
    }

    /// The only or first operand of an operation.
    #[must_use]
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// The moves of an operation such as `bm`, `am` or `pm`, each legal in the position.
    ///
    /// # Errors
    /// The first operand that is not a legal move in algebraic or UCI notation.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, SanError> {
        let operands = self.operands(opcode).unwrap_or_default();
        let parse = |text: &String| {
            let as_san = self.position.parse_san(text);
            as_san.or_else(|error| self.position.parse_uci(text).map_err(|_| error))
        };
        operands.iter().map(parse).collect()
    }

    /// The moves that a solver should find (`bm`).
    ///
    /// # Errors
    /// As [`Self::moves`].
    pub fn best_moves(&self) -> Result<Vec<Move>, SanError> {
        self.moves("bm")
    }

    /// The moves that a solver should not play (`am`).
    ///
    /// # Errors
    /// As [`Self::moves`].
    pub fn avoid_moves(&self) -> Result<Vec<Move>, SanError> {
        self.moves("am")
    }

    /// Reads an EPD. The lenient mode also takes a six-field FEN in front, operations without a final semicolon,
    /// and empty operations as perft suites write them (`;D1 20 ;D2 400`).
    ///
    /// # Errors
    /// Says what cannot be read, and where.
    pub fn parse(text: &str, mode: FenMode) -> Result<Self, EpdError> {
        let (fields, start) = split_position(text, mode);
        let mut position = match mode {
            // The clocks may be left out here, but nothing else; the four fields are held to the strict rules.
            FenMode::Strict => Position::from_fen(&format!("{fields} 0 1"), mode)?,
            FenMode::Lenient => Position::from_fen(fields, mode)?,
        };
        let mut operations = Vec::new();
        for (operation, column) in
            parse_operations(&text[start..], mode).map_err(|error| error.moved_by(text[..start].chars().count()))?
        {
            let column = column + text[..start].chars().count();
            match operation.opcode.as_str() {
                "hmvc" => position.halfmove_clock = clock(&operation, column)?,
                "fmvn" => position.fullmove_number = clock(&operation, column)?.max(1),
                _ => operations.push(operation),
            }
        }
        Ok(Self { position, operations })
    }
}

/// The position's part of the text, and where the operations begin.
fn split_position(text: &str, mode: FenMode) -> (&str, usize) {
    let mut end = 0;
    let mut rest = text;
    for index in 0..6 {
        let skipped = rest.trim_start();
        // An operation may follow the clocks at once, as in `… 1 6;`.
        let ends = |letter: char| letter.is_whitespace() || (index >= 4 && letter == ';');
        let word = skipped.split(ends).next().unwrap_or("");
        // Clocks are numbers; an operation's name is not.
        let is_clock = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if word.is_empty() || (index >= 4 && (!is_clock || mode == FenMode::Strict)) {
            break;
        }
        if index < 4 && word.contains(';') {
            break;
        }
        end = text.len() - skipped.len() + word.len();
        rest = &text[end..];
    }
    (&text[..end], end)
}

fn clock(operation: &Operation, column: usize) -> Result<u16, EpdError> {
    let digits = |text: &&String| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = operation.operands.first().filter(digits).and_then(|text| text.parse().ok());
    number.filter(|_| operation.operands.len() == 1).ok_or_else(|| {
        let problem = format!("{} needs one number from 0 to 65535", operation.opcode);
        EpdError::Operation { column, problem }
    })
}

impl EpdError {
    /// The same error, its column counted from further left.
    fn moved_by(self, columns: usize) -> Self {
        match self {
            Self::Operation { column, problem } => Self::Operation { column: column + columns, problem },
            other => other,
        }
    }
}

/// Every operation with the column it begins at.
fn parse_operations(text: &str, mode: FenMode) -> Result<Vec<(Operation, usize)>, EpdError> {
    let error = |column: usize, problem: &str| EpdError::Operation { column: column + 1, problem: problem.to_owned() };
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut begin = 0;
    let mut letters = text.chars().enumerate().peekable();
    while let Some((column, letter)) = letters.next() {
        match letter {
            ';' => match finish(&mut words) {
                Some(operation) => operations.push((operation, begin + 1)),
                None if mode == FenMode::Lenient => {}
                None => return Err(error(column, "an operation without a name")),
            },
            _ if letter.is_whitespace() => {}
            _ => {
                if words.is_empty() {
                    begin = column;
                    if letter == '"' {
                        return Err(error(column, "an operation's name is not quoted"));
                    }
                    if mode == FenMode::Strict && !letter.is_alphabetic() {
                        return Err(error(column, "an operation's name begins with a letter"));
                    }
                }
                let mut word = String::new();
                if letter == '"' {
                    loop {
                        match letters.next() {
                            Some((_, '"')) => break,
                            Some((_, inside)) => word.push(inside),
                            None => return Err(error(column, "a quote is not closed")),
                        }
                    }
                } else {
                    word.push(letter);
                    let in_word = |next: char| !next.is_whitespace() && next != ';' && next != '"';
                    while let Some((_, next)) = letters.next_if(|&(_, next)| in_word(next)) {
                        word.push(next);
                    }
                }
                // A number would be read as a clock once it stands behind the four fields.
                if words.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(error(column, "an operation's name is not a number"));
                }
                words.push(word);
            }
        }
    }
    match finish(&mut words) {
        None => Ok(operations),
        Some(operation) if mode == FenMode::Lenient => {
            operations.push((operation, begin + 1));
            Ok(operations)
        }
        Some(_) => Err(error(text.chars().count(), "the last operation does not end with ';'")),
    }
}

/// Turns collected words into an operation.
fn finish(words: &mut Vec<String>) -> Option<Operation> {
    let mut words = std::mem::take(words).into_iter();
    Some(Operation { opcode: words.next()?, operands: words.collect() })
}

/// Reads leniently; see [`Epd::parse`].
impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, EpdError> {
        Self::parse(text, FenMode::Lenient)
    }
}

/// Four fields and the operations; clocks that are not 0 and 1 as `hmvc` and `fmvn`. A quote inside an operand
/// cannot be written and becomes an apostrophe.
impl fmt::Display for Epd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.position.to_epd_fields())?;
        for Operation { opcode, operands } in &self.operations {
            write!(formatter, " {opcode}")?;
            for operand in operands {
                let bare = operand.replace('"', "'");
                let needs_quotes =
                    bare.is_empty() || bare.contains(|letter: char| letter.is_whitespace() || letter == ';');
                if needs_quotes {
                    write!(formatter, " \"{bare}\"")?;
                } else {
                    write!(formatter, " {bare}")?;
                }
            }
            formatter.write_str(";")?;
        }
        if self.position.halfmove_clock != 0 {
            write!(formatter, " hmvc {};", self.position.halfmove_clock)?;
        }
        if self.position.fullmove_number != 1 {
            write!(formatter, " fmvn {};", self.position.fullmove_number)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_read_and_written() {
        let text = r#"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id "a; b"; c0 "";"#;
        let epd = Epd::parse(text, FenMode::Strict).unwrap();
        assert_eq!(epd.best_moves().unwrap().len(), 2);
        assert_eq!(epd.text("id"), Some("a; b"));
        assert_eq!(epd.to_string(), text);
        assert_eq!(epd.avoid_moves(), Ok(Vec::new()));
    }

    #[test]
    fn perft_suites_and_six_fields_are_read() {
        let text = "4k3/8/8/8/8/8/8/4K2R w K - 12 34 ;D1 15 ;D2 66";
        let epd: Epd = text.parse().unwrap();
        assert_eq!(epd.text("D2"), Some("66"));
        assert_eq!(epd.position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 12 34");
        assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - D1 15; D2 66; hmvc 12; fmvn 34;");
        assert_eq!(epd.to_string().parse(), Ok(epd));
        let close: Epd = "4k3/8/8/8/8/8/8/4K2R w K - 12 34; bm O-O".parse().unwrap();
        assert_eq!((close.position.fullmove_number(), close.operations.len()), (34, 1));
    }

    #[test]
    fn errors_name_their_place() {
        let column = |text: &str, mode| match Epd::parse(text, mode) {
            Err(EpdError::Operation { column, .. }) => column,
            other => panic!("{other:?}"),
        };
        let position = "4k3/8/8/8/8/8/8/4K2R w K -";
        assert_eq!(position.len(), 26);
        assert_eq!(column(&format!("{position} id \"x"), FenMode::Lenient), 31);
        assert_eq!(column(&format!("{position} hmvc x;"), FenMode::Lenient), 28);
        assert_eq!(column(&format!("{position} id x"), FenMode::Strict), 32);
        assert_eq!(column(&format!("{position} 0 1 id x;"), FenMode::Strict), 28);
        assert_eq!(column(&format!("{position} ;5 x;"), FenMode::Lenient), 29);
        assert!(matches!("4k3/8 w - -".parse::<Epd>(), Err(EpdError::Position(_))));
        assert!(matches!("".parse::<Epd>(), Err(EpdError::Position(_))));
    }
}
