//! Whole matches between mock engines: who wins, what is told, what survives.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

#[allow(dead_code, reason = "every test uses a part of it")]
mod engines;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engines::mock;
use kiebitz_chess::{Color, Outcome};
use kiebitz_tournament::TimeControl;
use kiebitz_tournament::game::{GameRecord, StoredGame, Termination};
use kiebitz_tournament::pairing::{Format, Legs};
use kiebitz_tournament::racing::Race;
use kiebitz_tournament::runner::{
    Conclusion, Contestant, Event, Match, MatchReport, MatchSettings, OpeningChoice, StopRule,
};
use kiebitz_tournament::sprt::Sprt;
use kiebitz_tournament::statistics::EloModel;
use tempfile::TempDir;

fn control(text: &str) -> TimeControl {
    text.parse().expect("a time control")
}

/// A mock that plays random moves of a seed.
fn player(name: &str, vice: &str, seed: u32, limit: &str) -> Contestant {
    let mut command = mock(vice).argument(seed.to_string());
    command.label = Some(name.to_owned());
    Contestant::new(command, control(limit))
}

/// A short match between two well-behaved mocks.
fn peaceful(turns: u32) -> MatchSettings {
    let mut settings =
        MatchSettings::new(vec![player("one", "good", 1, "nodes=1"), player("two", "good", 2, "nodes=1")], turns);
    settings.adjudication.longest = Some(30);
    settings.openings = openings();
    settings.deterministic = true;
    settings
}

fn openings() -> OpeningChoice {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/match_openings.epd");
    OpeningChoice { book: Some(book), ..OpeningChoice::default() }
}

fn play(settings: MatchSettings) -> (MatchReport, Vec<GameRecord>) {
    let prepared = Match::prepare(settings, None).expect("good settings");
    let mut games = Vec::new();
    let report = prepared.run(&AtomicBool::new(false), |event| {
        if let Event::GameFinished { record, .. } = event {
            games.push(*record);
        }
    });
    (report.expect("a match that can be played"), games)
}

/// A record without its times.
fn timeless(record: &GameRecord) -> String {
    let mut record = record.clone();
    record.begun = std::time::UNIX_EPOCH;
    record.duration = Duration::ZERO;
    record.moves.iter_mut().for_each(|told| told.elapsed = Duration::ZERO);
    StoredGame::from(&record).to_line()
}

fn sorted(games: &[GameRecord]) -> Vec<String> {
    let mut lines: Vec<String> = games.iter().map(timeless).collect();
    lines.sort();
    lines
}

fn refusal(settings: MatchSettings) -> String {
    Match::prepare(settings, None).err().expect("settings that are refused").to_string()
}

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
fn what_is_wrong_is_told_before_the_first_game() {
    let folder = TempDir::new().unwrap();
    let changed = |change: &dyn Fn(&mut MatchSettings)| {
        let mut settings = peaceful(1);
        change(&mut settings);
        refusal(settings)
    };
    let missing = changed(&|settings| settings.contestants[1].command.program = PathBuf::from("no/such/engine"));
    assert!(missing.contains("player two") && missing.contains("cannot start"), "{missing}");
    let dead = changed(&|settings| settings.contestants[1] = player("two", "die-at-start", 1, "nodes=1"));
    assert!(dead.contains("player two") && dead.contains("exit code 42"), "{dead}");
    let silent = changed(&|settings| {
        settings.contestants[1] = player("two", "hang-at-uci", 1, "nodes=1");
        settings.limits.start = Duration::from_millis(200);
    });
    assert!(silent.contains("no uciok"), "{silent}");
    let option = changed(&|settings| {
        settings.contestants[0].command.options.push(("Hush".into(), Some("1".into())));
    });
    assert!(option.contains("no option 'Hush'") && option.contains("Hash"), "{option}");
    let range = changed(&|settings| {
        settings.contestants[0].command.options.push(("Hash".into(), Some("100000".into())));
    });
    assert!(range.contains("1..=1024"), "{range}");
    let twins = changed(&|settings| settings.contestants[1].name = "one".into());
    assert!(twins.contains("two players are called 'one'"), "{twins}");
    let timed = changed(&|settings| settings.contestants[0].control = control("1+1"));
    assert!(timed.contains("deterministic"), "{timed}");
    let limitless = changed(&|settings| {
        settings.deterministic = false;
        settings.contestants[0].control = control("inf");
    });
    assert!(limitless.contains("no limit"), "{limitless}");
    let ponder = changed(&|settings| settings.contestants[0].ponder = true);
    assert!(ponder.contains("cannot ponder"), "{ponder}");
    let book = folder.path().join("bad.epd");
    fs::write(&book, "4k3/8/8/8/8/8/4P3/4K3 w - -\n8/8 w - -\nrubbish\n").unwrap();
    let broken = changed(&|settings| settings.openings.book = Some(book.clone()));
    assert!(broken.contains("line 2: ") && broken.contains("line 3: "), "{broken}");
    let no_book = changed(&|settings| settings.openings.book = Some(folder.path().join("none.epd")));
    assert!(no_book.contains("none.epd"), "{no_book}");
    let unwritable = changed(&|settings| settings.folder = Some(book.join("below/a/file")));
    assert!(unwritable.contains("bad.epd"), "{unwritable}");
    let no_pgn = changed(&|settings| settings.pgn = Some(folder.path().join("no/such/folder/games.pgn")));
    assert!(no_pgn.contains("games.pgn"), "{no_pgn}");
    let crowd = changed(&|settings| {
        settings.affinity = true;
        settings.concurrency = 100_000;
    });
    assert!(crowd.contains("processors"), "{crowd}");
    let alone = changed(&|settings| settings.contestants.truncate(1));
    assert!(alone.contains("too few"), "{alone}");
    let test = Sprt::new(0.05, 0.05, [0.0, 5.0], EloModel::Normalised).unwrap();
    let three = changed(&|settings| {
        settings.contestants.push(player("three", "good", 3, "nodes=1"));
        settings.stop_rule = Some(StopRule::Sprt(test));
    });
    assert!(three.contains("between two players"), "{three}");
}

