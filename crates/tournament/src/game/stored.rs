//! A game as a line of JSON: what a journal keeps, and what other programs can read.
//!
//! Moves are in UCI notation with castling as king takes rook, scores in UCI's words, times in seconds.
//!
//! **Invariant:** what is read was legal chess or is refused: a [`GameRecord`] made from a stored game keeps all promises
//! of records.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kiebitz_chess::{CastlingForm, Color, Ending, FenMode, Move, Outcome, Position, Score};
use serde::{Deserialize, Serialize};

use super::{GameRecord, MoveRecord, Note, Termination};
use crate::Adjudication;
use crate::opening::Opening;
use crate::pairing::{GameId, PlannedGame, Player};

/// A game in plain words and numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredGame {
    encounter: u32,
    turn: u32,
    leg: u32,
    round: u32,
    white: u32,
    black: u32,
    opening: u64,
    /// When it began, in seconds since 1970.
    begun: f64,
    seconds: f64,
    start: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    book: Vec<String>,
    moves: Vec<StoredMove>,
    result: String,
    end: StoredEnd,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<StoredNote>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct StoredMove {
    #[serde(rename = "m")]
    mv: String,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(rename = "t")]
    seconds: f64,
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct StoredNote {
    color: String,
    text: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct StoredEnd {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    loser: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    late: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stalled: Option<f64>,
}

/// Why a stored game is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoredGameError {
    /// Not the JSON of a game.
    #[error("is not a stored game: {0}")]
    Json(String),
    /// Well formed, but not chess, or not consistent.
    #[error("is not a game: {0}")]
    Senseless(String),
}

fn senseless(what: impl Into<String>) -> StoredGameError {
    StoredGameError::Senseless(what.into())
}

const ENDINGS: [(&str, Ending); 7] = [
    ("checkmate", Ending::Checkmate { winner: Color::White }),
    ("stalemate", Ending::Stalemate),
    ("insufficient material", Ending::InsufficientMaterial),
    ("fifty moves", Ending::FiftyMoves),
    ("threefold repetition", Ending::ThreefoldRepetition),
    ("seventy-five moves", Ending::SeventyFiveMoves),
    ("fivefold repetition", Ending::FivefoldRepetition),
];

fn color_word(color: Color) -> String {
    color.to_string()
}

fn read_color(word: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.to_string() == word)
}

fn read_outcome(text: &str) -> Option<Outcome> {
    let all = [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw];
    all.into_iter().find(|outcome| outcome.to_string() == text)
}

fn read_seconds(seconds: f64) -> Result<Duration, StoredGameError> {
    Duration::try_from_secs_f64(seconds).map_err(|_| senseless(format!("{seconds} is no time")))
}

impl StoredEnd {
    fn of(termination: &Termination) -> Self {
        let mut end = Self { kind: String::new(), loser: None, reason: None, late: None, moved: None, stalled: None };
        end.loser = termination.culprit().map(color_word);
        end.kind = match termination {
            Termination::Rules(ending) => {
                let same = |known: &Ending| std::mem::discriminant(known) == std::mem::discriminant(ending);
                let name = ENDINGS.iter().find(|(_, known)| same(known)).map(|(name, _)| *name);
                name.unwrap_or("checkmate").to_owned()
            }
            Termination::Adjudicated(Adjudication::Draw) => "draw adjudication".to_owned(),
            Termination::Adjudicated(Adjudication::Resignation { .. }) => "resignation".to_owned(),
            Termination::Adjudicated(Adjudication::TooLong) => "length".to_owned(),
            Termination::Tablebase(_) => "tablebase".to_owned(),
            Termination::TimeForfeit { late, moved, stalled, .. } => {
                end.late = Some(late.as_secs_f64());
                end.moved = Some(*moved);
                end.stalled = stalled.map(|stalled| stalled.as_secs_f64());
                "time".to_owned()
            }
            Termination::IllegalMove { reason, .. } => {
                end.reason = Some(reason.clone());
                "illegal move".to_owned()
            }
            Termination::Crash { reason, .. } => {
                end.reason = Some(reason.clone());
                "crash".to_owned()
            }
            Termination::Hang { reason, .. } => {
                end.reason = Some(reason.clone());
                "hang".to_owned()
            }
        };
        end
    }

    fn termination(&self, outcome: Outcome) -> Result<Termination, StoredGameError> {
        let loser = || {
            let named = self.loser.as_deref().and_then(read_color);
            named.ok_or_else(|| senseless("nobody is named who lost"))
        };
        let reason = || self.reason.clone().unwrap_or_default();
        let winner = || match outcome {
            Outcome::Win(winner) => Ok(winner),
            Outcome::Draw => Err(senseless("a draw without a loser cannot be a resignation")),
        };
        Ok(match self.kind.as_str() {
            "checkmate" => Termination::Rules(Ending::Checkmate { winner: winner()? }),
            "draw adjudication" => Termination::Adjudicated(Adjudication::Draw),
            "resignation" => Termination::Adjudicated(Adjudication::Resignation { winner: winner()? }),
            "length" => Termination::Adjudicated(Adjudication::TooLong),
            "tablebase" => Termination::Tablebase(outcome),
            "time" => Termination::TimeForfeit {
                loser: loser()?,
                late: read_seconds(self.late.unwrap_or(0.0))?,
                moved: self.moved.unwrap_or(true),
                stalled: self.stalled.map(read_seconds).transpose()?,
            },
            "illegal move" => Termination::IllegalMove { loser: loser()?, reason: reason() },
            "crash" => Termination::Crash { loser: loser()?, reason: reason() },
            "hang" => Termination::Hang { loser: loser()?, reason: reason() },
            other => match ENDINGS.iter().find(|(name, _)| *name == other) {
                Some((_, ending)) => Termination::Rules(*ending),
                None => return Err(senseless(format!("'{other}' is no way to end"))),
            },
        })
    }
}

