//! Whole matches between mock engines: who wins, what is told, what survives.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

#[allow(dead_code, reason = "every test uses a part of it")]
mod engines;
#[allow(dead_code, reason = "every test uses a part of it")]
mod matches;
mod support;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_chess::{Color, Outcome};
use kiebitz_tablebase::SyzygyTables;
use kiebitz_tournament::game::{EndgameOracle, GameRecord, Termination};
use kiebitz_tournament::pairing::{Format, Legs};
use kiebitz_tournament::racing::Race;
use kiebitz_tournament::runner::{Conclusion, Contestant, Event, Match, MatchSettings, StopRule};
use kiebitz_tournament::sprt::Sprt;
use kiebitz_tournament::statistics::EloModel;
use matches::{control, openings, peaceful, play, play_with, player, sorted};
use support::data;
use tempfile::TempDir;

#[test]
fn a_deterministic_match_does_not_depend_on_concurrency() {
    let folder = TempDir::new().unwrap();
    let results: Vec<(Vec<String>, String)> = [1, 3]
        .map(|concurrency| {
            let pgn = folder.path().join(format!("{concurrency}.pgn"));
            let settings = MatchSettings { concurrency, pgn: Some(pgn.clone()), ..peaceful(6) };
            let (report, games) = play(settings);
            assert_eq!((report.conclusion, report.played_now), (Conclusion::Played, 12));
            (sorted(&games), fs::read_to_string(pgn).unwrap())
        })
        .into();
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0].1.matches("[Event ").count(), 12);
}

#[test]
fn every_opening_is_played_with_both_colors() {
    let (_, games) = play(peaceful(4));
    for turn in 0..4 {
        let pair: Vec<&GameRecord> = games.iter().filter(|record| record.game.id.turn == turn).collect();
        assert_eq!(pair.len(), 2);
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(pair[0].game.white, pair[1].game.black);
    }
}

/// Where nothing depends on time, equal players play the same game twice, and every pair is even: whatever favoured the first or
/// the second player would show.
#[test]
fn twins_are_even_in_every_pair() {
    let Some(command) = engines::stockfish() else {
        eprintln!("{}", engines::NO_STOCKFISH);
        return;
    };
    let twin = |name: &str| {
        let mut command = command.clone();
        command.label = Some(name.to_owned());
        Contestant::new(command, control("nodes=150"))
    };
    let mut settings = MatchSettings::new(vec![twin("one"), twin("two")], 4);
    settings.openings = openings();
    settings.deterministic = true;
    settings.concurrency = 2;
    settings.adjudication.longest = Some(60);
    let (report, games) = play(settings);
    assert_eq!((report.played_now, report.standing.encounters[0].pentanomial), (8, [0, 0, 4, 0, 0]));
    for turn in 0..4 {
        let pair: Vec<_> = games.iter().filter(|record| record.game.id.turn == turn).collect();
        let moves = pair.iter().map(|record| record.moves.iter().map(|told| told.mv).collect::<Vec<_>>());
        assert_eq!(moves.collect::<std::collections::HashSet<_>>().len(), 1, "pair {turn}");
    }
}

