//! The finished games of a tournament.

use std::collections::BTreeMap;

use kiebitz_chess::Outcome;

use super::{FinishedGame, GameId, Legs};

/// More turns than any encounter has: numbers beyond come from a damaged file, and must not cost memory.
const MOST_TURNS: u32 = 1 << 24;

/// Why a game does not belong into a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HistoryError {
    /// The game is there already.
    #[error("game {}.{}.{} is listed twice", .0.encounter, .0.turn, .0.leg)]
    Twice(GameId),
    /// The numbers cannot be those of a game.
    #[error("there is no game {}.{}.{}", .0.encounter, .0.turn, .0.leg)]
    NoSuchGame(GameId),
}

/// One encounter's results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Results {
    turns: Vec<[Option<Outcome>; 2]>,
    /// All turns before this one are complete.
    complete: u32,
}

/// Results by encounter, turn and leg. Equal however the games came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    legs: Legs,
    encounters: BTreeMap<u32, Results>,
    games: usize,
}

impl History {
    /// No games yet.
    #[must_use]
    pub const fn new(legs: Legs) -> Self {
        Self { legs, encounters: BTreeMap::new(), games: 0 }
    }

    /// The history of finished games.
    ///
    /// # Errors
    /// When a game is there twice or cannot be one.
    pub fn of(legs: Legs, finished: &[FinishedGame]) -> Result<Self, HistoryError> {
        let mut history = Self::new(legs);
        for finished in finished {
            history.record(finished.game.id, finished.outcome)?;
        }
        Ok(history)
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// When the game is there already or cannot be one.
    pub fn record(&mut self, id: GameId, outcome: Outcome) -> Result<(), HistoryError> {
        if id.turn >= MOST_TURNS || id.leg >= self.legs.count() {
            return Err(HistoryError::NoSuchGame(id));
        }
        let results = self.encounters.entry(id.encounter).or_default();
        let turn = id.turn as usize;
        if results.turns.len() <= turn {
            results.turns.resize(turn + 1, [None; 2]);
        }
        let slot = &mut results.turns[turn][id.leg as usize];
        if slot.is_some() {
            return Err(HistoryError::Twice(id));
        }
        *slot = Some(outcome);
        self.games += 1;
        let legs = self.legs.count() as usize;
        while results.turns.get(results.complete as usize).is_some_and(|turn| turn[..legs].iter().all(Option::is_some))
        {
            results.complete += 1;
        }
        Ok(())
    }

    /// How many games are finished.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// What a turn consists of.
    #[must_use]
    pub const fn legs(&self) -> Legs {
        self.legs
    }

    /// A game's outcome, once it is finished.
    #[must_use]
    pub fn outcome(&self, id: GameId) -> Option<Outcome> {
        let turn = self.encounters.get(&id.encounter)?.turns.get(id.turn as usize)?;
        turn.get(id.leg as usize).copied().flatten()
    }

    /// The first turn of an encounter that is not complete.
    #[must_use]
    pub fn complete_turns(&self, encounter: u32) -> u32 {
        self.encounters.get(&encounter).map_or(0, |results| results.complete)
    }

    /// The finished games of an encounter.
    pub fn games_of(&self, encounter: u32) -> impl Iterator<Item = (GameId, Outcome)> + '_ {
        let turns = self.encounters.get(&encounter).map_or(&[][..], |results| &results.turns);
        turns.iter().zip(0..).flat_map(move |(legs, turn)| {
            let game = move |(outcome, leg): (&Option<Outcome>, u32)| {
                outcome.map(|outcome| (GameId { encounter, turn, leg }, outcome))
            };
            legs.iter().zip(0..).filter_map(game)
        })
    }
}
