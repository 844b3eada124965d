//! Games as documents: a tree of moves that the page edits and the server checks and keeps.

use serde::{Deserialize, Serialize};

use crate::{Player, ScoreView};

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// A position with its past: where it began, and the moves since.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Line {
    /// The start as FEN.
    pub start: String,
    /// Moves in UCI notation. Castling is understood in both forms, `e1g1` and `e1h1`; the server writes the first
    /// in standard chess, the second where the position is one of Chess960.
    pub moves: Vec<String>,
}

/// A tag of a game, such as `Event`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// Time for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ClockSetting {
    /// What either side begins with.
    pub initial_ms: u32,
    /// What a move adds.
    pub increment_ms: u32,
}

/// A move in the tree of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameNode {
    /// The index of the move before it, always a smaller one; nothing at the start. Of several moves with the same parent the
    /// first is the main line.
    pub parent: Option<u32>,
    /// The move in UCI notation.
    pub uci: String,
    /// The move in algebraic notation; the server writes it anew.
    pub san: String,
    /// Numeric glyphs: 1 is `!`, 2 is `?`, 4 is `??`, 6 is `?!`.
    pub nags: Vec<u16>,
    /// What is said about it.
    pub comment: String,
    /// What it was judged, if somebody did.
    pub score: Option<ScoreView>,
    /// What the mover's clock showed after it.
    pub clock_ms: Option<u32>,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// White.
    White,
    /// Black.
    Black,
    /// Nobody.
    Draw,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// Why, in words: `checkmate`, `resignation`, `agreement`, `time`, ….
    pub reason: String,
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameDocument {
    /// Its name in addresses: letters, digits and hyphens. Whoever creates a game leaves it empty.
    pub id: String,
    /// Counts the changes. A change names the revision it began with, so that two pages do not overwrite each other.
    pub revision: u32,
    /// When it was created, in milliseconds since 1970; the server's clock.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub created_ms: u64,
    /// When it was changed last.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub changed_ms: u64,
    /// Who plays White.
    pub white: Player,
    /// Who plays Black.
    pub black: Player,
    /// The clock, if there is one.
    pub clock: Option<ClockSetting>,
    /// The start as FEN.
    pub start: String,
    /// Every move, parents before children.
    pub nodes: Vec<GameNode>,
    /// Where the page stands: an index into the nodes, or nothing at the start.
    pub current: Option<u32>,
    /// How it ended.
    pub result: Option<GameResult>,
    /// Tags, for PGN.
    pub tags: Vec<Tag>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameSummary {
    /// Its name in addresses.
    pub id: String,
    /// When it was changed last, in milliseconds since 1970.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub changed_ms: u64,
    /// Who plays White.
    pub white: Player,
    /// Who plays Black.
    pub black: Player,
    /// Moves of the main line, in plies.
    pub plies: u32,
    /// How it ended.
    pub result: Option<GameResult>,
    /// The last position of the main line as FEN.
    pub fen: String,
}

/// Games in PGN, to be imported or as an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PgnText {
    /// The text.
    pub pgn: String,
}

/// What came of an import.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportedGames {
    /// The games, saved.
    pub games: Vec<GameDocument>,
    /// What is wrong with the others, a sentence each.
    pub broken: Vec<String>,
}
