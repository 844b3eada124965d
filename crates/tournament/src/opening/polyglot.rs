//! Polyglot books: moves by position.
//!
//! ```text
//! entry, 16 bytes, big-endian:  key (8)  move (2)  weight (2)  learn (4)
//! move, 16 bits:                0 ppp fff FFF ttt TTT
//!                               promotion, from rank, from file, to rank, to file; castling as king takes rook
//! ```

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use kiebitz_chess::{CastlingForm, File, Move, PieceKind, Position, Rank, Square};
use kiebitz_pgn::Source;

use super::book::objection;
use super::book_error::BrokenLines;
use super::position_lines::failed;
use super::{Book, BookError, polyglot_key};

/// An entry of a Polyglot book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PolyglotEntry {
    /// The hash of the position.
    pub key: u64,
    /// The move as the file writes it; see [`Polyglot::moves`].
    pub mv: u16,
    /// How often the move should be played, compared with others of the position; 0 for never.
    pub weight: u16,
    /// What some programs learn; never used here.
    pub learn: u32,
}

/// A Polyglot book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polyglot {
    name: String,
    /// Sorted by key.
    entries: Vec<PolyglotEntry>,
}

impl Polyglot {
    /// Moves that are played from a Polyglot book when nobody says how many.
    pub const DEFAULT_PLIES: usize = 8;
    /// Bytes of an entry.
    const ENTRY_BYTES: usize = 16;

    /// Reads a book from a file.
    ///
    /// # Errors
    /// As [`Self::from_reader`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BookError> {
        let source = Source::open(path)?;
        let name = source.name().to_owned();
        Self::from_reader(&name, source)
    }

    /// Reads a book.
    ///
    /// # Errors
    /// When the reader fails, and when the length is not that of whole entries. Moves are not looked at: they mean
    /// something only together with a position, and two positions may share a key.
    pub fn from_reader(name: &str, mut reader: impl Read) -> Result<Self, BookError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| failed(name, error))?;
        let (whole, rest) = bytes.as_chunks::<{ Self::ENTRY_BYTES }>();
        let mut broken = BrokenLines::default();
        if !rest.is_empty() {
            broken.add(whole.len() as u64 + 1, format!("{} bytes instead of 16", rest.len()));
        }
        broken.check(name)?;
        let mut entries: Vec<PolyglotEntry> = whole.iter().map(PolyglotEntry::from_bytes).collect();
        if entries.is_empty() {
            return Err(BookError::Empty { file: name.to_owned() });
        }
        // The format wants them sorted; where a program did not care, the order within a position is kept.
        entries.sort_by_key(|entry| entry.key);
        Ok(Self { name: name.to_owned(), entries })
    }

    /// How many entries there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no book is empty")]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries with a key, in the order of the file.
    #[must_use]
    pub fn entries(&self, key: u64) -> &[PolyglotEntry] {
        let begin = self.entries.partition_point(|entry| entry.key < key);
        let count = self.entries[begin..].partition_point(|entry| entry.key == key);
        &self.entries[begin..begin + count]
    }

    /// The legal moves that the book has for a position, with their weights, in the order of the file.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        let entries = self.entries(polyglot_key(position)).iter();
        entries.filter_map(|entry| Some((entry.legal_move(position)?, entry.weight))).collect()
    }

    /// The lines of the book from the standard start position: one for each position that is reached after `plies`
    /// moves, or earlier where the book ends. Moves of weight 0 are not played. The order is by the number of moves,
    /// then by the weights.
    ///
    /// Every position is visited once, however many move orders lead to it, so the number of lines is at most that of
    /// the entries.
    ///
    /// # Errors
    /// When the book has no move for the start position.
    pub fn book(&self, plies: usize) -> Result<Book, BookError> {
        let start = Position::default();
        let mut book = Book::new(&self.name);
        let mut seen = HashSet::from([start.key()]);
        let mut level = vec![(start.clone(), Vec::new())];
        for _ in 0..plies {
            let mut next = Vec::new();
            for (position, line) in level {
                let mut moves = self.moves(&position);
                moves.retain(|&(_, weight)| weight > 0);
                moves.sort_by_key(|&(mv, weight)| (std::cmp::Reverse(weight), mv.to_bits()));
                if moves.is_empty() && !line.is_empty() {
                    self.add(&mut book, &start, &line)?;
                }
                for (mv, _) in moves {
                    let mut after = position.clone();
                    after.play(mv);
                    if objection(&after).is_none() && seen.insert(after.key()) {
                        let longer = line.iter().copied().chain([mv]).collect();
                        next.push((after, longer));
                    }
                }
            }
            level = next;
        }
        for (_, line) in level.into_iter().filter(|(_, line)| !line.is_empty() || plies == 0) {
            self.add(&mut book, &start, &line)?;
        }
        book.finish()
    }

    fn add(&self, book: &mut Book, start: &Position, line: &[Move]) -> Result<(), BookError> {
        book.push(start, line).ok_or_else(|| BookError::TooLarge { file: self.name.clone() })
    }
}

