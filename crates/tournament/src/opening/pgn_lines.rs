//! PGN files: the first moves of every game.

use kiebitz_chess::{Move, Outcome, Position};
use kiebitz_pgn::{BrokenGame, Source, Tags, Visitor, Want};

use super::book::objection;
use super::book_error::BrokenLines;
use super::{Book, BookError};

impl Book {
    /// Takes the first `plies` moves (all if `None`) of the main line of every game; games that are shorter are taken
    /// as they are.
    ///
    /// # Errors
    /// When the source fails, when a game is broken, even behind the moves that are taken, or over before it begins,
    /// and when there is no game.
    pub fn from_pgn(source: Source<'_>, plies: Option<usize>) -> Result<Self, BookError> {
        let name = source.name().to_owned();
        let mut collector = Collector {
            book: Self::new(&name),
            broken: BrokenLines::default(),
            plies: plies.unwrap_or(usize::MAX),
            start: Position::default(),
            moves: Vec::new(),
            ended: false,
            games: 0,
            full: false,
        };
        kiebitz_pgn::visit(source, &mut collector)?;
        collector.broken.check(&name)?;
        if collector.full {
            return Err(BookError::TooLarge { file: name });
        }
        collector.book.finish()
    }
}

struct Collector {
    book: Book,
    broken: BrokenLines,
    plies: usize,
    start: Position,
    moves: Vec<Move>,
    /// Whether enough moves have been seen, or a side has passed: nothing behind that can be played.
    ended: bool,
    /// Games seen so far, broken ones included.
    games: u64,
    full: bool,
}

impl Visitor for Collector {
    fn begin(&mut self, _: &Tags, start: &Position) -> Want {
        self.start = start.clone();
        self.moves.clear();
        self.ended = false;
        Want::MainLine
    }

    fn play(&mut self, _: &Position, mv: Move) {
        self.ended |= mv == Move::NULL || self.moves.len() >= self.plies;
        if !self.ended {
            self.moves.push(mv);
        }
    }

    fn end(&mut self, _: &Position, _: Option<Outcome>) {
        self.games += 1;
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&mv| position.play(mv));
        match objection(&position) {
            Some(objection) => self.broken.add(None, format!("game {}: {objection}", self.games)),
            None => self.full |= self.book.push(&self.start, &self.moves).is_none(),
        }
    }

    fn broken(&mut self, game: BrokenGame) {
        self.games += 1;
        self.broken.add(game.line, format!("game {}: {}", game.number, game.reason));
    }
}
