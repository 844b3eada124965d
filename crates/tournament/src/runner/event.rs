//! What happens during a match, for whoever watches.

use serde::Serialize;

use super::report::MatchReport;
use super::standing::Standing;
use crate::game::{GameRecord, Note};
use crate::pairing::PlannedGame;

/// Something happened. As JSON every event is an object whose `event` says which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The match begins, or goes on.
    MatchBegun {
        /// The players' names.
        players: Vec<String>,
        /// What the engines call themselves.
        engines: Vec<String>,
        /// How many games there will be at most, if that is known.
        planned: Option<u64>,
        /// How many are finished already.
        resumed: u64,
    },
    /// A game begins.
    GameBegun {
        /// Encounter, turn and leg.
        game: String,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The worker that plays it, from 0.
        worker: usize,
    },
    /// A game is finished and safe.
    GameFinished {
        /// Encounter, turn and leg.
        game: String,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// `1-0`, `0-1` or `1/2-1/2`.
        result: String,
        /// Why it ended.
        reason: String,
        /// Moves of both players together, without the opening.
        plies: usize,
        /// How long it took.
        seconds: f64,
        /// What players did wrong without losing by it.
        notes: Vec<String>,
        /// Everything, for programs that link this library.
        #[serde(skip)]
        record: Box<GameRecord>,
    },
    /// A game lost on time because the machine stalled does not count and is played again.
    GameReplayed {
        /// Encounter, turn and leg.
        game: String,
        /// How it had ended.
        reason: String,
    },
    /// An engine will be started again.
    EngineRestarted {
        /// The player.
        player: String,
        /// Why.
        reason: String,
    },
    /// The whole machine stood still.
    Stall {
        /// For how long.
        seconds: f64,
    },
    /// Results have been released.
    Standing(Standing),
    /// The match is over.
    MatchFinished {
        /// Everything about it.
        report: Box<MatchReport>,
    },
}

/// A game's name in events.
pub(super) fn game_name(game: &PlannedGame) -> String {
    format!("{}.{}.{}", game.id.encounter, game.id.turn, game.id.leg)
}

/// A note in events.
pub(super) fn note_text(note: &Note) -> String {
    format!("{}: {}", note.color, note.text)
}
