//! Which games come next, and when enough has been played.

use crate::pairing::{Encounter, Format, History, PlannedGame, Player, Schedule};
use crate::racing::{Race, RaceState};
use crate::sprt::Sprt;

/// When a match ends before all its games are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StopRule {
    /// When the test between two players is decided.
    Sprt(Sprt),
    /// When one candidate is left. The first player is the opponent of all, the others are the candidates; the schedule is
    /// a gauntlet.
    Race(Race),
}

/// The place of a game in the order of the schedule.
pub(super) type Place = (u32, u32, u32, u32);

/// The place before all games of a turn, for schedules that advance turn by turn.
pub(super) const fn beginning_of(turn: u32) -> Place {
    (0, turn, 0, 0)
}

/// Where a game stands in the order of a schedule: turn by turn where everything is known beforehand, else round by round.
pub(super) fn place(format: Format, game: &PlannedGame) -> Place {
    let round = match format {
        Format::RoundRobin | Format::Gauntlet { .. } => 0,
        Format::Swiss { .. } | Format::Knockout { .. } => game.round,
    };
    (round, game.id.turn, game.id.encounter, game.id.leg)
}

/// The place of the first game that is open; nothing before it will ever be played.
pub(super) fn first_open(schedule: &Schedule, history: &History) -> Option<Place> {
    // The games of a knockout come turn by turn too, though rounds overlap; there are never many open ones.
    let most = if matches!(schedule.format(), Format::Knockout { .. }) { usize::MAX } else { 1 };
    schedule.next_games(history, most).iter().map(|game| place(schedule.format(), game)).min()
}

/// The candidate (from 0) who plays in an encounter of a race.
pub(super) fn candidate(white: Player, black: Player) -> usize {
    white.index().max(black.index()) - 1
}

/// Games of a race that may be played now: those of the rows that are needed, and, so that nobody has to wait, some of the
/// next ones.
pub(super) fn race_games(schedule: &Schedule, history: &History, state: &RaceState, most: usize) -> Vec<PlannedGame> {
    let RaceState::Running { candidates, .. } = state else { return Vec::new() };
    let running = |encounter: &Encounter| candidates.contains(&candidate(encounter.first, encounter.second));
    let encounters: Vec<Encounter> = schedule.encounters(history).list.into_iter().filter(running).collect();
    let first = encounters.iter().map(|encounter| history.complete_turns(encounter.number)).min().unwrap_or(0);
    let mut games = Vec::new();
    for turn in first..schedule.turns() {
        for encounter in &encounters {
            for leg in 0..schedule.legs().count() {
                let game = schedule.game(encounter, turn, leg);
                if games.len() >= most {
                    return games;
                }
                if history.outcome(game.id).is_none() {
                    games.push(game);
                }
            }
        }
    }
    games
}
