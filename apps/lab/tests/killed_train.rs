//! A training run that is killed and resumed ends with the same network as one that is left in peace.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use support::{lab, scratch, succeed};

const RECIPE: &str = "name = 'tiny'\nnetwork = 'inputs = half(any.color * any.role * any.square) trunk = accumulate 16 clipped -> dense 8 clipped \
                      heads = value'\n[data]\ntrain = ['games.kbz']\nvalidation = ['games.kbz']\n[training]\npositions = 60_000\nbatch = 512\n\
                      epoch = 10_000\nvalidation = 1_000\n[optimiser]\nmethod = 'radam'\nshape = 'exponential'\nrate = 0.01\n";

fn train(place: &Path, folder: &str) -> Command {
    let mut command = lab();
    command.current_dir(place).stdout(Stdio::piped());
    command.args(["train", "tiny.toml", "--json", "--threads", "1", "--out", folder]);
    command
}

#[test]
fn a_run_that_is_killed_and_resumed_gives_the_same_bytes() {
    let place = scratch("train-killed");
    fs::write(place.join("tiny.toml"), RECIPE).unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/forge_games.pgn");
    let import = |command: &mut Command| command.arg(&games).args(["--output", "games.kbz"]).output().unwrap();
    succeed(&import(lab().current_dir(&place).args(["data", "import"])));
    succeed(&train(&place, "peaceful").output().unwrap());

    let mut child = train(&place, "killed").spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("\"event\":\"checkpoint\"")), "it told of no checkpoint");
    // SIGKILL on Unix: no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!place.join("killed/tiny.net").exists(), "it was too late to kill it");

    let again = train(&place, "killed").output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("go on with --resume"), "{again:?}");
    let resumed = train(&place, "killed").arg("--resume").output().unwrap();
    succeed(&resumed);
    let told = String::from_utf8_lossy(&resumed.stdout).into_owned();
    let first: serde_json::Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert!(first["event"] == "start" && first["step"].as_u64().unwrap() > 0, "{first}");
    assert!(told.lines().last().unwrap().contains("\"event\":\"end\""), "{told}");
    let network = |folder: &str| fs::read(place.join(folder).join("tiny.net")).unwrap();
    assert!(network("peaceful") == network("killed"), "another network");
    let report = fs::read_to_string(place.join("killed/report.html")).unwrap();
    assert!(report.contains("<svg") && report.contains("tiny"), "no curves");
}
