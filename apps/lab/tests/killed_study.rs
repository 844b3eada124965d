//! A study that is killed in the middle of its work goes on, and plays, measures and trains nothing twice.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "what a test cannot do without ends it, and is said")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const PLAN: &str = "name = 'tiny'\ntitle = 'A tiny study'\ntrunk = 'accumulate 16 clipped -> dense 8 clipped'\n\
                    [data]\ntrain = ['train.kbz']\nvalidation = ['validation.kbz']\n\
                    [training]\npositions = 20_000\nbatch = 512\nepoch = 4_000\nvalidation = 1_000\n[optimiser]\nrate = 0.01\n\
                    [measuring]\npositions = 300\ngames = 5\ncounted = 1_000\nmilliseconds = 1\n\
                    [matches]\nbaseline = 'piece'\nlimit = 'nodes=60'\ngames = 4\nclock = 'nodes=40'\nclock_games = 2\n\
                    [[entries]]\nname = 'piece'\nfeatures = 'piece768'\n\
                    [[entries]]\nname = 'compact'\nfeatures = 'compact192'\n";

/// Whether the program that plays was built.
fn has_engine() -> bool {
    Path::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .with_file_name(format!("kiebitz{}", std::env::consts::EXE_SUFFIX))
        .is_file()
}

/// A fresh folder with shards and a plan in it.
fn place(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("tiny.toml"), PLAN).unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/forge_games.pgn");
    let lab = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_kiebitz-lab")).current_dir(&place).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    lab(&["data", "import", games.to_str().unwrap(), "--output", "all.kbz"]);
    lab(&["data", "split", "all.kbz", "--train", "train.kbz", "--validation", "validation.kbz", "--share", "0.2"]);
    place
}

fn study(place: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
    command.current_dir(place).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["study", "tiny.toml", "--out", "work", "--report", "report", "--json", "--threads", "2"]);
    command
}

/// Runs until a line says all of this, and kills.
fn kill_at(place: &Path, wanted: &[&str]) -> bool {
    let mut child = study(place).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let was_seen = lines.map_while(Result::ok).any(|line| wanted.iter().all(|word| line.contains(word)));
    // SIGKILL on Unix: no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap();
    was_seen
}

#[test]
fn a_killed_study_goes_on() {
    if !has_engine() {
        eprintln!("skipped: the engine was not built beside kiebitz-lab (cargo build -p kiebitz)");
        return;
    }
    let place = place("study-killed");
    assert!(kill_at(&place, &["\"event\":\"checkpoint\""]));
    assert!(kill_at(&place, &["step-begun", "piece", "measure"]));
    assert!(kill_at(&place, &["step-begun", "compact", "train"]));
    assert!(kill_at(&place, &["game_finished"]));
    let output = study(&place).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("step-kept").count(), 4, "training and measuring of both were done: {text}");
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let entries = last["findings"]["entries"].as_array().unwrap();
    assert_eq!(entries[0]["nodes"], Value::Null, "the baseline does not play itself");
    assert_eq!((&entries[1]["nodes"]["games"], &entries[1]["clock"]["games"]), (&4.into(), &2.into()));
    assert!(
        !place
            .join("work/piece")
            .read_dir()
            .unwrap()
            .any(|entry| { entry.unwrap().path().join("run/checkpoints").exists() })
    );
    check_report(&place.join("report"));

    let again = study(&place).output().unwrap();
    let text = String::from_utf8(again.stdout).unwrap();
    assert_eq!(
        (text.matches("step-kept").count(), text.matches("step-begun").count()),
        (7, 0),
        "six steps of the entries, and their speeds"
    );
    // More games: everything else stays.
    fs::write(place.join("tiny.toml"), PLAN.replace("games = 4", "games = 6")).unwrap();
    let more = String::from_utf8(study(&place).output().unwrap().stdout).unwrap();
    assert_eq!(more.matches("step-begun").count(), 1, "only the match is another one: {more}");
}

fn check_report(folder: &Path) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let chapter = read("report.md");
    for words in
        ["# A tiny study", "nodes=60", "| compact |", "the baseline: 0", "kiebitz-lab study tiny.toml --report report"]
    {
        assert!(chapter.contains(words), "{words} is missing in {chapter}");
    }
    let page = read("index.html");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    for foreign in ["NaN", "inf,", "http", "src=", "href="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for drawing in ["loss.svg", "elo.svg", "updates.svg"] {
        assert!(read(drawing).starts_with("<svg") && chapter.contains(drawing));
    }
    let numbers: Value = serde_json::from_str(&read("numbers.json")).unwrap();
    assert_eq!(numbers["entries"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_wrong_is_told_in_a_sentence() {
    if !has_engine() {
        eprintln!("skipped: the engine was not built beside kiebitz-lab (cargo build -p kiebitz)");
        return;
    }
    let place = place("study-wrong");
    for (plan, words) in [
        (PLAN.replace("piece768", "piece769"), "entry piece"),
        (PLAN.replace("train.kbz", "missing.kbz"), "missing.kbz"),
        (PLAN.replace("nodes=60", "sixty"), "matches.limit"),
        (PLAN.replace("baseline = 'piece'", "baseline = 'none.net'"), "none.net"),
    ] {
        fs::write(place.join("tiny.toml"), plan).unwrap();
        let output = study(&place).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(words) && told.lines().count() == 1, "{words}: {told}");
    }
}
