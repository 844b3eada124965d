//! Finished games, brought into the order of the schedule, and what they add up to.

use std::collections::BTreeMap;

use kiebitz_chess::Color;

use super::plan::{Place, StopRule, beginning_of, candidate, first_open, place, race_games};
use super::report::{Conclusion, Tally};
use super::standing::{EncounterStanding, RaceStanding, SprtStanding, Standing};
use crate::game::GameRecord;
use crate::pairing::{History, HistoryError, PlannedGame, Player, Schedule};
use crate::racing::RaceState;
use crate::rating::Rating;
use crate::sprt::Decision;
use crate::statistics::{GameResult, MatchScore};

/// Counts games.
///
/// **Invariant:** everything but [`Self::next_games`] depends on the set of finished games alone, not on the order in
/// which they came.
pub(super) struct Ledger {
    schedule: Schedule,
    stop_rule: Option<StopRule>,
    names: Vec<String>,
    /// All finished games.
    history: History,
    /// Finished games that are not released.
    waiting: BTreeMap<Place, GameRecord>,
    released: u64,
    /// Scores of the released games by both players, the earlier one in the list first.
    scores: BTreeMap<(Player, Player), MatchScore>,
    tallies: Vec<Tally>,
    rating: Rating,
    race: Option<RaceState>,
    /// Half points of every candidate's pairs, and of its pair in progress.
    rows: Vec<Vec<u8>>,
    begun_rows: Vec<Option<u8>>,
    conclusion: Option<Conclusion>,
}

impl Ledger {
    pub(super) fn new(schedule: Schedule, stop_rule: Option<StopRule>, names: Vec<String>) -> Self {
        let players = names.len();
        let mut ledger = Self {
            schedule,
            stop_rule,
            names,
            history: History::new(schedule.legs()),
            waiting: BTreeMap::new(),
            released: 0,
            scores: BTreeMap::new(),
            tallies: vec![Tally::default(); players],
            rating: Rating::new(players),
            race: None,
            rows: vec![Vec::new(); players.saturating_sub(1)],
            begun_rows: vec![None; players.saturating_sub(1)],
            conclusion: None,
        };
        ledger.look_at_race();
        ledger
    }

    /// Takes a finished game and returns the games that are released by it, in order.
    pub(super) fn record(&mut self, record: GameRecord) -> Result<Vec<GameRecord>, HistoryError> {
        self.history.record(record.game.id, record.outcome())?;
        self.waiting.insert(place(self.schedule.format(), &record.game), record);
        Ok(self.release())
    }

    fn release(&mut self) -> Vec<GameRecord> {
        let mut released = Vec::new();
        loop {
            let before = released.len();
            let frontier = self.frontier();
            while self.conclusion.is_none()
                && let Some(entry) = self.waiting.first_entry()
                && frontier.is_none_or(|frontier| *entry.key() < frontier)
            {
                let record = entry.remove();
                if self.is_wanted(&record.game) {
                    self.count(&record);
                    released.push(record);
                }
            }
            if self.conclusion.is_some() || released.len() == before {
                break;
            }
            self.look_at_race();
        }
        if self.conclusion.is_none() && self.next_games(1).is_empty() {
            let winner = self.schedule.encounters(&self.history).winner;
            self.conclusion = Some(match winner {
                Some(winner) => Conclusion::Knockout { winner: self.names[winner.index()].clone() },
                None => Conclusion::Played,
            });
        }
        released
    }

    /// Games from this place on are not to be released yet; `None` if all are.
    fn frontier(&self) -> Option<Place> {
        match &self.race {
            None => first_open(&self.schedule, &self.history),
            Some(state @ RaceState::Running { pairs, .. }) => {
                let end = beginning_of(u32::try_from(*pairs).unwrap_or(u32::MAX));
                let open = race_games(&self.schedule, &self.history, state, 1);
                Some(open.first().map_or(end, |game| place(self.schedule.format(), game).min(end)))
            }
            Some(RaceState::Won { .. }) => Some((0, 0, 0, 0)),
        }
    }

    /// Games that were played in advance for a candidate who has been dropped meanwhile are not.
    fn is_wanted(&self, game: &PlannedGame) -> bool {
        match &self.race {
            Some(RaceState::Running { candidates, .. }) => candidates.contains(&candidate(game.white, game.black)),
            _ => true,
        }
    }

