//! Replays the text of one game on a board: the inner loop of everything that reads games.
//!
//! Text → [`Tokens`] → legal moves on a [`Position`] → a [`Visitor`]. Nothing is allocated per move, and no position is
//! copied: two take turns, so that the one before the last move is always at hand when a variation begins.

use kiebitz_chess::{Color, FenMode, Move, Outcome, PieceKind, Position, San, SanError, Square, Unobserved};

use crate::annotation::RawComment;
use crate::encoding;
use crate::error::{BrokenGame, BrokenReason, EXCERPT, Fault, MoveNumber};
use crate::nag::Nag;
use crate::notation::WrittenMove;
use crate::tags::Tags;
use crate::token::{Token, Tokens};
use crate::variant;

/// How deep variations may be nested.
pub const MAX_VARIATION_DEPTH: usize = 1024;

/// How much of a game a [`Visitor`] wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Want {
    /// Nothing more: on to the next game. Its moves are not looked at.
    Nothing,
    /// The moves as they were played. Variations are skipped; their moves need not be legal.
    MainLine,
    /// Variations, too.
    Everything,
}

/// Sees games go by, one call a move; for those who do not need a whole [`crate::Game`] in memory.
///
/// The calls for a game are [`begin`](Self::begin), then moves, glyphs, comments and variations in the order of the
/// text, then [`end`](Self::end). If the game turns out to be broken, at whatever point, [`broken`](Self::broken) comes
/// instead of `end`, and whatever was seen of that game should be forgotten.
pub trait Visitor {
    /// A game begins. Says how much of it is wanted.
    fn begin(&mut self, tags: &Tags, start: &Position) -> Want {
        let _ = (tags, start);
        Want::MainLine
    }

    /// A move is played in the position `before`. [`Move::NULL`] if the side to move passes: analysts write that, and
    /// some main lines end so.
    fn play(&mut self, before: &Position, mv: Move) {
        let _ = (before, mv);
    }

    /// A glyph for the last move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A comment on the last move, or in front of the first one.
    fn comment(&mut self, comment: RawComment<'_>) {
        let _ = comment;
    }

    /// What follows replaces the last move.
    fn begin_variation(&mut self) {}

    /// Back to where the variation began.
    fn end_variation(&mut self) {}

    /// The movetext ends without a result, not even `*`: whoever wrote it was careless, or the file is cut off here. [`Self::end`] follows.
    fn unterminated(&mut self) {}

    /// The game is complete; `None` if it has no result.
    fn end(&mut self, end: &Position, outcome: Option<Outcome>) {
        let _ = (end, outcome);
    }

    /// The game is broken and is skipped.
    fn broken(&mut self, game: BrokenGame) {
        let _ = game;
    }
}

/// Working memory that serves game after game.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    tags: Tags,
    outer: Vec<Line>,
}

/// A line that waits for its variation to end: where it stands, and where it stood one move ago.
#[derive(Debug)]
struct Line {
    position: Position,
    before: Position,
}

impl Replay {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The tags of the last game.
    pub(crate) fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Reads only the tags of a game.
    pub(crate) fn tags_only(&mut self, text: &[u8]) {
        self.tags.read(text);
    }

    /// Shows a game to a visitor; everything but [`Visitor::broken`] is called here.
    pub(crate) fn game<V: Visitor>(&mut self, text: &[u8], visitor: &mut V) -> Result<(), Fault> {
        let movetext = self.tags.read(text);
        let start = self.start().map_err(|reason| Fault { reason, at: 0 })?;
        let want = visitor.begin(&self.tags, &start);
        if want == Want::Nothing {
            return Ok(());
        }
        let mut tokens = Tokens::new(text, movetext);
        self.outer.clear();
        let (end, marker) =
            self.moves(&mut tokens, start, visitor, want).map_err(|reason| Fault { reason, at: tokens.start() })?;
        if marker.is_none() {
            visitor.unterminated();
        }
        // `*` says nothing, so a result in the tags is better; otherwise the movetext is what was written last.
        visitor.end(&end, marker.flatten().or_else(|| self.tags.result()));
        Ok(())
    }

    fn start(&self) -> Result<Position, BrokenReason> {
        if let Some(name) = self.tags.get("Variant").filter(|name| !variant::is_supported(name)) {
            return Err(BrokenReason::Variant(name.to_owned()));
        }
        let Some(fen) = self.tags.fen() else { return Ok(Position::default()) };
        Position::from_fen(fen, FenMode::Lenient)
            .map_err(|error| BrokenReason::BadFen { fen: fen.to_owned(), problem: error.to_string() })
    }

