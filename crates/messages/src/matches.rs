//! Matches between engines.

use serde::{Deserialize, Serialize};

use crate::{GameResult, Line};

/// A player of a match and what it has scored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MatchPlayer {
    /// Its name.
    pub name: String,
    /// Games.
    pub games: u32,
    /// Wins.
    pub wins: u32,
    /// Draws.
    pub draws: u32,
    /// Losses.
    pub losses: u32,
    /// Its points as a share of its games, 0 to 1; nothing without games.
    pub score: Option<f64>,
    /// Rating difference against its opponents, in Elo; nothing without games or when everything was won or lost.
    pub elo: Option<f64>,
    /// The 95 % margin of that, plus or minus.
    pub elo_margin: Option<f64>,
}

/// Counts of game pairs of the first player against the second: 0, ½, 1, 1½ and 2 points.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MatchTest {
    /// Pairs by points.
    pub pentanomial: [u32; 5],
    /// What the match itself says of its sequential test, if it has one; a sentence.
    pub verdict: Option<String>,
}

/// A match in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MatchSummary {
    /// Its name in addresses: the path of its folder inside the folder of matches.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is being played.
    pub running: bool,
    /// Games finished.
    pub games: u32,
    /// Who plays.
    pub players: Vec<MatchPlayer>,
    /// When its journal was changed last, in milliseconds since 1970.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub changed_ms: u64,
}

/// A game of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MatchGame {
    /// Its number, from 1, in the order of the journal; of a game in progress, the board that it is played on.
    pub number: u32,
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// How it ended; nothing while it is played.
    pub result: Option<GameResult>,
    /// The moves.
    pub line: Line,
    /// What the mover saw after each move, in centipawns for White; nothing where it said nothing or saw a mate.
    pub scores: Vec<Option<i32>>,
}

/// A match with its latest games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MatchDetail {
    /// What the list says.
    pub summary: MatchSummary,
    /// Pairs, where two players meet.
    pub test: Option<MatchTest>,
    /// What was fixed about it, a line each: time control, openings, ….
    pub settings: Vec<String>,
    /// The games in progress, in the order of their boards; a second behind at most.
    pub live: Vec<MatchGame>,
    /// The latest finished games, the newest first; at most twenty.
    pub latest: Vec<MatchGame>,
}
