//! Chunks of whole games: what the worker threads share out among themselves.
//!
//! A chunk owns its bytes and knows where each of its games is and how they are numbered, so it can be read anywhere,
//! in any order. Memory is bounded by the chunk size, or by [`MAX_GAME_BYTES`] where a single game is larger.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::boundary::{Splitter, Step};
use crate::error::{BrokenGame, BrokenReason, Fault, SourceError};
use crate::replay::{Replay, Visitor};
use crate::source::Source;
use crate::tags::Tags;

/// A longer game is reported as broken and skipped, so that no input can use up the memory.
pub const MAX_GAME_BYTES: usize = 64 << 20;

/// How much text goes into a chunk unless the caller says otherwise: a few hundred games, well inside the second-level
/// cache's reach, and large enough that handing it to a thread costs nothing.
pub const CHUNK_BYTES: usize = 512 << 10;

/// How much is read at a time; also keeps the progress of a file smooth.
const READ_BYTES: usize = 128 << 10;

/// The text of some consecutive games of a file.
#[derive(Clone, Debug)]
pub struct Chunk {
    file: Arc<str>,
    bytes: Vec<u8>,
    games: Vec<Span>,
    /// Number of the first game, counted from 1.
    first_number: u64,
    /// Offset of `bytes` in the decompressed file, and the number of lines before it.
    offset: u64,
    lines_before: u64,
}

/// Where a game is in its chunk.
#[derive(Clone, Debug)]
struct Span {
    range: Range<usize>,
    /// Set if something is wrong that the text of the game does not show.
    fault: Option<BrokenReason>,
}

impl Chunk {
    fn new(file: Arc<str>) -> Self {
        Self { file, bytes: Vec::new(), games: Vec::new(), first_number: 1, offset: 0, lines_before: 0 }
    }

    /// How many games the chunk holds, broken ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether it holds none. No chunk of [`Chunks`] does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The number of its first game in the file, counted from 1.
    #[must_use]
    pub const fn first_number(&self) -> u64 {
        self.first_number
    }

    /// Size of the text, in bytes.
    #[must_use]
    pub const fn text_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The text of each game as it stands in the file.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.games.iter().map(|game| &self.bytes[game.range.clone()])
    }

    /// Shows every game to a visitor, in order.
    pub fn visit<V: Visitor>(&self, visitor: &mut V) {
        let mut replay = Replay::new();
        for index in 0..self.games.len() {
            self.visit_game(index, &mut replay, visitor);
        }
    }

    /// Shows one game to a visitor; `replay` is working memory that may serve game after game.
    pub(crate) fn visit_game<V: Visitor>(&self, index: usize, replay: &mut Replay, visitor: &mut V) {
        let game = &self.games[index];
        let text = &self.bytes[game.range.clone()];
        let result = match &game.fault {
            None => replay.game(text, visitor),
            Some(reason) => {
                replay.tags_only(text);
                Err(Fault { reason: reason.clone(), at: 0 })
            }
        };
        if let Err(fault) = result {
            visitor.broken(self.broken(index, replay.tags(), fault));
        }
    }

    #[cold]
    fn broken(&self, index: usize, tags: &Tags, fault: Fault) -> BrokenGame {
        let at = self.games[index].range.start + fault.at;
        let lines = memchr::memchr_iter(b'\n', &self.bytes[..at.min(self.bytes.len())]).count();
        BrokenGame {
            file: self.file.to_string(),
            number: self.first_number + index as u64,
            line: self.lines_before + lines as u64 + 1,
            offset: self.offset + at as u64,
            headline: tags.headline(),
            reason: fault.reason,
        }
    }
}

/// Cuts a source of games into [`Chunk`]s.
///
/// ```
/// use kiebitz_pgn::{Chunks, Source};
/// let source = Source::from_reader("two.pgn", &b"1. e4 *\n\n1. d4 *\n"[..]);
/// let games: usize = Chunks::new(source).map(|chunk| chunk.map(|chunk| chunk.len()).unwrap_or(0)).sum();
/// assert_eq!(games, 2);
/// ```
#[derive(Debug)]
pub struct Chunks<'a> {
    source: Source<'a>,
    splitter: Splitter,
    target: usize,
    /// The next chunk while it is filled; may end in the middle of a game.
    filling: Chunk,
    /// The game in front of the splitter is longer than [`MAX_GAME_BYTES`] and its beginning is gone.
    oversized: bool,
    end: Option<Result<(), io::Error>>,
}

