//! Whatever the order in which games finish, the same games count.

use std::time::{Duration, SystemTime};

use kiebitz_chess::{Color, Outcome};

use super::*;
use crate::Random;
use crate::game::Termination;
use crate::opening::Opening;
use crate::pairing::{Format, GameId, Legs};
use crate::racing::Race;
use crate::sprt::Sprt;
use crate::statistics::EloModel;

/// A game whose result follows from its name and from the strength of its players: the higher the number, the stronger.
fn game(planned: PlannedGame) -> GameRecord {
    let GameId { encounter, turn, leg } = planned.id;
    let mut random = Random::stream(u64::from(encounter) << 32 | u64::from(turn), u64::from(leg));
    let lead = f64::from(planned.white.0) - f64::from(planned.black.0);
    let outcome = match random.fraction() + lead * 0.05 {
        chance if chance > 0.6 => Outcome::Win(Color::White),
        chance if chance < 0.4 => Outcome::Win(Color::Black),
        _ => Outcome::Draw,
    };
    GameRecord {
        game: planned,
        opening: Opening::default(),
        moves: Vec::new(),
        termination: Termination::Tablebase(outcome),
        begun: SystemTime::UNIX_EPOCH,
        duration: Duration::ZERO,
        notes: Vec::new(),
    }
}

fn names(players: u32) -> Vec<String> {
    (0..players).map(|player| format!("p{player}")).collect()
}

/// Plays a whole tournament with so many games at a time, which finish in an order drawn by lot.
fn play(schedule: Schedule, rule: Option<StopRule>, at_a_time: usize, seed: u64) -> (Vec<GameId>, Ledger) {
    let mut random = Random::new(seed);
    let mut ledger = Ledger::new(schedule, rule, names(schedule.players()));
    let mut running: Vec<PlannedGame> = Vec::new();
    let mut released = Vec::new();
    loop {
        for planned in ledger.next_games(at_a_time) {
            if running.len() < at_a_time && !running.contains(&planned) {
                running.push(planned);
            }
        }
        if running.is_empty() || ledger.conclusion().is_some() {
            return (released, ledger);
        }
        let finished = running.swap_remove(random.below(running.len() as u64) as usize);
        released.extend(ledger.record(game(finished)).unwrap().iter().map(|record| record.game.id));
    }
}

#[test]
fn the_order_of_finishing_changes_nothing() {
    let test = Sprt::new(0.05, 0.05, [0.0, 40.0], EloModel::Normalised).unwrap();
    let race = Race::new(3, 0.95, 60.0).unwrap();
    let longest = race.longest() as u32;
    let plans = [
        (Format::RoundRobin, 4, 5, Legs::Two, None),
        (Format::RoundRobin, 3, 4, Legs::One, None),
        (Format::Gauntlet { tried: 2 }, 5, 3, Legs::Two, None),
        (Format::Swiss { rounds: 4 }, 7, 2, Legs::Two, None),
        (Format::Knockout { extra_turns: 2 }, 6, 1, Legs::Two, None),
        (Format::RoundRobin, 2, 2000, Legs::Two, Some(StopRule::Sprt(test))),
        (Format::RoundRobin, 2, 2000, Legs::One, Some(StopRule::Sprt(test))),
        (Format::Gauntlet { tried: 1 }, 4, longest, Legs::Two, Some(StopRule::Race(race))),
    ];
    for (format, players, turns, legs, rule) in plans {
        let schedule = Schedule::new(format, players, turns, legs, Some(3)).unwrap();
        let (order, alone) = play(schedule, rule, 1, 0);
        assert!(alone.conclusion().is_some() && alone.waiting() == 0);
        for seed in 0..6 {
            let (released, ledger) = play(schedule, rule, 2 + seed as usize * 3, seed);
            assert_eq!(released, order, "{format:?} {rule:?} {seed}");
            assert_eq!(ledger.standing(), alone.standing());
            assert_eq!(ledger.conclusion(), alone.conclusion());
        }
    }
}

#[test]
fn tests_and_races_are_decided_by_strength() {
    let test = Sprt::new(0.05, 0.05, [0.0, 40.0], EloModel::Normalised).unwrap();
    let schedule = Schedule::new(Format::RoundRobin, 2, 5000, Legs::Two, None).unwrap();
    let (games, ledger) = play(schedule, Some(StopRule::Sprt(test)), 1, 0);
    // The first player is the weaker one.
    assert!(matches!(ledger.conclusion(), Some(Conclusion::Sprt { decision, .. }) if decision == "H0 accepted"));
    assert!(games.len() < 2000, "{}", games.len());
    let race = Race::new(3, 0.95, 60.0).unwrap();
    let schedule = Schedule::new(Format::Gauntlet { tried: 1 }, 4, race.longest() as u32, Legs::Two, Some(1)).unwrap();
    let (_, ledger) = play(schedule, Some(StopRule::Race(race)), 5, 1);
    assert_eq!(ledger.conclusion(), Some(&Conclusion::Race { winner: "p3".into() }));
}

#[test]
fn no_game_counts_twice() {
    let schedule = Schedule::new(Format::RoundRobin, 2, 1, Legs::Two, None).unwrap();
    let mut ledger = Ledger::new(schedule, None, names(2));
    let first = ledger.next_games(1)[0];
    assert_eq!(ledger.record(game(first)).unwrap().len(), 1);
    assert!(ledger.record(game(first)).is_err());
}
