//! A match that is killed in the middle, again and again, comes to the same end as one that is left in peace.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Games of the match.
const GAMES: usize = 24;

#[path = "../../../crates/tournament/tests/engines/mod.rs"]
#[allow(dead_code, reason = "Stockfish is not needed here")]
mod engines;

/// The mock engine's program.
fn mock() -> PathBuf {
    engines::mock("good").program
}

fn start(folder: &Path, mock: &Path) -> Child {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/tournament/testdata/match_openings.epd");
    let mock = mock.display();
    Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .args(["match", "--nodes", "1", "--deterministic", "--longest", "60", "--concurrency", "2", "--resume"])
        .args(["--games", &GAMES.to_string()])
        .args(["--engine", &format!("{mock},name=one,arg=good,arg=1")])
        .args(["--engine", &format!("{mock},name=two,arg=good,arg=2")])
        .arg("--book")
        .arg(book)
        .arg("--folder")
        .arg(folder.join("state"))
        .arg("--pgn")
        .arg(folder.join("games.pgn"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn finished(folder: &Path) -> usize {
    fs::read_to_string(folder.join("state/games.jsonl")).map_or(0, |text| text.matches('\n').count())
}

/// Waits until the journal has so many games, or the program has ended.
fn wait_for(games: usize, folder: &Path, child: &mut Child) -> bool {
    let patience = Instant::now() + Duration::from_secs(60);
    while Instant::now() < patience {
        if child.try_wait().expect("a child can be asked").is_some() {
            return false;
        }
        if finished(folder) >= games {
            return true;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("the match does not get on");
}

#[test]
fn nothing_is_lost_and_nothing_is_repeated() {
    let mock = mock();
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed-match");
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&scratch);
    let (peaceful, disturbed) = (scratch.join("peaceful"), scratch.join("disturbed"));
    fs::create_dir_all(&peaceful).unwrap();
    fs::create_dir_all(&disturbed).unwrap();
    let output = start(&peaceful, &mock).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let mut kills = 0;
    for games in [1, 4, 9, 16] {
        let mut child = start(&disturbed, &mock);
        if wait_for(games, &disturbed, &mut child) {
            // SIGKILL on Unix: no chance to tidy up.
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
    }
    assert!(kills >= 2, "only {kills} runs could be killed in time");
    let output = start(&disturbed, &mock).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((finished(&peaceful), finished(&disturbed)), (GAMES, GAMES));
    let pgn = |folder: &Path| fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert_eq!(pgn(&peaceful), pgn(&disturbed));
    assert!(!disturbed.join("games.pgn.part").exists());
}
