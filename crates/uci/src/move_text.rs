//! Moves as text, until somebody asks what they mean in a position.

use std::fmt::{self, Write as _};

use kiebitz_chess::{CastlingForm, Move, PieceKind, Position, Square, UciMoveError};
use thiserror::Error;

/// A word that stands where the protocol wants a move.
///
/// Nothing is lost: an unreadable word is kept as it is, so that an error can show it. Only
/// [`resolve`](Self::resolve) knows the rules.
///
/// ```
/// use kiebitz_chess::Position;
/// use kiebitz_uci::MoveText;
///
/// let position = Position::default();
/// assert!(MoveText::from("e2e4").resolve(&position).is_ok());
/// assert!(MoveText::from("e2e5").resolve(&position).is_err());
/// assert!(!MoveText::from("Nf3").is_readable());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MoveText {
    /// Two squares and perhaps a promotion.
    Squares {
        /// Where the piece comes from.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes; a letter the rules do not know makes a word unreadable.
        promotion: Option<PieceKind>,
    },
    /// `0000`: no move.
    Null,
    /// Anything else.
    Unreadable(Box<str>),
}

impl MoveText {
    /// Whether the word has the form of a move, `0000` included.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        !matches!(self, Self::Unreadable(_))
    }

    /// The legal move that is meant; castling in either form.
    ///
    /// # Errors
    /// Says whether the text is no move at all or an illegal one.
    pub fn resolve(&self, position: &Position) -> Result<Move, UciMoveError> {
        if let Self::Squares { from, to, promotion } = *self
            && let Some(mv) = position.legal_move(from, to, promotion)
        {
            return Ok(mv);
        }
        // What is wrong is said by who reads texts.
        position.parse_uci(&self.to_string())
    }

    /// A legal move as text.
    #[must_use]
    pub fn of(position: &Position, mv: Move, form: CastlingForm) -> Self {
        // Only castling is written in two ways.
        if mv.castling().is_some() {
            return Self::from(position.uci(mv, form).as_str());
        }
        Self::Squares { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
    }

    /// Whether this is how the move is to be written: an engine in Chess960 mode castles `e1h1`, else `e1g1`.
    #[must_use]
    pub fn is_written_as(&self, position: &Position, mv: Move, form: CastlingForm) -> bool {
        *self == Self::of(position, mv, form)
    }
}

/// Reads any word. A promotion in capitals, `e7e8Q`, is understood.
impl From<&str> for MoveText {
    fn from(word: &str) -> Self {
        if word == "0000" {
            return Self::Null;
        }
        read_squares(word).unwrap_or_else(|| Self::Unreadable(word.into()))
    }
}

fn read_squares(word: &str) -> Option<MoveText> {
    let from = word.get(0..2)?.parse().ok()?;
    let to = word.get(2..4)?.parse().ok()?;
    let promotion = match word.get(4..)? {
        "" => None,
        "q" | "Q" => Some(PieceKind::Queen),
        "r" | "R" => Some(PieceKind::Rook),
        "b" | "B" => Some(PieceKind::Bishop),
        "n" | "N" => Some(PieceKind::Knight),
        _ => return None,
    };
    Some(MoveText::Squares { from, to, promotion })
}

impl fmt::Display for MoveText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Squares { from, to, promotion } => {
                for square in [from, to] {
                    formatter.write_char(square.file().to_char())?;
                    formatter.write_char(square.rank().to_char())?;
                }
                promotion.map_or(Ok(()), |kind| formatter.write_char(kind.to_char().to_ascii_lowercase()))
            }
            Self::Null => formatter.write_str("0000"),
            Self::Unreadable(word) => {
                // A word must stay one word and on one line, whoever made it.
                let mut parts = word.split(|letter: char| letter.is_ascii_whitespace());
                parts.try_for_each(|part| formatter.write_str(part))
            }
        }
    }
}

/// A line of play that leaves the rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move {ply} of the line: {reason} ({fen})")]
pub struct IllegalLine {
    /// The moves before it, which are legal.
    pub legal: Vec<Move>,
    /// Which move of the line is the first illegal one, counted from 1.
    pub ply: usize,
    /// Why.
    pub reason: UciMoveError,
    /// The position in which it is not legal.
    pub fen: String,
}

/// The moves of a principal variation that begins in `position`.
///
/// # Errors
/// The first move that is not legal, with its number and all legal moves before it.
///
/// ```
/// use kiebitz_chess::Position;
/// use kiebitz_uci::{MoveText, resolve_line};
///
/// let line = ["e2e4", "e7e5", "e4e5"].map(MoveText::from);
/// let error = resolve_line(&Position::default(), &line).unwrap_err();
/// assert_eq!((error.ply, error.legal.len()), (3, 2));
/// ```
pub fn resolve_line(position: &Position, line: &[MoveText]) -> Result<Vec<Move>, IllegalLine> {
    let mut position = position.clone();
    let mut legal = Vec::with_capacity(line.len());
    for (index, text) in line.iter().enumerate() {
        match text.resolve(&position) {
            Ok(mv) => {
                position.play(mv);
                legal.push(mv);
            }
            Err(reason) => {
                return Err(IllegalLine { legal, ply: index + 1, reason, fen: position.to_string() });
            }
        }
    }
    Ok(legal)
}
