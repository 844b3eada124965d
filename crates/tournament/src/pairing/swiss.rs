//! The Swiss system: players with equal scores meet, nobody the same opponent twice.
//!
//! Round by round, from the results of the rounds before:
//!
//! 1. Players are ranked by points, ties by the drawn order. With an odd number the lowest one who has not had a bye gets
//!    one, and the points of a won encounter with it.
//! 2. From the top, each player gets the best opponent left: one of the same score group, there the one half the group
//!    further down (the top half meets the bottom half); if that cannot be, one of the next group, and so on. For single
//!    games an opponent who is not owed the same color is preferred.
//! 3. Nobody gets an opponent if the rest could then no longer be paired. A maximum matching of those who remain is kept
//!    up to date and answers that, so that there is never a dead end and nothing is tried twice.
//!
//! What "could be paired" means is decided before the round: without any repetition and without three Whites too many for
//! anybody; if there is no such pairing at all, without any repetition; else anyhow, with as few meetings as possible first.

use super::matching::Matching;
use super::{Encounter, Encounters, History, Legs, Player, Schedule};

/// Everything a round's pairing depends on.
struct Standing {
    /// Points in halves, byes included.
    half_points: Vec<u32>,
    had_bye: Vec<bool>,
    /// Whites minus Blacks in rounds of single games.
    white_surplus: Vec<i32>,
    /// `met[a][b]`: how often two players have met.
    met: Vec<Vec<u32>>,
    /// The places in the drawn order: ties are broken by it.
    drawn: Vec<usize>,
}

/// What may be paired in a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Allowed {
    /// New opponents, colors not too far out of balance.
    Balanced,
    /// New opponents.
    New,
    /// Anybody.
    Anybody,
}

pub(super) fn encounters(schedule: &Schedule, rounds: u32, history: &History) -> Encounters {
    let players = schedule.players() as usize;
    let mut standing = Standing {
        half_points: vec![0; players],
        had_bye: vec![false; players],
        white_surplus: vec![0; players],
        met: vec![vec![0; players]; players],
        drawn: vec![0; players],
    };
    for (place, player) in schedule.drawn_players().iter().enumerate() {
        standing.drawn[player.index()] = place;
    }
    let mut found = Encounters::default();
    for round in 0..rounds {
        let (pairs, bye) = standing.pair();
        let begin = found.list.len();
        for (first, second) in pairs {
            let (first, second) = standing.colors(first, second, schedule.legs());
            let number = found.list.len() as u32;
            let [first, second] = [first, second].map(|player| Player(player as u32));
            found.list.push(Encounter { number, round, first, second, turns: schedule.turns() });
        }
        let played = &found.list[begin..];
        if played.iter().any(|encounter| history.complete_turns(encounter.number) < encounter.turns) {
            return found;
        }
        for encounter in played {
            standing.record(schedule, encounter, encounter.half_points(history));
        }
        if let Some(player) = bye {
            standing.had_bye[player] = true;
            standing.half_points[player] += 2 * schedule.turns() * schedule.legs().count();
        }
    }
    found.complete = true;
    found
}

impl Standing {
    fn record(&mut self, schedule: &Schedule, encounter: &Encounter, (first, second): (u32, u32)) {
        let (a, b) = (encounter.first.index(), encounter.second.index());
        self.half_points[a] += first;
        self.half_points[b] += second;
        self.met[a][b] += 1;
        self.met[b][a] += 1;
        // Pairs, and even numbers of single games, are balanced in themselves.
        if schedule.legs() == Legs::One && !schedule.turns().is_multiple_of(2) {
            self.white_surplus[a] += 1;
            self.white_surplus[b] -= 1;
        }
    }

    /// Players from the best to the last.
    fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.drawn.len()).collect();
        ranking.sort_by_key(|&player| (std::cmp::Reverse(self.half_points[player]), self.drawn[player]));
        ranking
    }

    fn may_meet(&self, a: usize, b: usize, allowed: Allowed) -> bool {
        let (one, other) = (self.white_surplus[a], self.white_surplus[b]);
        let too_much = one.signum() == other.signum() && one.abs().min(other.abs()) >= 2;
        match allowed {
            Allowed::Balanced => self.met[a][b] == 0 && !too_much,
            Allowed::New => self.met[a][b] == 0,
            Allowed::Anybody => true,
        }
    }

    /// The pairs of the next round, the best first, and who has a bye.
    fn pair(&self) -> (Vec<(usize, usize)>, Option<usize>) {
        let ranking = self.ranking();
        for allowed in [Allowed::Balanced, Allowed::New, Allowed::Anybody] {
            let mut matching = Matching::new(self.drawn.len(), |a, b| self.may_meet(a, b, allowed));
            // With an odd number a matching leaves one player out, whom the bye then chooses.
            if matching.size() < self.drawn.len() / 2 {
                continue;
            }
            let bye = if self.drawn.len().is_multiple_of(2) { None } else { self.bye(&ranking, &mut matching) };
            return (self.pair_from_the_top(&ranking, &mut matching), bye);
        }
        // Cannot be: anybody may meet anybody.
        (Vec::new(), None)
    }

    /// The lowest player whom the others can spare, if possible one without a bye so far. Removed from the matching.
    fn bye(&self, ranking: &[usize], matching: &mut Matching) -> Option<usize> {
        let by_rank = ranking.iter().rev().copied();
        let fresh = by_rank.clone().filter(|&player| !self.had_bye[player]);
        let repeated = by_rank.filter(|&player| self.had_bye[player]);
        fresh.chain(repeated).find(|&player| matching.remove_if_spared(player))
    }

    fn pair_from_the_top(&self, ranking: &[usize], matching: &mut Matching) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let mut waiting: Vec<usize> = ranking.iter().copied().filter(|&player| matching.contains(player)).collect();
        while waiting.len() > 1 {
            let player = waiting.remove(0);
            let group = waiting.iter().filter(|&&other| self.half_points[other] == self.half_points[player]).count();
            // The middle of the group, the player included.
            let ideal = group.div_ceil(2).saturating_sub(1);
            let mut candidates: Vec<(usize, usize)> = waiting.iter().copied().enumerate().collect();
            candidates.sort_by_key(|&(place, other)| {
                let fall = self.half_points[player].abs_diff(self.half_points[other]);
                let clash = self.white_surplus[player] * self.white_surplus[other] > 0;
                // Within the group away from the middle, in a lower group from its top.
                let distance = if fall == 0 { place.abs_diff(ideal) } else { place };
                (self.met[player][other], fall, clash, distance, place)
            });
            let chosen = candidates.into_iter().find(|&(_, other)| matching.settle(player, other));
            let Some((place, other)) = chosen else { continue };
            waiting.remove(place);
            pairs.push((player, other));
        }
        pairs
    }

    /// Who has White first: whoever is owed it; among equals the better drawn one in even meetings.
    fn colors(&self, first: usize, second: usize, legs: Legs) -> (usize, usize) {
        let (one, other) = (self.white_surplus[first], self.white_surplus[second]);
        let swap = match legs {
            Legs::One if one != other => one > other,
            _ => (self.drawn[first] + self.drawn[second]).is_multiple_of(2) != (self.drawn[first] < self.drawn[second]),
        };
        if swap { (second, first) } else { (first, second) }
    }
}