/// The processors on which the engines with a certain argument may run.
#[cfg(target_os = "linux")]
fn processors_of(argument: &str) -> Vec<String> {
    let engine_processors = |process: std::path::PathBuf| {
        let arguments = fs::read(process.join("cmdline")).ok()?;
        if !arguments.split(|&byte| byte == 0).any(|word| word == argument.as_bytes()) {
            return None;
        }
        let status = fs::read_to_string(process.join("status")).ok()?;
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        Some(list.trim().to_owned())
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| engine_processors(entry.path())).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn engines_of_a_match_run_on_the_processors_of_their_game() {
    let cpus: Vec<String> = kiebitz_uci::available_cpus().unwrap().iter().map(ToString::to_string).collect();
    // A seed that no other test has.
    let seed = 1_000_003;
    let players = vec![player("one", "good", seed, "nodes=1"), player("two", "good", seed, "nodes=1")];
    let mut settings = MatchSettings::new(players, 4);
    settings.concurrency = cpus.len().min(2);
    settings.affinity = true;
    let expected: std::collections::BTreeSet<_> = cpus.iter().take(settings.concurrency).cloned().collect();
    let prepared = Match::prepare(settings, None).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let report = prepared.run(&AtomicBool::new(false), |event| {
        if let Event::GameFinished { .. } = event {
            // The last word counts: an engine that is just starting is not held yet.
            seen = processors_of(&seed.to_string()).into_iter().collect();
        }
    });
    assert_eq!(report.unwrap().played_now, 8);
    assert!(!seen.is_empty() && seen.is_subset(&expected), "{seen:?} {expected:?}");
}

#[test]
fn whoever_misbehaves_loses_and_the_match_goes_on() {
    for (vice, kind, restarted) in [
        ("illegal-move", "illegal", false),
        ("null-move", "illegal", false),
        ("empty-bestmove", "illegal", false),
        ("garbage", "illegal", false),
        ("die-at-go", "crash", true),
        ("die-with-stderr", "crash", true),
        ("flood", "crash", true),
        ("no-newline-flood", "crash", true),
        ("hang-at-go", "time", true),
        ("ignores-stop", "time", true),
    ] {
        let players = vec![player("good", "good", 1, "movetime=0.05"), player("bad", vice, 2, "movetime=0.05")];
        let mut settings = MatchSettings::new(players, 1);
        settings.concurrency = 2;
        let prepared = Match::prepare(settings, None).expect("a start without trouble");
        let (mut games, mut restarts) = (Vec::new(), 0);
        let report = prepared.run(&AtomicBool::new(false), |event| match event {
            Event::GameFinished { record, .. } => games.push(*record),
            Event::EngineRestarted { player, .. } => {
                assert_eq!(player, "bad", "{vice}");
                restarts += 1;
            }
            _ => {}
        });
        let report = report.expect(vice);
        assert_eq!(report.players[0].points, 2.0, "{vice}");
        assert_eq!(restarts > 0, restarted, "{vice}: {restarts} restarts");
        for record in games {
            let found = match &record.termination {
                Termination::IllegalMove { .. } => "illegal",
                Termination::Crash { .. } => "crash",
                Termination::TimeForfeit { .. } => "time",
                other => panic!("{vice}: {other}"),
            };
            assert_eq!(found, kind, "{vice}: {}", record.termination);
        }
    }
}

#[test]
fn the_last_words_of_a_crash_are_kept() {
    let players = vec![player("good", "good", 1, "nodes=1"), player("bad", "die-with-stderr", 2, "nodes=1")];
    let (_, games) = play(MatchSettings::new(players, 1));
    assert!(games[0].termination.to_string().contains("accumulator is not computed"), "{}", games[0].termination);
}

#[test]
fn an_engine_without_time_limit_that_hangs_loses_too() {
    let players = vec![player("good", "good", 1, "nodes=1"), player("bad", "ignores-stop", 2, "nodes=1")];
    let mut settings = MatchSettings::new(players, 1);
    settings.longest_search = Duration::from_millis(200);
    let (_, games) = play(settings);
    assert!(games.iter().all(|record| matches!(record.termination, Termination::Hang { .. })));
}

#[test]
fn departures_from_the_protocol_are_noted_but_cost_nothing() {
    let players = vec![player("good", "good", 1, "nodes=1"), player("odd", "non-integers", 2, "nodes=1")];
    let mut settings = MatchSettings::new(players, 1);
    settings.adjudication.longest = Some(5);
    let (report, games) = play(settings);
    assert_eq!(report.players[0].protocol_notes, 0);
    assert!(report.players[1].protocol_notes > 0);
    assert!(games.iter().all(|record| record.outcome() == Outcome::Draw));
}

#[test]
fn clocks_run_and_are_recorded() {
    let mut settings = peaceful(1);
    settings.deterministic = false;
    settings.contestants[0].control = control("10/5+0.1");
    settings.contestants[1].control = control("2+0.05");
    let (report, games) = play(settings);
    assert_eq!(report.players.iter().map(|player| player.time_losses).sum::<u64>(), 0);
    for record in games {
        let first = record.opening.position().side_to_move();
        let is_one = |index: usize| (record.game.white.0 == 0) == ((first == Color::White) == index.is_multiple_of(2));
        for (index, told) in record.moves.iter().enumerate() {
            let clock = told.clock.expect("both have a clock");
            let most = if is_one(index) { 5.0 * 4.0 + 3.1 } else { 2.0 + 1.6 };
            assert!(clock.as_secs_f64() <= most && told.elapsed < Duration::from_secs(1), "{clock:?}");
        }
    }
}

#[test]
fn pondering_engines_play_normal_games() {
    let mut settings = peaceful(2);
    settings.deterministic = false;
    for contestant in &mut settings.contestants {
        contestant.control = control("5+0.1");
        contestant.ponder = true;
    }
    let (report, games) = play(settings);
    assert_eq!(report.players.iter().map(|player| player.protocol_notes).sum::<u64>(), 0);
    assert!(games.iter().all(|record| record.termination.culprit().is_none()), "{games:?}");
}

#[test]
fn tablebases_end_games_as_soon_as_they_know() {
    let Some(folder) = data("suites/syzygy34") else { return };
    // In each the only legal move is to take the queen; the results are in every textbook.
    let forced = [
        ("7R/8/8/5k2/8/8/1q6/K7 w - - 0 1", Outcome::Win(Color::White)),
        ("8/8/8/8/8/7k/1q5P/K7 w - - 0 1", Outcome::Draw),
        ("k7/1Q6/8/8/5K2/8/8/7r b - - 0 1", Outcome::Win(Color::Black)),
    ];
    let temporary = TempDir::new().unwrap();
    let book = temporary.path().join("forced.epd");
    fs::write(&book, forced.map(|(fen, _)| fen).join("\n")).unwrap();
    let settings = || {
        let mut settings = peaceful(3);
        settings.openings.book = Some(book.clone());
        settings.openings.in_order = true;
        settings.pgn = Some(temporary.path().join("games.pgn"));
        settings
    };
    let tables: Arc<dyn EndgameOracle> = Arc::new(SyzygyTables::open(folder.to_str().unwrap()).unwrap());
    let (report, games) = play_with(settings(), Some(tables));
    assert_eq!(report.played_now, 6);
    for record in games {
        let (_, outcome) = forced[record.game.id.turn as usize];
        assert_eq!((record.moves.len(), &record.termination), (1, &Termination::Tablebase(outcome)));
    }
    let pgn = fs::read_to_string(temporary.path().join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), 6, "{pgn}");
    let (_, games) = play(settings());
    assert!(games.iter().all(|record| record.moves.len() > 1), "nobody else may know");
}

