//! Some players are tried against all the others.

use super::{Encounter, Encounters, Player, Schedule};
use crate::Random;

pub(super) fn encounters(schedule: &Schedule, tried: u32) -> Encounters {
    let mut others: Vec<Player> = (tried..schedule.players()).map(Player).collect();
    if let Some(seed) = schedule.seed() {
        Random::new(seed).shuffle(&mut others);
    }
    let mut list = Vec::new();
    for (place, &other) in others.iter().enumerate() {
        for player in 0..tried {
            // A chequered pattern balances the colors of both, whoever counts.
            let tried_is_white = (place + player as usize).is_multiple_of(2);
            let (first, second) = if tried_is_white { (Player(player), other) } else { (other, Player(player)) };
            let number = list.len() as u32;
            list.push(Encounter { number, round: place as u32, first, second, turns: schedule.turns() });
        }
    }
    Encounters { list, complete: true, winner: None }
}
