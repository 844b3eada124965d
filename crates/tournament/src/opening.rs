//! Where games begin: books of openings, and the order in which they are used.
//!
//! ```text
//! .epd .fen ─┐
//! .pgn       ├─ plain, .zst, .gz, .bz2 or .zip ──▶ Book ──▶ OpeningList (order, seed, start) ──▶ Opening
//! .bin       ┘
//! ```
//!
//! **Invariants:** a book that loads is good: every position is legal, every move too, and no game is over before it
//! begins. What is wrong is said when the book is loaded, with file and line, and before any game is played.

mod book;
mod book_error;
mod book_file;
mod order;
mod pgn_lines;
mod polyglot;
mod polyglot_key;
mod polyglot_numbers;
mod position_lines;

use kiebitz_chess::{Move, Position};

pub use book::Book;
pub use book_error::{BookError, BrokenLine};
pub use order::{OpeningList, OpeningOrder};
pub use polyglot::{Polyglot, PolyglotEntry};
pub use polyglot_key::{polyglot_key, polyglot_key_of_setup};

/// Where a game begins: a position, and moves that are played from there without the players' doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position before the first move.
    pub start: Position,
    /// Book moves, each legal where it stands.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position in which the players take over.
    #[must_use]
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&mv| position.play(mv));
        position
    }
}

/// The standard start position without any move.
impl Default for Opening {
    fn default() -> Self {
        Self { start: Position::default(), moves: Vec::new() }
    }
}
