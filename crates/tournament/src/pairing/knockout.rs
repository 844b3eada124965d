//! Who loses is out.
//!
//! The bracket is the usual one: with 2ⁿ places the strongest two can meet only in the final, the strongest four only in
//! the semi-finals, and so on. If players are missing to 2ⁿ, the strongest have no opponent in the first round.
//!
//! An encounter is decided by its points once all its turns are played. A tie is played on, one turn at a time; after the
//! last extra turn the better seeded player advances.
//!
//! **Invariant:** an encounter's number follows from its place in the bracket alone, counted without the first round's
//! byes, so that numbers (and with them openings) do not depend on the order in which results arrive.

use super::{Encounter, Encounters, History, Player, Schedule};

/// What is known of a place in the bracket.
#[derive(Clone, Copy)]
enum Place {
    /// Nobody: its opponent has a bye.
    Empty,
    Taken(Player),
    /// An encounter below is not decided yet.
    Open,
}

/// Seeds in the order of the bracket: neighbours meet.
fn bracket(size: u32) -> Vec<u32> {
    let mut seeds = vec![0];
    while (seeds.len() as u32) < size {
        let sum = 2 * seeds.len() as u32 - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    seeds
}

pub(super) fn encounters(schedule: &Schedule, extra_turns: u32, history: &History) -> Encounters {
    let size = schedule.players().next_power_of_two();
    let seeding: Vec<Player> = schedule.drawn_players();
    let place = |seed: u32| seeding.get(seed as usize).map_or(Place::Empty, |&player| Place::Taken(player));
    let mut places: Vec<Place> = bracket(size).into_iter().map(place).collect();
    // How well seeded each player is; decides what extra turns could not.
    let mut rank = vec![0; seeding.len()];
    for (seed, player) in seeding.iter().enumerate() {
        rank[player.index()] = seed;
    }
    let mut found = Encounters { list: Vec::new(), complete: true, winner: None };
    let (mut number, mut round) = (0, 0);
    while places.len() > 1 {
        let mut winners = Vec::with_capacity(places.len() / 2);
        for pair in places.chunks(2) {
            let winner = match *pair {
                [Place::Empty, other] | [other, Place::Empty] => other,
                [Place::Taken(first), Place::Taken(second)] => {
                    let encounter = Encounter { number, round, first, second, turns: schedule.turns() };
                    let (encounter, winner) = played(schedule, extra_turns, history, encounter, &rank);
                    found.list.push(encounter);
                    number += 1;
                    winner.map_or(Place::Open, Place::Taken)
                }
                _ => {
                    number += 1;
                    Place::Open
                }
            };
            found.complete &= !matches!(winner, Place::Open);
            winners.push(winner);
        }
        places = winners;
        round += 1;
    }
    if let [Place::Taken(winner)] = *places {
        found.winner = Some(winner);
    }
    found
}

/// How many turns an encounter takes by now, and who has won it, if anybody.
fn played(
    schedule: &Schedule,
    extra_turns: u32,
    history: &History,
    mut encounter: Encounter,
    rank: &[usize],
) -> (Encounter, Option<Player>) {
    let complete = history.complete_turns(encounter.number);
    let most = schedule.turns().saturating_add(extra_turns);
    // Half-played turns decide nothing: the other color may still level the score.
    while encounter.turns <= complete {
        let (first, second) = encounter.half_points_of(history, encounter.turns);
        let better_seed = || rank[encounter.first.index()] < rank[encounter.second.index()];
        let first_wins = match first.cmp(&second) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal if encounter.turns >= most => better_seed(),
            std::cmp::Ordering::Equal => {
                encounter.turns += 1;
                continue;
            }
        };
        return (encounter, Some(if first_wins { encounter.first } else { encounter.second }));
    }
    (encounter, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bracket_keeps_the_strongest_apart() {
        assert_eq!(bracket(1), [0]);
        assert_eq!(bracket(4), [0, 3, 1, 2]);
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}
