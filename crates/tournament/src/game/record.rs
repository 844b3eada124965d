//! What is kept of a game.

use std::time::{Duration, SystemTime};

use kiebitz_chess::{Color, GameHistory, Move, Outcome, Score};

use super::Termination;
use crate::opening::Opening;
use crate::pairing::PlannedGame;

/// A move and what its player told about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveRecord {
    /// The move.
    pub mv: Move,
    /// The score the player reported, from its own point of view.
    pub score: Option<Score>,
    /// How deep it looked, in plies.
    pub depth: Option<u32>,
    /// Positions it visited.
    pub nodes: Option<u64>,
    /// How long it thought.
    pub elapsed: Duration,
    /// What its clock shows after the move, the increment included; `None` without a clock.
    pub clock: Option<Duration>,
}

/// Something a player did wrong without losing the game by it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Who.
    pub color: Color,
    /// What, in words.
    pub text: String,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Which game of which tournament.
    pub game: PlannedGame,
    /// Where it began.
    pub opening: Opening,
    /// The players' moves, each legal where it stands.
    pub moves: Vec<MoveRecord>,
    /// Why it ended.
    pub termination: Termination,
    /// When it began.
    pub begun: SystemTime,
    /// How long it took altogether.
    pub duration: Duration,
    /// What the players did wrong on the way; the first few.
    pub notes: Vec<Note>,
}

impl GameRecord {
    /// The result.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.termination.outcome()
    }

    /// The whole game, moves of the opening included.
    #[must_use]
    pub fn history(&self) -> GameHistory {
        let mut history = GameHistory::new(self.opening.start.clone());
        let players = self.moves.iter().map(|record| record.mv);
        self.opening.moves.iter().copied().chain(players).for_each(|mv| history.play(mv));
        history
    }
}
