use std::collections::{BTreeMap, BTreeSet};

use kiebitz_chess::{Color, Outcome};
use proptest::prelude::*;

use super::*;
use crate::Random;

/// An outcome that depends on the game alone, so that the order of play cannot matter.
fn outcome(seed: u64, game: &PlannedGame) -> Outcome {
    let GameId { encounter, turn, leg } = game.id;
    let mut random = Random::stream(seed, u64::from(encounter) << 32 | u64::from(turn) << 1 | u64::from(leg));
    // The lower the player's number, the stronger.
    let edge = f64::from(game.black.0) - f64::from(game.white.0);
    match random.fraction() + edge / 40.0 {
        luck if luck > 0.65 => Outcome::Win(Color::White),
        luck if luck > 0.35 => Outcome::Draw,
        _ => Outcome::Win(Color::Black),
    }
}

/// Plays a tournament with several games at a time that finish in a random order.
fn play(schedule: &Schedule, seed: u64, order: u64, at_once: usize) -> Vec<FinishedGame> {
    let mut random = Random::new(order);
    let mut finished = Vec::new();
    let mut history = History::new(schedule.legs());
    loop {
        let running = schedule.next_games(&history, at_once);
        if running.is_empty() {
            break;
        }
        let game = running[random.below(running.len() as u64) as usize];
        let outcome = outcome(seed, &game);
        history.record(game.id, outcome).unwrap();
        finished.push(FinishedGame { game, outcome });
        assert!(finished.len() <= 100_000, "the tournament does not end");
    }
    assert!(schedule.is_over(&history));
    finished
}

fn meetings(games: &[FinishedGame]) -> BTreeMap<(Player, Player), u32> {
    let mut meetings = BTreeMap::new();
    for FinishedGame { game, .. } in games {
        *meetings.entry((game.white.min(game.black), game.white.max(game.black))).or_default() += 1;
    }
    meetings
}

/// The largest difference between Whites and Blacks of any player.
fn imbalance(games: &[FinishedGame]) -> i32 {
    let mut surplus: BTreeMap<Player, i32> = BTreeMap::new();
    for FinishedGame { game, .. } in games {
        *surplus.entry(game.white).or_default() += 1;
        *surplus.entry(game.black).or_default() -= 1;
    }
    surplus.values().map(|surplus| surplus.abs()).max().unwrap_or(0)
}