impl<'a> Chunks<'a> {
    /// Cuts a source into chunks of about [`CHUNK_BYTES`].
    #[must_use]
    pub fn new(source: Source<'a>) -> Self {
        Self::with_chunk_bytes(source, CHUNK_BYTES)
    }

    /// Cuts a source into chunks of at least `target` bytes, the last one excepted.
    #[must_use]
    pub fn with_chunk_bytes(source: Source<'a>, target: usize) -> Self {
        let filling = Chunk::new(source.name_shared());
        Self { source, splitter: Splitter::new(), target, filling, oversized: false, end: None }
    }

    /// The next chunk; `spent`, if any, lends its memory.
    ///
    /// # Errors
    /// When the source cannot be read on. All chunks with the complete games before have been delivered then, and
    /// the next call returns `None`.
    pub fn next_chunk(&mut self, spent: Option<Chunk>) -> Option<Result<Chunk, SourceError>> {
        loop {
            let at_end = self.end.is_some();
            while let Step::Game(range) = self.splitter.advance(&self.filling.bytes, at_end) {
                self.push(range);
                if self.splitter.needed_from() >= self.target {
                    return Some(Ok(self.deliver(spent)));
                }
            }
            if at_end {
                if !self.filling.games.is_empty() {
                    return Some(Ok(self.deliver(spent)));
                }
                return match self.end.replace(Ok(())) {
                    Some(Err(error)) => Some(Err(self.source.error(error))),
                    _ => None,
                };
            }
            // A long game must not keep its finished predecessors waiting, nor them in memory.
            if !self.filling.games.is_empty() && self.filling.bytes.len() >= 2 * self.target {
                return Some(Ok(self.deliver(spent)));
            }
            self.make_room();
            let step = READ_BYTES.min(self.target.max(1));
            if let Some(end) = self.source.read_some(&mut self.filling.bytes, step) {
                self.end = Some(end);
            }
        }
    }

    fn push(&mut self, range: Range<usize>) {
        let cut_off = matches!(self.end, Some(Err(_))) && range.end == self.filling.bytes.len();
        let fault = match (std::mem::take(&mut self.oversized), cut_off) {
            (true, _) => Some(BrokenReason::TooLong),
            (_, true) => Some(BrokenReason::Truncated),
            _ => None,
        };
        self.filling.games.push(Span { range, fault });
    }

    /// Keeps the buffer bounded: throws away what is not needed, and games that are too long.
    fn make_room(&mut self) {
        let needed = self.splitter.needed_from();
        if self.filling.bytes.len() - needed > MAX_GAME_BYTES {
            match self.splitter.give_up(&self.filling.bytes) {
                Some(range) => self.push(range),
                None => self.oversized = true,
            }
        }
        // With games in front of it the rest must stay where it is.
        if self.filling.games.is_empty() {
            let cut = self.splitter.needed_from();
            if cut > 0 {
                self.count(cut);
                self.filling.bytes.drain(..cut);
                self.splitter.cut_front(cut);
            }
        }
    }

    /// Moves the place of the chunk being filled past the first `count` bytes.
    fn count(&mut self, count: usize) {
        self.filling.offset += count as u64;
        self.filling.lines_before += memchr::memchr_iter(b'\n', &self.filling.bytes[..count]).count() as u64;
    }

    /// Hands out what is complete, and goes on with the rest.
    fn deliver(&mut self, spent: Option<Chunk>) -> Chunk {
        let mut chunk = spent.unwrap_or_else(|| Chunk::new(Arc::clone(&self.filling.file)));
        chunk.bytes.clear();
        chunk.games.clear();
        let cut = self.splitter.needed_from();
        chunk.bytes.extend_from_slice(&self.filling.bytes[cut..]);
        chunk.file = Arc::clone(&self.filling.file);
        chunk.first_number = self.filling.first_number;
        chunk.offset = self.filling.offset;
        chunk.lines_before = self.filling.lines_before;
        self.count(cut);
        self.filling.first_number += self.filling.games.len() as u64;
        self.filling.bytes.truncate(cut);
        self.splitter.cut_front(cut);
        std::mem::swap(&mut chunk.bytes, &mut self.filling.bytes);
        std::mem::swap(&mut chunk.games, &mut self.filling.games);
        chunk
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_chunk(None)
    }
}
