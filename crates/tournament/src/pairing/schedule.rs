//! A tournament's plan as a value.

use super::{Encounter, Encounters, FinishedGame, GameId, History, HistoryError, Legs, PlannedGame, Player};
use super::{gauntlet, knockout, round_robin, swiss};

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first players of the list meet all the others, but not each other.
    Gauntlet {
        /// How many players at the head of the list are tried.
        tried: u32,
    },
    /// In every round players with equal scores meet, nobody the same opponent twice.
    Swiss {
        /// How many rounds there are.
        rounds: u32,
    },
    /// Who loses an encounter is out. The list of players is the seeding, the strongest first, unless a seed draws lots.
    Knockout {
        /// How many turns a tied encounter may go on for; after that the better seeded player advances.
        extra_turns: u32,
    },
}

/// Why a schedule cannot be, or does not fit its history.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// Not enough players.
    #[error("{players} players are too few: at least {needed} are needed")]
    TooFewPlayers {
        /// How many there are.
        players: u32,
        /// How many it takes.
        needed: u32,
    },
    /// More players than a schedule is made for.
    #[error("{players} players are too many: at most {} can take part", Schedule::MOST_PLAYERS)]
    TooManyPlayers {
        /// How many there are.
        players: u32,
    },
    /// Nothing to play.
    #[error("there is nothing to play: rounds and turns must be at least 1")]
    Nothing,
    /// The finished games are not those of one tournament.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A finished game is not one of this schedule: another seed, another list of players, another format.
    #[error(
        "the finished game {}.{}.{} between players {} and {} does not belong to this schedule",
        .0.id.encounter, .0.id.turn, .0.id.leg, .0.white.0, .0.black.0
    )]
    Foreign(PlannedGame),
}

/// A tournament: who takes part, how they are paired, how often they meet.
///
/// ```
/// use kiebitz_tournament::pairing::{Format, Legs, Schedule};
/// let schedule = Schedule::new(Format::RoundRobin, 3, 10, Legs::Two, Some(42))?;
/// let history = schedule.resume(&[])?;
/// assert_eq!(schedule.total_games(), Some(3 * 10 * 2));
/// let next = schedule.next_games(&history, 4);
/// assert_eq!(next.len(), 4);
/// // The games of a pair have one opening and swapped colors.
/// assert_eq!((next[0].white, next[0].opening), (next[1].black, next[1].opening));
/// # Ok::<(), kiebitz_tournament::pairing::ScheduleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Schedule {
    format: Format,
    players: u32,
    turns: u32,
    legs: Legs,
    seed: Option<u64>,
}

impl Schedule {
    /// The most players of a tournament.
    pub const MOST_PLAYERS: u32 = 10_000;

    /// A tournament of so many players, who play `turns` game pairs (or games) in every encounter. A seed draws lots for
    /// the order; without one it follows the list of players.
    ///
    /// # Errors
    /// When there are too few or too many players or nothing is to be played.
    pub fn new(format: Format, players: u32, turns: u32, legs: Legs, seed: Option<u64>) -> Result<Self, ScheduleError> {
        let needed = match format {
            Format::Gauntlet { tried } => tried.saturating_add(1).max(2),
            _ => 2,
        };
        if players < needed {
            return Err(ScheduleError::TooFewPlayers { players, needed });
        }
        if players > Self::MOST_PLAYERS {
            return Err(ScheduleError::TooManyPlayers { players });
        }
        if turns == 0 || matches!(format, Format::Swiss { rounds: 0 } | Format::Gauntlet { tried: 0 }) {
            return Err(ScheduleError::Nothing);
        }
        Ok(Self { format, players, turns, legs, seed })
    }

    /// How players are paired.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// How many players there are.
    #[must_use]
    pub const fn players(&self) -> u32 {
        self.players
    }

    /// Turns in an encounter.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// What a turn consists of.
    #[must_use]
    pub const fn legs(&self) -> Legs {
        self.legs
    }

    /// The seed of the order.
    #[must_use]
    pub const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// All players, in an order that the seed decides.
    pub(super) fn drawn_players(&self) -> Vec<Player> {
        let mut players: Vec<Player> = (0..self.players).map(Player).collect();
        if let Some(seed) = self.seed {
            crate::Random::new(seed).shuffle(&mut players);
        }
        players
    }