fn legs() -> impl Strategy<Value = Legs> {
    prop_oneof![Just(Legs::One), Just(Legs::Two)]
}

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::RoundRobin),
        (1_u32..4).prop_map(|tried| Format::Gauntlet { tried }),
        (1_u32..8).prop_map(|rounds| Format::Swiss { rounds }),
        (0_u32..3).prop_map(|extra_turns| Format::Knockout { extra_turns }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// The games are a function of schedule and results: whatever runs at once, in whatever order it ends, and wherever
    /// the tournament is interrupted.
    #[test]
    fn order_and_interruptions_change_nothing(
        format in formats(), players in 4_u32..12, turns in 1_u32..4, legs in legs(), seed in any::<u64>(),
        at_once in 1_usize..7,
    ) {
        let schedule = Schedule::new(format, players, turns, legs, Some(seed)).unwrap();
        let straight = play(&schedule, seed, 0, 1);
        let jumbled = play(&schedule, seed, seed, at_once);
        let key = |games: &[FinishedGame]| games.iter().map(|game| (game.game.id, game.game.opening, game.game.white)).collect::<BTreeSet<_>>();
        prop_assert_eq!(key(&straight), key(&jumbled));
        let mut part = jumbled[..jumbled.len() / 2].to_vec();
        let history = schedule.resume(&part).unwrap();
        Random::new(seed).shuffle(&mut part);
        let again = schedule.resume(&part).unwrap();
        prop_assert_eq!(schedule.next_games(&history, 5), schedule.next_games(&again, 5));
        // Games of a pair share an opening, and nobody else has it.
        let mut openings: BTreeMap<u64, Vec<GameId>> = BTreeMap::new();
        straight.iter().for_each(|game| openings.entry(game.game.opening).or_default().push(game.game.id));
        for games in openings.values() {
            prop_assert_eq!(games.len() as u32, legs.count());
            prop_assert!(games.iter().all(|id| (id.encounter, id.turn) == (games[0].encounter, games[0].turn)));
        }
        if let Some(total) = schedule.total_games() {
            prop_assert_eq!(straight.len() as u64, total);
        }
    }

    #[test]
    fn everybody_meets_everybody(players in 2_u32..14, turns in 1_u32..5, legs in legs(), seed in any::<Option<u64>>()) {
        let schedule = Schedule::new(Format::RoundRobin, players, turns, legs, seed).unwrap();
        let games = play(&schedule, 1, 1, 3);
        let meetings = meetings(&games);
        prop_assert_eq!(meetings.len() as u32, players * (players - 1) / 2);
        prop_assert!(meetings.values().all(|&count| count == turns * legs.count()));
        prop_assert!(imbalance(&games) <= 1);
        // Nobody plays twice in a round.
        let encounters = schedule.encounters(&History::new(legs)).list;
        let seats: BTreeSet<(u32, Player)> =
            encounters.iter().flat_map(|meeting| [(meeting.round, meeting.first), (meeting.round, meeting.second)]).collect();
        prop_assert_eq!(seats.len(), 2 * encounters.len());
    }

    #[test]
    fn a_gauntlet_tries_the_first(players in 4_u32..14, tried in 1_u32..4, turns in 1_u32..4, legs in legs(), seed in any::<u64>()) {
        let schedule = Schedule::new(Format::Gauntlet { tried }, players, turns, legs, Some(seed)).unwrap();
        let games = play(&schedule, 1, 1, 3);
        let meetings = meetings(&games);
        prop_assert_eq!(meetings.len() as u32, tried * (players - tried));
        prop_assert!(meetings.iter().all(|(pair, &count)| pair.0.0 < tried && pair.1.0 >= tried && count == turns * legs.count()));
        prop_assert!(imbalance(&games) <= 1);
    }

    /// As long as the rounds leave a choice nobody meets twice; byes go around; colors stay balanced.
    #[test]
    fn swiss_rounds_bring_new_opponents(players in 2_u32..20, rounds in 1_u32..9, turns in 1_u32..3, legs in legs(), seed in any::<u64>()) {
        let schedule = Schedule::new(Format::Swiss { rounds }, players, turns, legs, Some(seed)).unwrap();
        let games = play(&schedule, seed, 1, 4);
        let history = schedule.resume(&games).unwrap();
        let encounters = schedule.encounters(&history);
        prop_assert!(encounters.complete);
        let mut met = vec![vec![false; players as usize]; players as usize];
        for round in 0..rounds {
            let here: Vec<_> = encounters.list.iter().filter(|meeting| meeting.round == round).collect();
            prop_assert_eq!(here.len() as u32, players / 2);
            let seats: BTreeSet<Player> = here.iter().flat_map(|meeting| [meeting.first, meeting.second]).collect();
            prop_assert_eq!(seats.len(), 2 * here.len());
            // A second meeting only if there is no way without.
            let avoidable = matching::Matching::new(players as usize, |a, b| !met[a][b]).size() as u32 == players / 2;
            let repeated = here.iter().any(|meeting| met[meeting.first.index()][meeting.second.index()]);
            prop_assert!(!(avoidable && repeated), "round {}", round);
            for meeting in here {
                met[meeting.first.index()][meeting.second.index()] = true;
                met[meeting.second.index()][meeting.first.index()] = true;
            }
        }
        match legs {
            Legs::Two => prop_assert_eq!(imbalance(&games), 0),
            Legs::One if rounds < players / 2 && turns == 1 => prop_assert!(imbalance(&games) <= 2),
            Legs::One => {}
        }
    }

    /// Every round halves the field, and who has lost does not come back.
    #[test]
    fn knockouts_leave_one(players in 2_u32..40, turns in 1_u32..3, extra_turns in 0_u32..4, legs in legs(), seed in any::<u64>()) {
        let schedule = Schedule::new(Format::Knockout { extra_turns }, players, turns, legs, None).unwrap();
        let games = play(&schedule, seed, 1, 4);
        let history = schedule.resume(&games).unwrap();
        let encounters = schedule.encounters(&history);
        prop_assert!(encounters.complete);
        prop_assert_eq!(encounters.list.len() as u32, players - 1);
        let mut last_round = vec![None; players as usize];
        for meeting in &encounters.list {
            prop_assert!(meeting.turns >= turns && meeting.turns <= turns + extra_turns);
            let (first, second) = meeting.half_points(&history);
            let (winner, loser) = match first.cmp(&second) {
                std::cmp::Ordering::Greater => (meeting.first, meeting.second),
                std::cmp::Ordering::Less => (meeting.second, meeting.first),
                // Tied to the end: the list is the seeding.
                std::cmp::Ordering::Equal => {
                    prop_assert_eq!(meeting.turns, turns + extra_turns);
                    (meeting.first.min(meeting.second), meeting.first.max(meeting.second))
                }
            };
            prop_assert_eq!(last_round[winner.index()], None);
            prop_assert_eq!(last_round[loser.index()], None);
            last_round[loser.index()] = Some(meeting.round);
        }
        let left: Vec<usize> = (0..players as usize).filter(|&player| last_round[player].is_none()).collect();
        prop_assert_eq!(left, vec![encounters.winner.unwrap().index()]);
    }
}