impl PolyglotEntry {
    fn from_bytes(bytes: &[u8; Polyglot::ENTRY_BYTES]) -> Self {
        let &[a, b, c, d, e, f, g, h, move_high, move_low, weight_high, weight_low, i, j, k, l] = bytes;
        Self {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            mv: u16::from_be_bytes([move_high, move_low]),
            weight: u16::from_be_bytes([weight_high, weight_low]),
            learn: u32::from_be_bytes([i, j, k, l]),
        }
    }

    /// The legal move that is meant; `None` if there is none, which happens when keys collide.
    #[must_use]
    pub fn legal_move(&self, position: &Position) -> Option<Move> {
        let part = |shift: u32| usize::from(self.mv >> shift & 7);
        let square = |shift: u32| Square::new(File::ALL[part(shift)], Rank::ALL[part(shift + 3)]);
        let (to, from) = (square(0), square(6));
        let promotion = match part(12) {
            0 => None,
            1 => Some(PieceKind::Knight),
            2 => Some(PieceKind::Bishop),
            3 => Some(PieceKind::Rook),
            4 => Some(PieceKind::Queen),
            _ => return None,
        };
        let moves = position.legal_moves();
        let exact = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
        // Some programs write castling as the king's two squares.
        let castling = || {
            let text = format!("{from}{to}");
            let castles = moves.iter().filter(|mv| mv.castling().is_some());
            castles.into_iter().find(|&&mv| position.uci(mv, CastlingForm::KingMove) == text)
        };
        exact.or_else(castling).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_chess::FenMode;

    fn entry(position: &Position, mv: u16, weight: u16) -> Vec<u8> {
        let mut bytes = polyglot_key(position).to_be_bytes().to_vec();
        bytes.extend(mv.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    const fn code(from: (u16, u16), to: (u16, u16), promotion: u16) -> u16 {
        to.0 | to.1 << 3 | from.0 << 6 | from.1 << 9 | promotion << 12
    }

    #[test]
    fn castling_and_promotion_are_understood() {
        let castle = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", FenMode::Strict).unwrap();
        let read = |position: &Position, mv| {
            let book = Polyglot::from_reader("one.bin", &entry(position, mv, 1)[..]).unwrap();
            book.moves(position).first().map(|(mv, _)| mv.to_string())
        };
        assert_eq!(read(&castle, code((4, 0), (7, 0), 0)), Some("e1h1".to_owned()));
        assert_eq!(read(&castle, code((4, 0), (6, 0), 0)), Some("e1h1".to_owned()));
        assert_eq!(read(&castle, code((4, 0), (0, 0), 0)), Some("e1a1".to_owned()));
        let promote = Position::from_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1", FenMode::Strict).unwrap();
        assert_eq!(read(&promote, code((0, 6), (0, 7), 1)), Some("a7a8n".to_owned()));
        assert_eq!(read(&promote, code((0, 6), (0, 7), 4)), Some("a7a8q".to_owned()));
        assert_eq!(read(&promote, code((0, 6), (0, 7), 7)), None);
        assert_eq!(read(&promote, code((0, 6), (1, 7), 4)), None);
    }

    #[test]
    fn lines_follow_weights_and_stop_where_the_book_does() {
        let start = Position::default();
        let mut after = start.clone();
        after.play(start.parse_uci("e2e4").unwrap());
        let mut bytes = entry(&start, code((3, 1), (3, 3), 0), 5); // d2d4
        bytes.extend(entry(&start, code((4, 1), (4, 3), 0), 9)); // e2e4
        bytes.extend(entry(&start, code((0, 1), (0, 2), 0), 0)); // a2a3, never played
        bytes.extend(entry(&after, code((4, 6), (4, 4), 0), 1)); // e7e5
        let polyglot = Polyglot::from_reader("small.bin", &bytes[..]).unwrap();
        assert_eq!(polyglot.moves(&start).len(), 3);
        let book = polyglot.book(2).unwrap();
        let lines: Vec<Vec<String>> = (0..book.len())
            .map(|index| book.opening(index).unwrap().moves.iter().map(ToString::to_string).collect())
            .collect();
        assert_eq!(lines, [vec!["d2d4"], vec!["e2e4", "e7e5"]]);
        assert_eq!(polyglot.book(1).unwrap().len(), 2);
        assert_eq!(polyglot.book(0).unwrap().opening(0).unwrap().moves, []);
    }

    #[test]
    fn a_torn_file_is_refused() {
        let error = Polyglot::from_reader("torn.bin", &[0_u8; 20][..]).unwrap_err();
        assert_eq!(error.to_string(), "torn.bin: line 2: 4 bytes instead of 16");
        let empty = Polyglot::from_reader("empty.bin", &[][..]).unwrap_err();
        assert_eq!(empty.to_string(), "empty.bin: there is no opening in it");
    }
}