#[test]
fn chess960_is_told_to_the_engines() {
    let folder = TempDir::new().unwrap();
    let book = folder.path().join("frc.epd");
    fs::write(&book, "bqnrkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBNR w HDhd - 0 1\nrkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w HAha -\n")
        .unwrap();
    let mut settings = peaceful(4);
    settings.openings.book = Some(book);
    settings.pgn = Some(folder.path().join("games.pgn"));
    let (report, games) = play(settings);
    assert_eq!(report.players.iter().map(|player| player.protocol_notes).sum::<u64>(), 0);
    assert!(games.iter().all(|record| record.termination.culprit().is_none()));
    assert!(fs::read_to_string(folder.path().join("games.pgn")).unwrap().contains("[Variant \"Chess960\"]"));
}

#[test]
fn a_sequential_test_stops_the_match() {
    let players = vec![player("good", "good", 1, "nodes=1"), player("bad", "illegal-move", 2, "nodes=1")];
    for concurrency in [1, 4] {
        let mut settings = MatchSettings::new(players.clone(), 1000);
        let test = Sprt::new(0.05, 0.05, [0.0, 400.0], EloModel::Logistic).unwrap();
        settings.stop_rule = Some(StopRule::Sprt(test));
        settings.concurrency = concurrency;
        let (report, _) = play(settings);
        let Conclusion::Sprt { decision, llr } = &report.conclusion else { panic!("{:?}", report.conclusion) };
        assert_eq!((decision.as_str(), *llr >= test.upper_limit()), ("H1 accepted", true));
        // Each pair is worth ln(s₁/s₀) = 0.598 at most, and 2.94 are needed.
        assert_eq!(report.standing.games, 10);
    }
}