impl From<&GameRecord> for StoredGame {
    fn from(record: &GameRecord) -> Self {
        let mut position = record.opening.start.clone();
        let mut write = |mv: Move| {
            let text = position.uci(mv, CastlingForm::KingTakesRook);
            position.play(mv);
            text
        };
        let book = record.opening.moves.iter().map(|&mv| write(mv)).collect();
        let moves = record.moves.iter().map(|record| StoredMove {
            mv: write(record.mv),
            score: record.score.map(Score::value),
            depth: record.depth,
            nodes: record.nodes,
            seconds: record.elapsed.as_secs_f64(),
            clock: record.clock.map(|clock| clock.as_secs_f64()),
        });
        let moves = moves.collect();
        let game = &record.game;
        Self {
            encounter: game.id.encounter,
            turn: game.id.turn,
            leg: game.id.leg,
            round: game.round,
            white: game.white.0,
            black: game.black.0,
            opening: game.opening,
            begun: record.begun.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64(),
            seconds: record.duration.as_secs_f64(),
            start: record.opening.start.to_shredder_fen(),
            book,
            moves,
            result: record.outcome().to_string(),
            end: StoredEnd::of(&record.termination),
            notes: record
                .notes
                .iter()
                .map(|note| StoredNote { color: color_word(note.color), text: note.text.clone() })
                .collect(),
        }
    }
}

impl StoredGame {
    /// The line, without its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a line.
    ///
    /// # Errors
    /// When it is not the JSON of a game.
    pub fn from_line(line: &str) -> Result<Self, StoredGameError> {
        serde_json::from_str(line).map_err(|error| StoredGameError::Json(error.to_string()))
    }

    /// The game, checked by the rules.
    ///
    /// # Errors
    /// When a position, a move or the end makes no sense.
    pub fn record(&self) -> Result<GameRecord, StoredGameError> {
        let start = Position::from_fen(&self.start, FenMode::Lenient);
        let start = start.map_err(|error| senseless(format!("start position: {error}")))?;
        let mut position = start.clone();
        let mut read = |text: &str| {
            let mv = position.parse_uci(text).map_err(|error| senseless(error.to_string()))?;
            position.play(mv);
            Ok::<Move, StoredGameError>(mv)
        };
        let book = self.book.iter().map(|text| read(text)).collect::<Result<_, _>>()?;
        let mut moves = Vec::with_capacity(self.moves.len());
        for stored in &self.moves {
            moves.push(MoveRecord {
                mv: read(&stored.mv)?,
                score: stored.score.map(read_score),
                depth: stored.depth,
                nodes: stored.nodes,
                elapsed: read_seconds(stored.seconds)?,
                clock: stored.clock.map(read_seconds).transpose()?,
            });
        }
        let outcome = read_outcome(&self.result).ok_or_else(|| senseless(format!("'{}' is no result", self.result)))?;
        let termination = self.end.termination(outcome)?;
        if termination.outcome() != outcome {
            return Err(senseless(format!("it ends {termination}, but {}", self.result)));
        }
        let note = |note: &StoredNote| {
            let color = read_color(&note.color).ok_or_else(|| senseless("a note about nobody"))?;
            Ok::<Note, StoredGameError>(Note { color, text: note.text.clone() })
        };
        let begun = UNIX_EPOCH.checked_add(read_seconds(self.begun)?);
        Ok(GameRecord {
            game: PlannedGame {
                id: GameId { encounter: self.encounter, turn: self.turn, leg: self.leg },
                round: self.round,
                white: Player(self.white),
                black: Player(self.black),
                opening: self.opening,
            },
            opening: Opening { start, moves: book },
            moves,
            termination,
            begun: begun.unwrap_or(SystemTime::UNIX_EPOCH),
            duration: read_seconds(self.seconds)?,
            notes: self.notes.iter().map(note).collect::<Result<_, _>>()?,
        })
    }
}

/// The score whose plain number this is.
fn read_score(value: i32) -> Score {
    let mate = Score::MATE.value();
    let distance = mate.saturating_sub(value.saturating_abs()).max(0).unsigned_abs();
    match value {
        _ if distance > Score::LONGEST_MATE => Score::centipawns(value),
        _ if value > 0 => Score::mate_in(distance),
        _ => Score::mated_in(distance),
    }
}

#[cfg(test)]
mod tests;
