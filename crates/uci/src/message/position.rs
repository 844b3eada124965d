//! `position`: where a search begins, and how the game came there.

use std::fmt;

use kiebitz_chess::{CastlingForm, FenError, FenMode, GameHistory, Position, UciMoveError};
use thiserror::Error;

use crate::MoveText;
use crate::complaint::Complaint;
use crate::word::{OneLine, Words, write_moves};

/// A start and the moves since; not yet checked against the rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PositionMessage {
    /// Where the game began.
    pub start: StartPosition,
    /// All moves since then: repetitions are only visible with them.
    pub moves: Vec<MoveText>,
}

/// Where a game began.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StartPosition {
    /// The start position of standard chess.
    Standard,
    /// A FEN as it was given.
    Fen(String),
}

/// Why a position message describes no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The FEN cannot be read or describes no legal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not legal where it stands.
    #[error("move {number} of the position: {reason}")]
    Move {
        /// Which move, counted from 1.
        number: usize,
        /// What is wrong with it.
        reason: UciMoveError,
    },
}

impl PositionMessage {
    /// The message that tells an engine of a game so far. `form` is [`CastlingForm::KingTakesRook`] for an
    /// engine in Chess960 mode; it also gets castling rights as rook files, which are never ambiguous.
    #[must_use]
    pub fn of(game: &GameHistory, form: CastlingForm) -> Self {
        let start = game.start();
        let start = if *start == Position::default() {
            StartPosition::Standard
        } else if form == CastlingForm::KingTakesRook {
            StartPosition::Fen(start.to_shredder_fen())
        } else {
            StartPosition::Fen(start.to_string())
        };
        Self { start, moves: game.past().map(|(position, mv)| MoveText::of(position, mv, form)).collect() }
    }

    /// The game that is described. FENs are read leniently, castling rights and castling moves in every form.
    ///
    /// # Errors
    /// What is wrong with the FEN, or the first illegal move and its number.
    ///
    /// ```
    /// use kiebitz_uci::GuiMessage;
    ///
    /// let line = "position startpos moves e2e4 e7e5 e1g1";
    /// let Some(GuiMessage::Position(message)) = GuiMessage::parse(line).message else { panic!() };
    /// assert_eq!(message.resolve().unwrap_err().to_string(), "move 3 of the position: e1g1 is not legal here");
    /// ```
    pub fn resolve(&self) -> Result<GameHistory, PositionError> {
        let start = match &self.start {
            StartPosition::Standard => Position::default(),
            StartPosition::Fen(fen) => Position::from_fen(fen, FenMode::Lenient)?,
        };
        let mut game = GameHistory::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            let mv = text.resolve(game.position());
            game.play(mv.map_err(|reason| PositionError::Move { number: index + 1, reason })?);
        }
        Ok(game)
    }

    pub(super) fn read(words: &mut Words<'_>) -> Option<Self> {
        let start = match words.next() {
            Some("startpos") => StartPosition::Standard,
            Some("fen") => {
                let fen = words.text_until(|word| word == "moves");
                if fen.is_empty() {
                    words.complain(Complaint::Missing { field: "fen" });
                    return None;
                }
                StartPosition::Fen(fen)
            }
            Some(unknown) => {
                words.skip_unknown(unknown, |word| matches!(word, "startpos" | "fen"));
                words.peek()?;
                return Self::read(words);
            }
            None => {
                words.complain(Complaint::Missing { field: "position" });
                return None;
            }
        };
        if let Some(word) = words.peek().filter(|&word| word != "moves") {
            words.skip_unknown(word, |word| word == "moves");
        }
        // `moves` with nothing behind it is common and harmless.
        let moves = match words.next() {
            Some(_) if words.peek().is_some() => words.moves("moves", |_| false),
            _ => Vec::new(),
        };
        Some(Self { start, moves })
    }
}

impl fmt::Display for PositionMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Standard => formatter.write_str("position startpos")?,
            StartPosition::Fen(fen) => write!(formatter, "position fen {}", OneLine(fen))?,
        }
        write_moves(formatter, "moves", &self.moves)
    }
}
