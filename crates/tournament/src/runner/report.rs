//! What a match came to.

use std::time::Duration;

use kiebitz_chess::Color;
use serde::Serialize;

use super::delays::DelaySummary;
use super::standing::{Bar, Standing};
use crate::game::{GameRecord, Termination};
use crate::statistics::{GameResult, Trinomial};

/// Why a match ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Conclusion {
    /// Every game has been played.
    Played,
    /// All players but one are out.
    Knockout {
        /// The name of the one who is left.
        winner: String,
    },
    /// The test is decided.
    Sprt {
        /// For which hypothesis.
        decision: String,
        /// The log-likelihood ratio.
        llr: f64,
    },
    /// One candidate is left.
    Race {
        /// Its name.
        winner: String,
    },
    /// Somebody stopped it from outside; it can be resumed.
    Stopped,
}

/// What is counted about one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    games: Trinomial,
    time_losses: u64,
    stalled_losses: u64,
    crashes: u64,
    hangs: u64,
    illegal_moves: u64,
    notes: u64,
    moves: u64,
    thought: Duration,
    nodes: u64,
    /// Time of the moves whose nodes are known.
    thought_with_nodes: Duration,
    depth: u64,
    moves_with_depth: u64,
}

impl Tally {
    pub(super) fn count(&mut self, record: &GameRecord, color: Color) {
        self.games.record(GameResult::of(record.outcome(), color));
        if record.termination.culprit() == Some(color) {
            match &record.termination {
                Termination::TimeForfeit { stalled: Some(_), .. } => self.stalled_losses += 1,
                Termination::TimeForfeit { .. } => self.time_losses += 1,
                Termination::Crash { .. } => self.crashes += 1,
                Termination::Hang { .. } => self.hangs += 1,
                Termination::IllegalMove { .. } => self.illegal_moves += 1,
                Termination::Rules(_) | Termination::Adjudicated(_) | Termination::Tablebase(_) => {}
            }
        }
        self.notes += record.notes.iter().filter(|note| note.color == color).count() as u64;
        let first = record.opening.position().side_to_move();
        for told in record.moves.iter().skip(usize::from(first != color)).step_by(2) {
            self.moves += 1;
            self.thought += told.elapsed;
            if let Some(nodes) = told.nodes {
                self.nodes = self.nodes.saturating_add(nodes);
                self.thought_with_nodes += told.elapsed;
            }
            if let Some(depth) = told.depth {
                self.depth += u64::from(depth);
                self.moves_with_depth += 1;
            }
        }
    }

    pub(super) fn report(&self, name: &str, engine: &str, limit: &str, rating: Option<Bar>) -> PlayerReport {
        let ratio = |sum: f64, count: f64| (count > 0.0).then_some(sum / count);
        PlayerReport {
            name: name.to_owned(),
            engine: engine.to_owned(),
            limit: limit.to_owned(),
            rating,
            games: self.games.games(),
            points: self.games.points(),
            wins: self.games.wins,
            draws: self.games.draws,
            losses: self.games.losses,
            time_losses: self.time_losses,
            stalled_losses: self.stalled_losses,
            crashes: self.crashes,
            hangs: self.hangs,
            illegal_moves: self.illegal_moves,
            protocol_notes: self.notes,
            moves: self.moves,
            seconds_per_move: ratio(self.thought.as_secs_f64(), self.moves as f64),
            nodes_per_second: ratio(self.nodes as f64, self.thought_with_nodes.as_secs_f64()),
            depth: ratio(self.depth as f64, self.moves_with_depth as f64),
        }
    }
}

/// One player's part in a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerReport {
    /// Its name in this match.
    pub name: String,
    /// What the engine calls itself.
    pub engine: String,
    /// What limits its thinking.
    pub limit: String,
    /// Its place on the rating list, for three players and more; the average of all is 0.
    pub rating: Option<Bar>,
    /// Games.
    pub games: u64,
    /// Points.
    pub points: f64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost on time while the machine ran smoothly.
    pub time_losses: u64,
    /// Games lost on time while the machine stalled.
    pub stalled_losses: u64,
    /// Games lost because the program ended.
    pub crashes: u64,
    /// Games lost because the program did not answer.
    pub hangs: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
    /// Departures from the protocol that cost no game.
    pub protocol_notes: u64,
    /// Moves made.
    pub moves: u64,
    /// Average thinking time.
    pub seconds_per_move: Option<f64>,
    /// Average speed.
    pub nodes_per_second: Option<f64>,
    /// Average depth.
    pub depth: Option<f64>,
}

/// What a match came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchReport {
    /// Its name.
    pub event: String,
    /// Why it ended.
    pub conclusion: Conclusion,
    /// The players, in the order of the settings.
    pub players: Vec<PlayerReport>,
    /// Who scored what against whom, the test, the race.
    pub standing: Standing,
    /// Games played by this run of the program.
    pub played_now: u64,
    /// Games taken over from an interrupted run.
    pub resumed: u64,
    /// Finished games that do not count: played in advance when the match was decided.
    pub left_out: u64,
    /// Games played again because the machine stalled.
    pub replayed: u64,
    /// Times the whole machine stood still.
    pub stalls: u64,
    /// How long together, in seconds.
    pub stalled_seconds: f64,
    /// The longest, in seconds.
    pub longest_stall: f64,
    /// From the arrival of a move to the opponent's `go`.
    pub forwarding: Option<DelaySummary>,
    /// The largest margin that a player had, in seconds.
    pub margin: f64,
    /// How long this run took, in seconds.
    pub seconds: f64,
    /// What the manager itself used of a processor, 0 to 1 and more.
    pub manager_load: Option<f64>,
}
