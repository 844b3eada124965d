//! Reading games one after the other.

use crate::chunk::{Chunk, Chunks};
use crate::error::{BrokenGame, SourceError};
use crate::game::{Game, GameBuilder};
use crate::replay::{Replay, Visitor};
use crate::source::Source;

/// Reads whole games, in order. A broken game is an item of its own, and the reading goes on after it.
///
/// ```
/// use kiebitz_pgn::{GameReader, Source};
/// let source = Source::from_reader("two.pgn", &b"1. e4 e5 *\n\n1. e5 *\n\n1. d4 *\n"[..]);
/// let games: Vec<_> = GameReader::new(source).map(|game| game.is_ok()).collect();
/// assert_eq!(games, [true, false, true]);
/// ```
#[derive(Debug)]
pub struct GameReader<'a> {
    chunks: Chunks<'a>,
    chunk: Option<Chunk>,
    index: usize,
    replay: Replay,
    builder: GameBuilder,
    error: Option<SourceError>,
}

impl<'a> GameReader<'a> {
    /// Reads the games of a source.
    #[must_use]
    pub fn new(source: Source<'a>) -> Self {
        Self::from_chunks(Chunks::new(source))
    }

    /// Reads the games of chunks, for those who care about their size.
    #[must_use]
    pub fn from_chunks(chunks: Chunks<'a>) -> Self {
        let (replay, builder) = (Replay::new(), GameBuilder::default());
        Self { chunks, chunk: None, index: 0, replay, builder, error: None }
    }

    /// Why the reading ended before the end of the source, if it did. Ask when there are no more games.
    #[must_use]
    pub const fn source_error(&self) -> Option<&SourceError> {
        self.error.as_ref()
    }
}

impl Iterator for GameReader<'_> {
    type Item = Result<Game, BrokenGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(chunk) = self.chunk.as_ref().filter(|chunk| self.index < chunk.len()) {
                chunk.visit_game(self.index, &mut self.replay, &mut self.builder);
                self.index += 1;
                return self.builder.take();
            }
            self.index = 0;
            match self.chunks.next_chunk(self.chunk.take())? {
                Ok(chunk) => self.chunk = Some(chunk),
                Err(error) => {
                    self.error = Some(error);
                    return None;
                }
            }
        }
    }
}

/// Shows every game of a source to a visitor, in order and without keeping any: the fast way on one thread.
///
/// # Errors
/// When the source cannot be read on; the visitor has seen every complete game before that.
pub fn visit<V: Visitor>(source: Source<'_>, visitor: &mut V) -> Result<(), SourceError> {
    let mut chunks = Chunks::new(source);
    let mut spent = None;
    while let Some(chunk) = chunks.next_chunk(spent.take()) {
        let chunk = chunk?;
        chunk.visit(visitor);
        spent = Some(chunk);
    }
    Ok(())
}

impl Chunk {
    /// The games of this chunk, in order.
    pub fn games(&self) -> impl Iterator<Item = Result<Game, BrokenGame>> {
        let (mut replay, mut builder) = (Replay::new(), GameBuilder::default());
        (0..self.len()).filter_map(move |index| {
            self.visit_game(index, &mut replay, &mut builder);
            builder.take()
        })
    }
}
