//! Puts a [`Game`] together while its text is replayed.

use kiebitz_chess::{Move, Outcome, Position};

use super::{Game, NodeId};
use crate::annotation::RawComment;
use crate::comment::Comment;
use crate::error::BrokenGame;
use crate::nag::Nag;
use crate::replay::{Visitor, Want};
use crate::tags::Tags;

/// A visitor that keeps the whole game.
#[derive(Debug, Default)]
pub(crate) struct GameBuilder {
    game: Game,
    /// Where the current line stands, and those outside it.
    line: Line,
    outer: Vec<Line>,
    /// Comments of a variation before its first move.
    introduction: Vec<Comment>,
    finished: Option<Result<Game, BrokenGame>>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// The last move.
    at: NodeId,
    /// Whether the line has a move of its own yet.
    begun: bool,
}

impl Default for Line {
    fn default() -> Self {
        Self { at: NodeId::ROOT, begun: true }
    }
}

impl GameBuilder {
    /// The game that was just replayed, or why there is none.
    pub(crate) fn take(&mut self) -> Option<Result<Game, BrokenGame>> {
        self.finished.take()
    }
}

impl Visitor for GameBuilder {
    fn begin(&mut self, tags: &Tags, start: &Position) -> Want {
        self.game = Game::from_tags(tags.clone(), start.clone(), None);
        self.line = Line::default();
        self.outer.clear();
        self.introduction.clear();
        Want::Everything
    }

    fn play(&mut self, _before: &Position, mv: Move) {
        self.line.at = self.game.push(self.line.at, mv);
        self.line.begun = true;
        for comment in std::mem::take(&mut self.introduction) {
            let _ = self.game.add_introduction(self.line.at, comment);
        }
    }

    fn nag(&mut self, nag: Nag) {
        // A glyph before the first move of a line belongs to nothing.
        if self.line.begun {
            let _ = self.game.add_nag(self.line.at, nag);
        }
    }

    fn comment(&mut self, comment: RawComment<'_>) {
        let comment = Comment::from_raw(comment);
        if comment.is_empty() {
            return;
        }
        if self.line.begun {
            self.game.add_comment(self.line.at, comment);
        } else {
            self.introduction.push(comment);
        }
    }

    fn begin_variation(&mut self) {
        self.outer.push(self.line);
        let before = self.game.parent(self.line.at).unwrap_or(NodeId::ROOT);
        self.line = Line { at: before, begun: false };
    }

    fn end_variation(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        self.line = outer;
        // Parentheses without a move: what was said there is said about the move outside.
        for comment in std::mem::take(&mut self.introduction) {
            self.game.add_comment(self.line.at, comment);
        }
    }

    fn end(&mut self, _end: &Position, outcome: Option<Outcome>) {
        let mut game = std::mem::take(&mut self.game);
        game.set_outcome(outcome);
        self.finished = Some(Ok(game));
    }

    fn broken(&mut self, game: BrokenGame) {
        self.finished = Some(Err(game));
    }
}
