//! EPD and FEN files: one position a line.

use std::io::{self, BufRead, BufReader, Read};

use kiebitz_chess::{Epd, FenMode};
use kiebitz_pgn::{SourceError, SourceProblem};

use super::book::objection;
use super::book_error::BrokenLines;
use super::{Book, BookError};

/// No line of a book is longer, in bytes; what is longer is not a book.
const LONGEST_LINE: u64 = 64 << 10;

impl Book {
    /// Reads positions, one a line, in four or six fields with or without EPD operations. Empty lines and those that
    /// begin with `#` are passed over.
    ///
    /// # Errors
    /// When the reader fails, when a line is no position or a position in which the game is over, and when there is
    /// nothing in it.
    pub fn from_position_lines(name: &str, reader: impl Read) -> Result<Self, BookError> {
        let mut reader = BufReader::new(reader);
        let mut book = Self::new(name);
        let mut broken = BrokenLines::default();
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
            if read.map_err(|error| failed(name, error))? == 0 {
                break;
            }
            if bytes.len() as u64 == LONGEST_LINE {
                broken.add(number, "longer than any position");
                break;
            }
            let text = match std::str::from_utf8(&bytes) {
                Ok(text) => text.trim_start_matches('\u{feff}').trim(),
                Err(_) => {
                    broken.add(number, "not text");
                    continue;
                }
            };
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match Epd::parse(text, FenMode::Lenient) {
                Err(error) => broken.add(number, error),
                Ok(epd) => match objection(&epd.position) {
                    Some(objection) => broken.add(number, objection),
                    None => {
                        book.push(&epd.position, &[]).ok_or_else(|| BookError::TooLarge { file: name.to_owned() })?
                    }
                },
            }
        }
        broken.check(name)?;
        book.finish()
    }
}

/// Puts the file's name to an error of its reader.
pub(super) fn failed(name: &str, error: io::Error) -> BookError {
    BookError::Source(SourceError { file: name.to_owned(), problem: SourceProblem::Read, error })
}
