//! What is wrong with a book.

use std::fmt;

use kiebitz_pgn::SourceError;

/// Broken lines that an error lists; the rest are counted.
const MOST_LISTED: usize = 10;

/// A line of a book that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLine {
    /// The line in the (decompressed) file, counted from 1; for Polyglot books the entry. `None` if it is not known, and
    /// the problem names the game.
    pub line: Option<u64>,
    /// What is wrong, in words.
    pub problem: String,
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be opened, read or decompressed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A zip archive cannot be read, or does not hold exactly one book.
    #[error("{file}: {problem}")]
    Archive {
        /// The file as the caller named it.
        file: String,
        /// What is wrong, in words.
        problem: String,
    },
    /// The name does not say what kind of book it is.
    #[error("{file}: not a known kind of book (.epd, .fen, .txt, .pgn or .bin; .zip, .zst, .gz or .bz2 of these)")]
    UnknownKind {
        /// The file as the caller named it.
        file: String,
    },
    /// Some lines cannot be used.
    #[error("{file}: {}", ListedLines(.lines, *.count))]
    Broken {
        /// The file as the caller named it.
        file: String,
        /// The first of the broken lines.
        lines: Vec<BrokenLine>,
        /// How many lines are broken altogether.
        count: u64,
    },
    /// There is no opening in the file.
    #[error("{file}: there is no opening in it")]
    Empty {
        /// The file as the caller named it.
        file: String,
    },
    /// There are more openings than can be numbered.
    #[error("{file}: larger than a book can be (4 GiB of positions or moves)")]
    TooLarge {
        /// The file as the caller named it.
        file: String,
    },
}

struct ListedLines<'a>(&'a [BrokenLine], u64);

impl fmt::Display for ListedLines<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, BrokenLine { line, problem }) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            match line {
                Some(line) => write!(formatter, "{separator}line {line}: {problem}")?,
                None => write!(formatter, "{separator}{problem}")?,
            }
        }
        match self.1.saturating_sub(self.0.len() as u64) {
            0 => Ok(()),
            more => write!(formatter, "; and {more} more"),
        }
    }
}

/// Collects broken lines.
#[derive(Debug, Default)]
pub(super) struct BrokenLines {
    lines: Vec<BrokenLine>,
    count: u64,
}

impl BrokenLines {
    pub(super) fn add(&mut self, line: impl Into<Option<u64>>, problem: impl ToString) {
        self.count += 1;
        if self.lines.len() < MOST_LISTED {
            self.lines.push(BrokenLine { line: line.into(), problem: problem.to_string() });
        }
    }

    /// An error if there is any.
    pub(super) fn check(self, file: &str) -> Result<(), BookError> {
        if self.count == 0 {
            return Ok(());
        }
        Err(BookError::Broken { file: file.to_owned(), lines: self.lines, count: self.count })
    }
}