#[test]
fn a_race_finds_the_one_that_works() {
    let candidates = [("bad", "illegal-move"), ("fine", "good"), ("worse", "die-at-go")];
    let mut players = vec![player("base", "good", 1, "nodes=1")];
    players.extend(candidates.map(|(name, vice)| player(name, vice, 2, "nodes=1")));
    let mut settings = MatchSettings::new(players, 1);
    settings.format = Format::Gauntlet { tried: 1 };
    settings.stop_rule = Some(StopRule::Race(Race::new(3, 0.95, 200.0).unwrap()));
    settings.adjudication.longest = Some(4);
    settings.concurrency = 3;
    settings.seed = 5;
    let (report, _) = play(settings);
    assert_eq!(report.conclusion, Conclusion::Race { winner: "fine".into() });
    assert_eq!(report.standing.race.unwrap().dropped, ["bad", "worse"]);
}

#[test]
fn all_formats_come_to_their_end() {
    for (format, legs, games) in [
        (Format::RoundRobin, Legs::Two, 12 * 2),
        (Format::Gauntlet { tried: 1 }, Legs::One, 3 * 2),
        (Format::Swiss { rounds: 2 }, Legs::Two, 2 * 2 * 4),
    ] {
        let players = [1, 2, 3, 4].map(|seed| player(&format!("p{seed}"), "good", seed, "nodes=1"));
        let mut settings = MatchSettings::new(players.to_vec(), 2);
        settings.format = format;
        settings.legs = legs;
        settings.openings = openings();
        settings.adjudication.longest = Some(3);
        settings.concurrency = 2;
        let (report, _) = play(settings);
        assert_eq!((report.conclusion, report.standing.games), (Conclusion::Played, games), "{format:?}");
        assert!(report.players.iter().all(|player| player.rating.is_some()));
    }
    let players = [("a", "good"), ("b", "illegal-move"), ("c", "good"), ("d", "die-at-go")];
    let players = players.map(|(name, vice)| player(name, vice, 1, "nodes=1"));
    let mut settings = MatchSettings::new(players.to_vec(), 1);
    settings.format = Format::Knockout { extra_turns: 1 };
    settings.adjudication.longest = Some(3);
    let (report, _) = play(settings);
    // Whoever wins has beaten those who cannot play.
    let Conclusion::Knockout { winner } = &report.conclusion else { panic!("{:?}", report.conclusion) };
    assert!(["a", "c"].contains(&winner.as_str()), "{winner}");
}

#[test]
fn every_event_says_in_json_what_it_is() {
    let players = [1, 2].map(|seed| player(&format!("p{seed}"), "good", seed, "nodes=1"));
    let mut settings = MatchSettings::new(players.to_vec(), 1);
    settings.adjudication.longest = Some(3);
    let mut events = Vec::new();
    let note = |event| events.push(serde_json::to_string(&event).unwrap());
    Match::prepare(settings, None).unwrap().run(&AtomicBool::new(false), note).unwrap();
    for text in &events {
        // Reading takes the last of several equal keys, so that a second "event" shows.
        let event: serde_json::Value = serde_json::from_str(text).unwrap();
        let begin = format!("{{\"event\":{},", event["event"]);
        assert!(text.starts_with(&begin), "{text}");
    }
    assert!(events.last().unwrap().starts_with("{\"event\":\"match_finished\",\"report\":{"));
}
