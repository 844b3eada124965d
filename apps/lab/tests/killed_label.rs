//! A labeller and its engines, killed again and again, leave the same bytes as a run in peace.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "what a test cannot do without ends it, and it says what it skips"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn lab() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Labels with these words for the engine, on so many processes.
fn label(place: &Path, output: &str, engine: &[&str], processes: &str) -> Child {
    lab()
        .args(["data", "label", "--nodes", "2000", "--option", "Hash=4", "--processes", processes])
        .args(engine)
        .arg("--output")
        .arg(place.join(output))
        .arg(place.join("games/games-000000000.kbz"))
        .spawn()
        .unwrap()
}

fn succeed(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn killed_labelling_goes_on_where_it_was() {
    let places = ["/usr/games/stockfish", "/usr/bin/stockfish"];
    let found = places.into_iter().find(|path| Path::new(path).is_file());
    let (Some(stockfish), true) = (found, Path::new("/usr/bin/timeout").is_file()) else {
        eprintln!("skipped: no stockfish is installed");
        return;
    };
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed-label");
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    let games = ["data", "selfplay", "--games", "30", "--shard-games", "30", "--nodes", "30", "--longest", "8"];
    succeed(lab().args(games).args(["--opening-nodes", "0", "--output"]).arg(place.join("games")).spawn().unwrap());

    let start = Instant::now();
    succeed(label(&place, "peaceful.kbz", &["--engine", stockfish], "1"));
    let whole = start.elapsed();
    let expected = fs::read(place.join("peaceful.kbz")).unwrap();

    // Engines that live for half of the time that is needed, in a labeller that does not live longer either.
    let life = format!("{:.2}", whole.as_secs_f64() / 2.0);
    let mortal = ["--engine", "/usr/bin/timeout", "--arg", "--signal=KILL", "--arg", &life, "--arg", stockfish];
    let journal = place.join("disturbed.kbz.labels");
    let mut kills = 0;
    for wanted in [1, 2] {
        let mut child = label(&place, "disturbed.kbz", &mortal, "2");
        let before = fs::metadata(&journal).map_or(0, |data| data.len());
        let patience = Instant::now() + Duration::from_secs(60);
        let grown = || fs::metadata(&journal).map_or(0, |data| data.len()) > before + 100 * wanted;
        while !grown() && child.try_wait().unwrap().is_none() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        // SIGKILL on Unix: no chance to tidy up.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    succeed(label(&place, "disturbed.kbz", &mortal, "1"));
    assert!(kills > 0, "the labeller was over before it could be killed, with engines that lived for {life} s");
    assert!(fs::read(place.join("disturbed.kbz")).unwrap() == expected, "other bytes");
    assert!(!journal.exists(), "the journal has done its work");
}
