//! What surrounds a match: what is refused before it begins, and what survives when it is interrupted.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

#[allow(dead_code, reason = "every test uses a part of it")]
mod engines;
#[allow(dead_code, reason = "every test uses a part of it")]
mod matches;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kiebitz_tournament::game::{GameRecord, StoredGame};
use kiebitz_tournament::runner::{Conclusion, Event, LIVE_FILE, LiveGame, Match, MatchSettings, StopRule};
use kiebitz_tournament::sprt::Sprt;
use kiebitz_tournament::statistics::EloModel;
use matches::{control, peaceful, play, player, refusal, sorted};
use tempfile::TempDir;

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

/// White moves and Black never does: what an onlooker sees meanwhile, and that it is gone with the match.
#[test]
fn a_game_in_progress_can_be_looked_at() {
    let folder = TempDir::new().unwrap();
    let mut settings = peaceful(1);
    settings.contestants[1] = player("two", "hang-at-go", 2, "nodes=1");
    settings.longest_search = Duration::from_secs(60);
    settings.folder = Some(folder.path().to_path_buf());
    let prepared = Match::prepare(settings, None).unwrap();
    let stop = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let match_thread = scope.spawn(|| prepared.run(&stop, |_| {}));
        let until = Instant::now() + Duration::from_secs(30);
        let seen = loop {
            let games = LiveGame::read(folder.path());
            if games.first().is_some_and(|game| game.scores.iter().flatten().count() == 1) || Instant::now() > until {
                break games;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        stop.store(true, Ordering::Relaxed);
        match_thread.join().unwrap().unwrap();
        seen
    });
    let [game] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((game.white.as_str(), game.black.as_str()), ("one", "two"));
    assert_eq!(game.moves.len(), game.scores.len());
    assert!(!folder.path().join(LIVE_FILE).exists());
}
