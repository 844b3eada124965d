//! A tuning run with real processes: it survives interruptions and takes the same path.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

#[allow(dead_code, reason = "every test uses a part of it")]
mod engines;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use engines::mock;
use kiebitz_tournament::runner::{Contestant, Event, MatchSettings, OpeningChoice};
use kiebitz_tournament::spsa::{Spsa, SpsaSettings, Step, Tuning, TuningError, TuningEvent, TuningSettings};
use tempfile::TempDir;

/// The only number that the mock lets us set. It does not make it stronger, but its games are decided all the same.
const NUMBER: &str = "Hash = 16 in 1..=1024 step 4;";
const ITERATIONS: usize = 4;

fn begun() -> Spsa {
    let settings = SpsaSettings { seed: 5, pairs: 8, pairs_per_iteration: 2, learning_rate: 0.5 };
    Spsa::new(settings, vec![NUMBER.parse().unwrap()]).unwrap()
}

fn settings(vice: &str) -> TuningSettings {
    let mut games = MatchSettings::new(Vec::new(), 1);
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/match_openings.epd");
    games.openings = OpeningChoice { book: Some(book), ..OpeningChoice::default() };
    games.adjudication.longest = Some(40);
    games.deterministic = true;
    games.concurrency = 2;
    let engine = Contestant::new(mock(vice).argument("3"), "nodes=1".parse().unwrap());
    TuningSettings { engine, games }
}

fn prepare(folder: &Path, resume: bool) -> Tuning {
    Tuning::prepare(settings("good"), begun(), folder, resume).unwrap()
}

/// What is left of a whole run: its path.
fn undisturbed() -> Vec<Step> {
    let scratch = TempDir::new().unwrap();
    let mut tuning = prepare(scratch.path(), false);
    let mut seen = 0;
    let finished = tuning.run(&AtomicBool::new(false), |event| {
        seen += usize::from(matches!(event, TuningEvent::Learned { .. }));
    });
    assert!(finished.unwrap() && tuning.spsa().is_finished());
    assert_eq!((seen, tuning.trouble().games()), (ITERATIONS, 0));
    tuning.folder().trajectory().unwrap()
}

#[test]
fn an_interrupted_run_takes_the_same_path_and_repeats_nothing() {
    let path = undisturbed();
    assert_eq!(path.len(), ITERATIONS);
    assert!(path.iter().all(|step| step.wins + step.draws + step.losses == 4), "{path:?}");

    let scratch = TempDir::new().unwrap();
    let mut games = 0;
    // Every session is stopped after three games: in the middle of iterations.
    for session in 0..20 {
        let mut tuning = prepare(scratch.path(), session > 0);
        let stop = AtomicBool::new(false);
        let mut now = 0;
        let finished = tuning.run(&stop, |event| {
            if matches!(event, TuningEvent::Match(Event::GameFinished { .. })) {
                now += 1;
                stop.store(now == 3, Ordering::Relaxed);
            }
        });
        games += now;
        if finished.unwrap() {
            assert_eq!(tuning.folder().trajectory().unwrap(), path);
            break;
        }
        assert!(session < 19, "the run does not get on");
    }
    assert_eq!(games, ITERATIONS * 4, "no finished game is played again");
    let left: Vec<PathBuf> = std::fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left.iter().filter(|path| path.is_dir()).count(), 0, "{left:?}");
}

#[test]
fn an_engine_that_only_crashes_teaches_nothing() {
    let scratch = TempDir::new().unwrap();
    let mut tuning = Tuning::prepare(settings("die-at-go"), begun(), scratch.path(), false).unwrap();
    let error = tuning.run(&AtomicBool::new(false), |_| {}).unwrap_err();
    assert!(matches!(error, TuningError::Broken { iteration: 0, broken: 4, games: 4 }), "{error}");
    assert_eq!(tuning.spsa(), &begun());
}

#[test]
fn a_number_that_the_engine_does_not_have_is_named() {
    let scratch = TempDir::new().unwrap();
    let numbers = vec!["Hush = 16 in 1..=1024 step 4;".parse().unwrap()];
    let begun = Spsa::new(*begun().settings(), numbers).unwrap();
    let mut tuning = Tuning::prepare(settings("good"), begun, scratch.path(), false).unwrap();
    let error = tuning.run(&AtomicBool::new(false), |_| {}).unwrap_err().to_string();
    assert!(error.contains("no option 'Hush'"), "{error}");
}
