//! Everybody meets everybody.
//!
//! The circle method: the players stand around a table, one of them fixed, the others move on by one seat each round.
//! Everybody plays once a round, and after as many rounds as there are opponents everybody has met everybody.

use super::{Encounter, Encounters, Player, Schedule};

pub(super) fn encounters(schedule: &Schedule) -> Encounters {
    let players = schedule.drawn_players();
    let mut list = Vec::new();
    // Seats that move: all but the fixed one. With an odd number of players the fixed seat is empty.
    let moving = if players.len().is_multiple_of(2) { players.len() - 1 } else { players.len() };
    for round in 0..moving {
        let add = |list: &mut Vec<Encounter>, (first, second): (Player, Player)| {
            let number = list.len() as u32;
            list.push(Encounter { number, round: round as u32, first, second, turns: schedule.turns() });
        };
        // The seat whose occupant meets the fixed player, or rests.
        let alone = round;
        if let Some(&fixed) = players.get(moving) {
            add(&mut list, if alone.is_multiple_of(2) { (players[alone], fixed) } else { (fixed, players[alone]) });
        }
        for distance in 1..=moving / 2 {
            let left = (alone + distance) % moving;
            let right = (alone + moving - distance) % moving;
            let (low, high) = (left.min(right), left.max(right));
            // An odd sum gives White to the lower seat, an even one to the higher: with an odd number of moving seats
            // everybody then has White exactly as often as Black among them.
            let lower_is_white = !(low + high).is_multiple_of(2);
            let (first, second) = if lower_is_white { (low, high) } else { (high, low) };
            add(&mut list, (players[first], players[second]));
        }
    }
    Encounters { list, complete: true, winner: None }
}
