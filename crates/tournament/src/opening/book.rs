//! A list of openings in little memory.

use std::path::Path;

use kiebitz_chess::{FenMode, Move, Position};

use super::{BookError, Opening, book_file};

/// Many openings, numbered from 0.
///
/// Positions are kept as FEN text in one piece and moves as two bytes each: a book of 240 000 positions takes about
/// 18 MB. They are turned back into positions when they are asked for.
///
/// ```
/// use kiebitz_tournament::opening::Book;
/// let book = Book::from_position_lines("two.epd", &b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/4p3/8/8/8/8/8/4K3 b - -\n"[..])?;
/// assert_eq!(book.len(), 2);
/// let broken = Book::from_position_lines("bad.epd", &b"\n8/8 w - -\n"[..]).unwrap_err();
/// assert!(broken.to_string().starts_with("bad.epd: line 2: "));
/// # Ok::<(), kiebitz_tournament::opening::BookError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    name: String,
    /// The FENs of all starts, one behind the other.
    text: String,
    /// The moves of all openings, one behind the other.
    moves: Vec<Move>,
    entries: Vec<Entry>,
    chess960: bool,
}

/// An opening: where its start and its moves begin, and how long they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    text: u32,
    moves: u32,
    text_bytes: u16,
    move_count: u16,
}

const _: () = assert!(size_of::<Entry>() == 12);

impl Book {
    /// Reads a book from a file; its name says what kind it is, compressed or not (see [`crate::opening`]).
    ///
    /// `plies` limits the moves taken from a PGN game (all if `None`) or played in a Polyglot book
    /// ([`super::Polyglot::DEFAULT_PLIES`] if `None`); positions of EPD and FEN files have none.
    ///
    /// # Errors
    /// When anything at all is wrong with the book.
    pub fn open(path: impl AsRef<Path>, plies: Option<usize>) -> Result<Self, BookError> {
        book_file::open(path.as_ref(), plies)
    }

    /// An empty book, to be filled.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), text: String::new(), moves: Vec::new(), entries: Vec::new(), chess960: false }
    }

    /// Appends an opening whose moves are legal. `None` if there is no room.
    pub(super) fn push(&mut self, start: &Position, moves: &[Move]) -> Option<()> {
        let fen = start.to_string();
        let text = match self.entries.last() {
            // Most books have one start, or ever new ones: comparing with the last is enough.
            Some(last) if self.start_text(last) == fen => last.text,
            _ => {
                let at = u32::try_from(self.text.len()).ok()?;
                self.text.push_str(&fen);
                at
            }
        };
        let entry = Entry {
            text,
            moves: u32::try_from(self.moves.len()).ok()?,
            text_bytes: u16::try_from(fen.len()).ok()?,
            move_count: u16::try_from(moves.len()).ok()?,
        };
        self.moves.extend_from_slice(moves);
        self.entries.push(entry);
        self.chess960 |= start.is_chess960();
        Some(())
    }

    /// The finished book; an error if nothing is in it.
    pub(super) fn finish(mut self) -> Result<Self, BookError> {
        if self.entries.is_empty() {
            return Err(BookError::Empty { file: self.name });
        }
        self.text.shrink_to_fit();
        self.moves.shrink_to_fit();
        self.entries.shrink_to_fit();
        Ok(self)
    }

    fn start_text(&self, entry: &Entry) -> &str {
        let begin = entry.text as usize;
        &self.text[begin..begin + usize::from(entry.text_bytes)]
    }

    /// The file the book came from, as the caller named it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many openings there are; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no book is empty")]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether some opening needs the rules of Chess960: castling with a king or rook on an unusual square.
    #[must_use]
    pub const fn has_chess960(&self) -> bool {
        self.chess960
    }

    /// The memory it takes, in bytes.
    #[must_use]
    pub const fn memory_bytes(&self) -> usize {
        self.text.capacity() + self.moves.capacity() * size_of::<Move>() + self.entries.capacity() * size_of::<Entry>()
    }

    /// An opening by its number; `None` beyond the last.
    #[must_use]
    pub fn opening(&self, index: usize) -> Option<Opening> {
        let entry = self.entries.get(index)?;
        let start = Position::from_fen(self.start_text(entry), FenMode::Lenient)
            .expect("the text was written from a position when the book was loaded");
        let begin = entry.moves as usize;
        Some(Opening { start, moves: self.moves[begin..begin + usize::from(entry.move_count)].to_vec() })
    }
}

/// Why a game cannot begin in a position, if so.
pub(super) fn objection(position: &Position) -> Option<String> {
    position.ending().map(|ending| format!("the game is over before it begins: {ending}"))
}
