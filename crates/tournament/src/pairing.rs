//! Who plays whom, with which color, from which opening.
//!
//! ```text
//! Schedule (format, players, seed) + History (finished games) ──▶ encounters ──▶ next games
//! ```
//!
//! A schedule is a value without memory: given the finished games it says which games come next. So a tournament that was
//! interrupted goes on from nothing but the list of its finished games, whatever was running when it stopped.
//!
//! The words: two players have an *encounter*, which consists of *turns*; a turn is played from one opening and is a
//! *game pair* with colors swapped, or a single game if [`Legs::One`] says so.
//!
//! **Invariants:** the answer depends on nothing but schedule and results: no clock, no hidden state, and no order in which
//! the games were finished.

mod gauntlet;
mod history;
mod knockout;
mod matching;
mod round_robin;
mod schedule;
mod swiss;

use kiebitz_chess::{Color, Outcome};

pub use history::{History, HistoryError};
pub use schedule::{Format, Schedule, ScheduleError};

/// A player, by the place in the list of players, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Player(pub u32);

impl Player {
    /// The place as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The games of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Legs {
    /// A pair with colors swapped.
    #[default]
    Two,
    /// A single game; colors are balanced over the encounters.
    One,
}

impl Legs {
    /// 1 or 2.
    #[must_use]
    pub const fn count(self) -> u32 {
        match self {
            Self::Two => 2,
            Self::One => 1,
        }
    }
}

/// Names a game of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// The encounter, numbered from 0 through the whole tournament.
    pub encounter: u32,
    /// The turn within the encounter, from 0.
    pub turn: u32,
    /// The game within the turn: 0, or 1 with colors swapped.
    pub leg: u32,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlannedGame {
    /// Its name.
    pub id: GameId,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Who has White.
    pub white: Player,
    /// Who has Black.
    pub black: Player,
    /// The number of the opening: the same for both games of a pair, different for all others.
    pub opening: u64,
}

/// A game that has been played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FinishedGame {
    /// The game.
    pub game: PlannedGame,
    /// How it ended.
    pub outcome: Outcome,
}

/// Two players who meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Encounter {
    /// Its number, from 0 through the whole tournament.
    pub number: u32,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Who has White in the first game.
    pub first: Player,
    /// Who has Black in the first game.
    pub second: Player,
    /// How many turns are known to be needed; grows while a knockout encounter is tied.
    pub turns: u32,
}

impl Encounter {
    /// Who has White in a game: the colors alternate from leg to leg and from turn to turn, so that they are never out
    /// of balance by more than one.
    #[must_use]
    pub const fn white(&self, turn: u32, leg: u32) -> Player {
        if (turn + leg).is_multiple_of(2) { self.first } else { self.second }
    }

    /// The points of the first player and of the second one in the finished games, in halves.
    #[must_use]
    pub fn half_points(&self, history: &History) -> (u32, u32) {
        self.half_points_of(history, u32::MAX)
    }

    /// The same for the first turns only.
    fn half_points_of(&self, history: &History, turns: u32) -> (u32, u32) {
        let (mut first, mut second) = (0, 0);
        for (id, outcome) in history.games_of(self.number).filter(|(id, _)| id.turn < turns) {
            let white_is_first = self.white(id.turn, id.leg) == self.first;
            let (white, black) = match outcome {
                Outcome::Win(Color::White) => (2, 0),
                Outcome::Win(Color::Black) => (0, 2),
                Outcome::Draw => (1, 1),
            };
            first += if white_is_first { white } else { black };
            second += if white_is_first { black } else { white };
        }
        (first, second)
    }
}

/// The encounters that are known so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encounters {
    /// In the order of their numbers, which may have gaps.
    pub list: Vec<Encounter>,
    /// Whether no more can follow.
    pub complete: bool,
    /// Who is left when all others are out; nobody in formats that end with a table.
    pub winner: Option<Player>,
}

#[cfg(test)]
mod tests;