    fn look_at_race(&mut self) {
        let Some(StopRule::Race(race)) = &self.stop_rule else { return };
        let state = race.state(&self.rows);
        if let RaceState::Won { candidate } = state {
            self.conclusion = Some(Conclusion::Race { winner: self.names[candidate + 1].clone() });
        }
        self.race = Some(state);
    }

    fn count(&mut self, record: &GameRecord) {
        self.released += 1;
        let (white, black, outcome) = (record.game.white, record.game.black, record.outcome());
        self.rating.add(white, black, outcome);
        for (player, color) in [(white, Color::White), (black, Color::Black)] {
            self.tallies[player.index()].count(record, color);
        }
        let (first, color) = if white < black { (white, Color::White) } else { (black, Color::Black) };
        let score = self.scores.entry((first, white.max(black))).or_default();
        score.record(record.game.opening, GameResult::of(outcome, color));
        match &self.stop_rule {
            Some(StopRule::Sprt(test)) => {
                let complete = score.unpaired().games() == 0 || self.schedule.legs().count() == 1;
                let decision = if complete { test.decide(score.counts()) } else { Decision::Continue };
                if decision != Decision::Continue {
                    let llr = test.llr(score.counts());
                    self.conclusion = Some(Conclusion::Sprt { decision: decision.to_string(), llr });
                }
            }
            Some(StopRule::Race(_)) => {
                let candidate = candidate(white, black);
                let result = GameResult::of(outcome, if white > black { Color::White } else { Color::Black });
                let points = result.half_points() as u8;
                match self.begun_rows[candidate].take() {
                    Some(first) => self.rows[candidate].push(first + points),
                    None => self.begun_rows[candidate] = Some(points),
                }
            }
            None => {}
        }
    }

    /// Up to so many games that can be played now, those in progress included.
    pub(super) fn next_games(&self, most: usize) -> Vec<PlannedGame> {
        if self.conclusion.is_some() {
            return Vec::new();
        }
        match &self.race {
            Some(state) => race_games(&self.schedule, &self.history, state, most),
            None => self.schedule.next_games(&self.history, most),
        }
    }

    /// Takes what was finished but not released, in order: for a match that is broken off.
    pub(super) fn take_waiting(&mut self) -> Vec<GameRecord> {
        std::mem::take(&mut self.waiting).into_values().collect()
    }

    /// How many finished games do not count.
    pub(super) fn waiting(&self) -> u64 {
        self.history.games() as u64 - self.released
    }

    pub(super) fn conclusion(&self) -> Option<&Conclusion> {
        self.conclusion.as_ref()
    }

    pub(super) fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    pub(super) fn rating(&self) -> &Rating {
        &self.rating
    }

    pub(super) fn standing(&self) -> Standing {
        let name = |player: Player| self.names[player.index()].as_str();
        let sprt = match &self.stop_rule {
            Some(StopRule::Sprt(test)) => {
                let score = self.scores.values().next().cloned().unwrap_or_default();
                Some(SprtStanding::of(test, &score))
            }
            _ => None,
        };
        let planned = if self.race.is_some() { None } else { self.schedule.total_games() };
        Standing {
            games: self.released,
            planned,
            encounters: self
                .scores
                .iter()
                .map(|(&(first, second), score)| EncounterStanding::of(name(first), name(second), score))
                .collect(),
            sprt,
            race: self.race_standing(),
        }
    }

    fn race_standing(&self) -> Option<RaceStanding> {
        let (Some(StopRule::Race(race)), Some(state)) = (&self.stop_rule, &self.race) else { return None };
        let running = match state {
            RaceState::Running { candidates, .. } => candidates.clone(),
            RaceState::Won { candidate } => vec![*candidate],
        };
        let candidates = 0..self.rows.len();
        let dropped = candidates.filter(|candidate| !running.contains(candidate));
        let name = |candidate: usize| self.names[candidate + 1].clone();
        let pairs = running.iter().map(|&candidate| self.rows[candidate].len()).min().unwrap_or(0);
        Some(RaceStanding {
            dropped: dropped.map(name).collect(),
            running: running.iter().map(|&candidate| name(candidate)).collect(),
            pairs: pairs as u64,
            longest: race.longest() as u64,
        })
    }
}

#[cfg(test)]
mod tests;