    /// Replays the movetext; returns where the main line ends, and the result written there.
    fn moves<V: Visitor>(
        &mut self,
        tokens: &mut Tokens<'_>,
        start: Position,
        visitor: &mut V,
        want: Want,
    ) -> Result<(Position, Option<Option<Outcome>>), BrokenReason> {
        let (mut one, mut other) = (start.clone(), start);
        let (mut position, mut before) = (&mut one, &mut other);
        // Whether this line has a move of its own, so that there is something to vary.
        let mut begun = false;
        let mut outcome = None;
        // Parentheses that are open inside a variation which is not wanted.
        let mut skipped = 0_usize;
        while let Some(token) = tokens.next() {
            match token {
                Token::Move(written) if skipped == 0 => {
                    // A result inside a variation is a remark, and more may follow it.
                    if outcome.is_some() && self.outer.is_empty() {
                        return Err(after_result(tokens));
                    }
                    let quick = match written {
                        WrittenMove::San(san) => san.resolve(position).ok(),
                        _ => None,
                    };
                    let mv = match quick {
                        Some(mv) => mv,
                        None => find_move(written, position, tokens)?,
                    };
                    visitor.play(position, mv);
                    if mv == Move::NULL {
                        before.clone_from(position);
                        before.play_null();
                    } else {
                        position.play_into(mv, before, &mut Unobserved);
                    }
                    std::mem::swap(&mut position, &mut before);
                    begun = true;
                }
                Token::Comment(text) if skipped == 0 => visitor.comment(RawComment(text)),
                Token::Nag(nag) if skipped == 0 => visitor.nag(nag),
                Token::Move(_) | Token::Comment(_) | Token::Nag(_) => {}
                Token::Open if skipped > 0 || want == Want::MainLine && begun => {
                    skipped += 1;
                    if skipped > MAX_VARIATION_DEPTH {
                        return Err(BrokenReason::TooDeep);
                    }
                }
                Token::Open => {
                    if !begun {
                        return Err(BrokenReason::StrayParenthesis('('));
                    }
                    if self.outer.len() == MAX_VARIATION_DEPTH {
                        return Err(BrokenReason::TooDeep);
                    }
                    self.outer.push(Line { position: position.clone(), before: before.clone() });
                    position.clone_from(before);
                    begun = false;
                    visitor.begin_variation();
                }
                Token::Close if skipped > 0 => skipped -= 1,
                Token::Close => {
                    let line = self.outer.pop().ok_or(BrokenReason::StrayParenthesis(')'))?;
                    (*position, *before) = (line.position, line.before);
                    begun = true;
                    visitor.end_variation();
                }
                Token::Outcome(marker) => {
                    if skipped == 0 && self.outer.is_empty() {
                        outcome = Some(marker);
                    }
                }
                Token::Unknown(_) | Token::UnclosedComment => return Err(unreadable(token)),
            }
        }
        if skipped > 0 || !self.outer.is_empty() {
            return Err(BrokenReason::UnterminatedVariation);
        }
        Ok((position.clone(), outcome))
    }
}

/// Finds the legal move that is meant where the fast way found none, or says why there is none.
#[inline(never)]
fn find_move(written: WrittenMove, position: &Position, tokens: &Tokens<'_>) -> Result<Move, BrokenReason> {
    let squares = |from: Square, to: Square, promotion: Option<PieceKind>| {
        let letter = promotion.map_or(String::new(), |kind| kind.to_char().to_string());
        position.parse_uci(&format!("{from}{to}{letter}")).ok()
    };
    let found = match written {
        WrittenMove::San(san @ San::Normal { kind: PieceKind::King, file: Some(file), rank: Some(rank), to, .. }) => {
            // `Ke1g1` is castling, spelled out.
            san.resolve(position).ok().or_else(|| squares(Square::new(file, rank), to, None))
        }
        WrittenMove::San(san) => san.resolve(position).ok(),
        WrittenMove::Squares { from, to, promotion } => squares(from, to, promotion),
        WrittenMove::Null => (!position.is_check()).then_some(Move::NULL),
    };
    found.ok_or_else(|| {
        let text = encoding::excerpt(tokens.written(), EXCERPT);
        let place = MoveNumber {
            number: u32::from(position.fullmove_number()),
            black: position.side_to_move() == Color::Black,
        };
        match written {
            WrittenMove::San(san) if matches!(san.resolve(position), Err(SanError::Ambiguous(_))) => {
                BrokenReason::AmbiguousMove { text, place }
            }
            _ => BrokenReason::IllegalMove { text, place },
        }
    })
}

#[cold]
fn after_result(tokens: &Tokens<'_>) -> BrokenReason {
    BrokenReason::AfterResult(encoding::excerpt(tokens.written(), EXCERPT))
}

#[cold]
fn unreadable(token: Token<'_>) -> BrokenReason {
    match token {
        Token::Unknown(word) => BrokenReason::UnknownToken(encoding::excerpt(word, EXCERPT)),
        _ => BrokenReason::UnterminatedComment,
    }
}