#[test]
fn a_swiss_bye_goes_to_the_last_and_only_once() {
    let schedule = Schedule::new(Format::Swiss { rounds: 5 }, 5, 1, Legs::Two, Some(8)).unwrap();
    let history = schedule.resume(&play(&schedule, 4, 1, 1)).unwrap();
    let list = schedule.encounters(&history).list;
    let byes: BTreeSet<u32> = (0..5)
        .map(|round| {
            let plays = |player| list.iter().any(|m| m.round == round && (m.first == player || m.second == player));
            (0..5).find(|&player| !plays(Player(player))).unwrap()
        })
        .collect();
    assert_eq!(byes.len(), 5);
}

#[test]
fn foreign_games_are_refused() {
    let schedule = Schedule::new(Format::RoundRobin, 6, 2, Legs::Two, Some(1)).unwrap();
    let games = play(&schedule, 1, 1, 1);
    assert!(schedule.resume(&games).is_ok());
    let other = Schedule::new(Format::RoundRobin, 6, 2, Legs::Two, Some(2)).unwrap();
    assert!(matches!(other.resume(&games), Err(ScheduleError::Foreign(_))));
    let twice = [games[0], games[0]];
    assert!(matches!(schedule.resume(&twice), Err(ScheduleError::History(HistoryError::Twice(_)))));
    let mut strange = games[0];
    strange.game.id.leg = 2;
    assert!(matches!(schedule.resume(&[strange]), Err(ScheduleError::History(HistoryError::NoSuchGame(_)))));
    strange.game.id = GameId { encounter: u32::MAX, turn: 0, leg: 0 };
    assert!(schedule.resume(&[strange]).is_err());
}

#[test]
fn senseless_schedules_are_refused() {
    let new = |format, players, turns| Schedule::new(format, players, turns, Legs::Two, None);
    assert!(matches!(new(Format::RoundRobin, 1, 1), Err(ScheduleError::TooFewPlayers { needed: 2, .. })));
    assert!(matches!(new(Format::Gauntlet { tried: 3 }, 3, 1), Err(ScheduleError::TooFewPlayers { needed: 4, .. })));
    assert!(matches!(new(Format::Gauntlet { tried: 0 }, 3, 1), Err(ScheduleError::Nothing)));
    assert!(matches!(new(Format::Swiss { rounds: 0 }, 3, 1), Err(ScheduleError::Nothing)));
    assert!(matches!(new(Format::RoundRobin, 3, 0), Err(ScheduleError::Nothing)));
}

#[test]
fn long_matches_are_scheduled_quickly() {
    let schedule = Schedule::new(Format::RoundRobin, 2, 50_000, Legs::Two, Some(1)).unwrap();
    assert_eq!(play(&schedule, 1, 1, 4).len() / 2, 50_000);
}
