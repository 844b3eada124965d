//! What can be wrong with a game, and with the file it came from.
//!
//! A broken game is reported and skipped; it never ends the reading. Only a file that cannot be read on does
//! ([`SourceError`]), and even then every complete game before that place has been delivered.

use std::fmt;
use std::io;

use thiserror::Error;

/// Longest piece of the file's own text that a message repeats, in characters.
pub(crate) const EXCERPT: usize = 40;

/// A file, or another source of games, that could not be opened or read on.
#[derive(Debug, Error)]
#[error("{file}: {problem}: {error}")]
pub struct SourceError {
    /// The file as the caller named it.
    pub file: String,
    /// What was being done.
    pub problem: SourceProblem,
    /// What the operating system or the decompressor said.
    #[source]
    pub error: io::Error,
}

/// What was being done when a source failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SourceProblem {
    /// The file could not be opened.
    Open,
    /// The bytes could not be read.
    Read,
    /// The compressed data is cut off or damaged.
    Decompress,
}

impl fmt::Display for SourceProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Open => "cannot be opened",
            Self::Read => "cannot be read",
            Self::Decompress => "compressed data is cut off or damaged",
        })
    }
}

/// A game that was skipped, with everything a person needs to find it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}: game {number}, line {line} ({headline}): {reason}")]
pub struct BrokenGame {
    /// The file as the caller named it.
    pub file: String,
    /// Which game of the file, counted from 1, broken games included.
    pub number: u64,
    /// Line of the fault in the (decompressed) file, counted from 1.
    pub line: u64,
    /// Where the fault is, in bytes from the beginning of the (decompressed) file.
    pub offset: u64,
    /// Who played, and where: `Kasparov – Deep Blue, New York 1997`.
    pub headline: String,
    /// What is wrong.
    pub reason: BrokenReason,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BrokenReason {
    /// No legal move fits what is written.
    #[error("move {place} {text} is not legal")]
    IllegalMove {
        /// The move as written.
        text: String,
        /// Its number, such as `12.` or `12...`.
        place: MoveNumber,
    },
    /// More than one legal move fits what is written.
    #[error("move {place} {text} is ambiguous")]
    AmbiguousMove {
        /// The move as written.
        text: String,
        /// Its number, such as `12.` or `12...`.
        place: MoveNumber,
    },
    /// The `FEN` tag is not a position that can be played from.
    #[error("the FEN tag {fen:?} is not a position: {problem}")]
    BadFen {
        /// The tag's value.
        fen: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A game by other rules than those of chess or Chess960.
    #[error("the variant {0} is not supported")]
    Variant(String),
    /// A word in the movetext that is neither a move nor anything else PGN knows.
    #[error("{0:?} is neither a move nor anything else that belongs here")]
    UnknownToken(String),
    /// Another move after the result.
    #[error("{0} follows the result")]
    AfterResult(String),
    /// A `{` without its `}`.
    #[error("a comment is not closed")]
    UnterminatedComment,
    /// A `(` without its `)`.
    #[error("a variation is not closed")]
    UnterminatedVariation,
    /// A `)` without its `(`, or a variation where there is no move to vary.
    #[error("a {0} that belongs to nothing")]
    StrayParenthesis(char),
    /// Variations nested deeper than [`crate::MAX_VARIATION_DEPTH`].
    #[error("variations are nested deeper than {}", crate::MAX_VARIATION_DEPTH)]
    TooDeep,
    /// A game longer than [`crate::MAX_GAME_BYTES`].
    #[error("longer than {} MiB", crate::MAX_GAME_BYTES >> 20)]
    TooLong,
    /// The file ends, or cannot be read on, inside this game.
    #[error("the file cannot be read to the end of this game")]
    Truncated,
}

impl BrokenReason {
    /// The kind of fault, for counting.
    #[must_use]
    pub const fn kind(&self) -> BrokenKind {
        match self {
            Self::IllegalMove { .. } => BrokenKind::IllegalMove,
            Self::AmbiguousMove { .. } => BrokenKind::AmbiguousMove,
            Self::BadFen { .. } => BrokenKind::BadFen,
            Self::Variant(_) => BrokenKind::Variant,
            Self::UnknownToken(_) => BrokenKind::UnknownToken,
            Self::AfterResult(_) => BrokenKind::AfterResult,
            Self::UnterminatedComment => BrokenKind::UnterminatedComment,
            Self::UnterminatedVariation | Self::StrayParenthesis(_) => BrokenKind::Parentheses,
            Self::TooDeep | Self::TooLong => BrokenKind::TooLarge,
            Self::Truncated => BrokenKind::Truncated,
        }
    }
}

/// The kinds of fault, for counting; ordered as a report lists them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BrokenKind {
    /// [`BrokenReason::IllegalMove`]
    IllegalMove,
    /// [`BrokenReason::AmbiguousMove`]
    AmbiguousMove,
    /// [`BrokenReason::BadFen`]
    BadFen,
    /// [`BrokenReason::Variant`]
    Variant,
    /// [`BrokenReason::UnknownToken`]
    UnknownToken,
    /// [`BrokenReason::AfterResult`]
    AfterResult,
    /// [`BrokenReason::UnterminatedComment`]
    UnterminatedComment,
    /// [`BrokenReason::UnterminatedVariation`] and [`BrokenReason::StrayParenthesis`]
    Parentheses,
    /// [`BrokenReason::TooDeep`] and [`BrokenReason::TooLong`]
    TooLarge,
    /// [`BrokenReason::Truncated`]
    Truncated,
}

impl fmt::Display for BrokenKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::IllegalMove => "illegal move",
            Self::AmbiguousMove => "ambiguous move",
            Self::BadFen => "bad FEN tag",
            Self::Variant => "unsupported variant",
            Self::UnknownToken => "unknown token",
            Self::AfterResult => "moves after the result",
            Self::UnterminatedComment => "unterminated comment",
            Self::Parentheses => "unbalanced parentheses",
            Self::TooLarge => "too large",
            Self::Truncated => "truncated",
        })
    }
}

/// The number in front of a move: `12.` for White's, `12...` for Black's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveNumber {
    /// The number of the full move.
    pub number: u32,
    /// Whether Black is to move.
    pub black: bool,
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.number, if self.black { "..." } else { "." })
    }
}

/// Why a game is broken, and how far into its text: what the inner layers report before file and number are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) reason: BrokenReason,
    /// Bytes from the beginning of the game's text.
    pub(crate) at: usize,
}