#[test]
fn a_match_goes_on_after_any_interruption() {
    let (_, undisturbed) = play(peaceful(8));
    let folder = TempDir::new().unwrap();
    let kept = |resume: bool| {
        let mut settings = MatchSettings { concurrency: 2, resume, ..peaceful(8) };
        settings.folder = Some(folder.path().join("match"));
        settings.pgn = Some(folder.path().join("games.pgn"));
        settings
    };
    let stop = AtomicBool::new(false);
    let mut seen = 0;
    let report = Match::prepare(kept(false), None).unwrap().run(&stop, |event| {
        if matches!(event, Event::GameFinished { .. }) {
            seen += 1;
            stop.store(seen == 5, Ordering::Relaxed);
        }
    });
    assert_eq!(report.unwrap().conclusion, Conclusion::Stopped);
    assert!(refusal(kept(false)).contains("holds a match already"));
    // A line that was being written when the power failed.
    let journal = folder.path().join("match/games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    assert_eq!(text.lines().count(), 5);
    let torn = format!("{text}{}", &text[..100]);
    fs::write(&journal, torn).unwrap();

    let mut other = kept(true);
    other.seed = 99;
    let sentence = refusal(other);
    assert!(sentence.contains("seed was 0 and is now 99"), "{sentence}");

    let (report, _) = play(kept(true));
    assert_eq!((report.resumed, report.played_now), (5, 11));
    let text = fs::read_to_string(&journal).unwrap();
    let games: Vec<GameRecord> =
        text.lines().map(|line| StoredGame::from_line(line).unwrap().record().unwrap()).collect();
    assert_eq!(sorted(&games), sorted(&undisturbed));
    let whole = folder.path().join("whole.pgn");
    play(MatchSettings { pgn: Some(whole.clone()), ..peaceful(8) });
    let pgn = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    assert_eq!(pgn, fs::read_to_string(whole).unwrap());

    // More games are welcome, and nothing is played twice.
    let (report, _) = play(MatchSettings { turns: 9, ..kept(true) });
    assert_eq!((report.resumed, report.played_now), (16, 2));
}

#[test]
fn a_damaged_journal_is_refused() {
    let folder = TempDir::new().unwrap();
    let settings = |resume| MatchSettings { folder: Some(folder.path().to_path_buf()), resume, ..peaceful(1) };
    play(settings(false));
    let journal = folder.path().join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, format!("{}rubbish\n", text)).unwrap();
    assert!(refusal(settings(true)).contains("line 3"));
    let first = text.lines().next().unwrap();
    fs::write(&journal, format!("{first}\n{first}\n")).unwrap();
    assert!(refusal(settings(true)).contains("twice"));
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
    assert_eq!(report.conclusion, Conclusion::Played);
}