    /// The encounters that the results so far have brought about.
    #[must_use]
    pub fn encounters(&self, history: &History) -> Encounters {
        match self.format {
            Format::RoundRobin => round_robin::encounters(self),
            Format::Gauntlet { tried } => gauntlet::encounters(self, tried),
            Format::Swiss { rounds } => swiss::encounters(self, rounds, history),
            Format::Knockout { extra_turns } => knockout::encounters(self, extra_turns, history),
        }
    }

    /// The most encounters that there can be; openings are numbered by it.
    fn encounter_count(&self) -> u64 {
        let players = u64::from(self.players);
        match self.format {
            Format::RoundRobin => players * (players - 1) / 2,
            Format::Gauntlet { tried } => u64::from(tried) * (players - u64::from(tried)),
            Format::Swiss { rounds } => u64::from(rounds) * (players / 2),
            Format::Knockout { .. } => players - 1,
        }
    }

    /// How many games there will be, if that is known beforehand.
    #[must_use]
    pub fn total_games(&self) -> Option<u64> {
        match self.format {
            Format::Knockout { .. } => None,
            _ => Some(self.encounter_count() * u64::from(self.turns) * u64::from(self.legs.count())),
        }
    }

    /// A game of an encounter.
    pub(crate) fn game(&self, encounter: &Encounter, turn: u32, leg: u32) -> PlannedGame {
        let white = encounter.white(turn, leg);
        PlannedGame {
            id: GameId { encounter: encounter.number, turn, leg },
            round: encounter.round,
            white,
            black: if white == encounter.first { encounter.second } else { encounter.first },
            opening: u64::from(turn) * self.encounter_count() + u64::from(encounter.number),
        }
    }

    /// Up to `most` games that can be played now and are not finished, in the order in which they should begin. Games
    /// that are being played are still among them: whoever plays them knows.
    ///
    /// An empty answer means that the tournament is over, for results open new games as soon as they can.
    #[must_use]
    pub fn next_games(&self, history: &History, most: usize) -> Vec<PlannedGame> {
        let encounters = self.encounters(history);
        let mut games = Vec::new();
        let open = encounters.list.iter().map(|encounter| history.complete_turns(encounter.number));
        let first_turn = open.min().unwrap_or(0);
        let last_turn = encounters.list.iter().map(|encounter| encounter.turns).max().unwrap_or(0);
        // Turn by turn: all encounters advance together, and a tournament that is broken off is still balanced.
        for turn in first_turn..last_turn {
            for encounter in encounters.list.iter().filter(|encounter| turn < encounter.turns) {
                for leg in 0..self.legs.count() {
                    let game = self.game(encounter, turn, leg);
                    if history.outcome(game.id).is_none() {
                        if games.len() >= most {
                            return games;
                        }
                        games.push(game);
                    }
                }
            }
        }
        games
    }

    /// Whether every game has been played.
    #[must_use]
    pub fn is_over(&self, history: &History) -> bool {
        self.next_games(history, 1).is_empty()
    }

    /// The history of finished games, checked against the schedule: what an interrupted tournament goes on with.
    ///
    /// # Errors
    /// When the games are not those of this schedule.
    pub fn resume(&self, finished: &[FinishedGame]) -> Result<History, ScheduleError> {
        let history = History::of(self.legs, finished)?;
        let encounters = self.encounters(&history);
        for FinishedGame { game, .. } in finished {
            let place = encounters.list.binary_search_by_key(&game.id.encounter, |encounter| encounter.number);
            let encounter = place.ok().map(|place| &encounters.list[place]);
            let planned = encounter.filter(|encounter| game.id.turn < encounter.turns);
            if planned.map(|encounter| self.game(encounter, game.id.turn, game.id.leg)) != Some(*game) {
                return Err(ScheduleError::Foreign(*game));
            }
        }
        Ok(history)
    }

    /// The points of every player, by place in the list, in halves. Byes of a Swiss tournament are not among them.
    #[must_use]
    pub fn half_points(&self, history: &History) -> Vec<u32> {
        let mut points = vec![0; self.players as usize];
        for encounter in &self.encounters(history).list {
            let (first, second) = encounter.half_points(history);
            points[encounter.first.index()] += first;
            points[encounter.second.index()] += second;
        }
        points
    }
}
