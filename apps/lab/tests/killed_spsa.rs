//! A tuning run that is killed again and again takes the same path as one that is left in peace.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Iterations of the run.
const ITERATIONS: usize = 6;

#[path = "../../../crates/tournament/tests/engines/mod.rs"]
#[allow(dead_code, reason = "Stockfish is not needed here")]
mod engines;

/// The mock engine's program.
fn mock() -> PathBuf {
    engines::mock("good").program
}

fn start(folder: &Path, mock: &Path, numbers: &Path) -> Child {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/tournament/testdata/match_openings.epd");
    Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .args(["spsa", &format!("{},arg=good,arg=3", mock.display()), "--nodes", "1", "--concurrency", "2", "--resume"])
        .args([
            "--pairs",
            &(2 * ITERATIONS).to_string(),
            "--pairs-per-iteration",
            "2",
            "--learning-rate",
            "0.5",
            "--json",
        ])
        .arg("--parameters")
        .arg(numbers)
        .arg("--book")
        .arg(book)
        .arg("--folder")
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn trajectory(folder: &Path) -> String {
    fs::read_to_string(folder.join("trajectory.jsonl")).unwrap_or_default()
}

/// Waits until so many iterations are finished, or the program has ended.
fn wait_for(iterations: usize, folder: &Path, child: &mut Child) -> bool {
    let patience = Instant::now() + Duration::from_secs(120);
    while Instant::now() < patience {
        if child.try_wait().expect("a child can be asked").is_some() {
            return false;
        }
        if trajectory(folder).matches('\n').count() >= iterations {
            return true;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("the run does not get on");
}

#[test]
fn a_killed_run_takes_the_same_path() {
    let mock = mock();
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed-spsa");
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).unwrap();
    let numbers = scratch.join("numbers.txt");
    fs::write(&numbers, "Hash = 16 in 1..=1024 step 4;\n").unwrap();
    let (peaceful, disturbed) = (scratch.join("peaceful"), scratch.join("disturbed"));
    let output = start(&peaceful, &mock, &numbers).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("\"finished\": true") && report.contains("in 1..=1024 step 4;"), "{report}");

    let mut kills = 0;
    for iterations in [0, 1, 3] {
        let mut child = start(&disturbed, &mock, &numbers);
        if wait_for(iterations, &disturbed, &mut child) {
            // SIGKILL on Unix: no chance to tidy up.
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
    }
    assert!(kills >= 2, "only {kills} runs could be killed in time");
    let output = start(&disturbed, &mock, &numbers).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(trajectory(&peaceful), trajectory(&disturbed));
    assert_eq!(trajectory(&peaceful).lines().count(), ITERATIONS);
    let plot = fs::read_to_string(disturbed.join("trajectories.svg")).unwrap();
    assert!(plot.contains("<polyline"), "{plot}");
    assert!(fs::read_to_string(disturbed.join("values.txt")).unwrap().starts_with("Hash = "));
}
