//! A forge that is killed in every one of its stages ends with the same network as one that is left in peace.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const STAGES: [&str; 7] = ["import", "label", "shuffle", "split", "train", "prove", "match"];

/// A small network that is quickly trained.
const RECIPE: &str = "name = 'tiny'\nnetwork = 'inputs = half(any.color * any.role * any.square) trunk = accumulate 16 clipped -> dense 8 clipped \
                      heads = value'\n[data]\ntrain = ['-']\nfilter = { min_ply = 6, no_check = true }\n[training]\npositions = 60_000\n\
                      batch = 512\nepoch = 10_000\nvalidation = 2_000\nround_from = 0.5\n[optimiser]\nrate = 0.01\n";

/// The program that plays, if it was built.
fn engine() -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_BIN_EXE_kiebitz-lab")).with_file_name(format!("kiebitz{}", std::env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

/// A fresh folder with games and a recipe in it.
fn place(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("tiny.toml"), RECIPE).unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/forge_games.pgn");
    fs::copy(games, place.join("games.pgn")).unwrap();
    place
}

fn forge(place: &Path, threads: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
    command.current_dir(place).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["forge", "games.pgn", "--out", "out.net", "--recipe", "tiny.toml", "--json", "--threads", threads]);
    command.args(["--nodes", "30", "--per-game", "20", "--games", "4", "--limit", "nodes=100", "--validation", "0.2"]);
    command
}

fn card(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut card: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // Times are the only thing that may differ, and the number of threads.
    card["card"]["seconds"] = Value::Null;
    card["card"]["losses"]["device"] = Value::Null;
    card
}

/// Runs until a line says this, and kills.
fn kill_at(place: &Path, threads: &str, wanted: &str) -> bool {
    let mut child = forge(place, threads).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let was_seen = lines.map_while(Result::ok).any(|line| line.contains(wanted));
    // SIGKILL on Unix: no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap();
    was_seen
}

#[test]
fn killed_in_every_stage_it_ends_the_same() {
    if engine().is_none() {
        eprintln!("skipped: the engine was not built beside kiebitz-lab (cargo build -p kiebitz)");
        return;
    }
    let (peaceful, disturbed) = (place("forge-peaceful"), place("forge-disturbed"));
    let expected = card(&forge(&peaceful, "2").output().unwrap());
    for (number, stage) in STAGES.iter().enumerate() {
        let threads = if number % 2 == 0 { "1" } else { "2" };
        let begun = format!("{{\"event\":\"stage-begun\",\"stage\":\"{stage}\"");
        assert!(kill_at(&disturbed, threads, &begun), "{stage} was done before it began");
    }
    // Once more in the middle of the stages that take long: after a checkpoint, and after a game.
    for (stage, middle) in [("train", "\"event\":\"checkpoint\""), ("match", "game_finished")] {
        let folders: Vec<PathBuf> = fs::read_dir(disturbed.join("out.forge"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.file_name().unwrap().to_string_lossy().contains(stage))
            .collect();
        folders.iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
        assert!(kill_at(&disturbed, "2", middle), "{stage} told nothing");
    }
    let output = forge(&disturbed, "1").output().unwrap();
    assert_eq!(card(&output), expected);
    let kept = String::from_utf8_lossy(&output.stdout).matches("stage-kept").count();
    assert!(kept >= 5, "only {kept} stages were kept");
    let read = |place: &Path, name: &str| fs::read(place.join(name)).unwrap();
    assert!(read(&peaceful, "out.net") == read(&disturbed, "out.net"), "another network");
    let text = String::from_utf8(read(&disturbed, "out.md")).unwrap();
    for word in [
        "| material and tables | 4 |",
        "| hand-crafted | 4 |",
        "proved not to overflow",
        "games.pgn",
        "Kiebitz with its hand-crafted",
    ] {
        assert!(text.contains(word), "{word} is missing in {text}");
    }
    // Everything is there: nothing is done again. Other options begin where they matter.
    let again = forge(&disturbed, "2").output().unwrap();
    assert_eq!(card(&again), expected);
    assert_eq!(String::from_utf8_lossy(&again.stdout).matches("stage-kept").count(), STAGES.len());
    let other = forge(&disturbed, "2").args(["--positions", "20000"]).output().unwrap();
    assert!(other.status.success());
    assert_eq!(String::from_utf8_lossy(&other.stdout).matches("stage-kept").count(), 4);
    next_from_samples(&peaceful);
    own_loss(&peaceful);
}

/// With its own validation samples a network loses what its card says, filter and all.
fn own_loss(place: &Path) {
    let mut folders = fs::read_dir(place.join("out.forge")).unwrap().map(|entry| entry.unwrap().path());
    let divided = folders.find(|path| path.file_name().unwrap().to_string_lossy().starts_with("4-split")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
    command.current_dir(place).args(["net", "loss", "out.net", "--json", "--validation"]);
    let output = command.arg(divided.join("validation.kbz")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["recipe"], "that of the network's training");
    assert_eq!(report["quantised_loss"], report["trained_quantised_loss"], "{report}");
}

/// Samples that have scores need no teacher, and the next network plays against the one before.
fn next_from_samples(place: &Path) {
    let mut folders = fs::read_dir(place.join("out.forge")).unwrap().map(|entry| entry.unwrap().path());
    let labelled = folders.find(|path| path.file_name().unwrap().to_string_lossy().starts_with("2-label")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .current_dir(place)
        .arg("forge")
        .arg(labelled.join("labelled.kbz"))
        .args(["--out", "next.net", "--against", "out.net", "--recipe", "tiny.toml", "--positions", "20000", "--json"])
        .args(["--games", "2", "--limit", "nodes=100", "--validation", "0.2", "--threads", "2", "--seed", "2"])
        .output()
        .unwrap();
    let card = &card(&output)["card"];
    assert_eq!(card["data"]["labelled"], 0);
    assert!(card["teacher"].as_str().unwrap().contains("Kiebitz with its hand-crafted evaluation"), "{card}");
    let opponents: Vec<&Value> = card["matches"].as_array().unwrap().iter().map(|played| &played["opponent"]).collect();
    assert_eq!(opponents, ["out", "material and tables"]);
    assert!(place.join("next.html").exists() && place.join("next.md").exists());
}

#[test]
fn what_is_wrong_is_told_in_a_sentence() {
    if engine().is_none() {
        eprintln!("skipped: the engine was not built beside kiebitz-lab (cargo build -p kiebitz)");
        return;
    }
    let place = place("forge-wrong");
    let told = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
        let output = command.current_dir(&place).arg("forge").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    fs::write(place.join("theirs.net"), "something").unwrap();
    fs::write(place.join("empty.pgn"), "").unwrap();
    for (arguments, words) in [
        (vec!["none.pgn", "--out", "a.net"], "none.pgn"),
        (vec!["games.doc", "--out", "a.net"], "neither a PGN file nor a file of samples"),
        (vec!["games.pgn", "--out", "theirs.net"], "theirs.net exists and was not forged here"),
        (vec!["empty.pgn", "--out", "b.net"], "no position of the inputs is left"),
        (vec!["games.pgn", "--out", "c.net", "--recipe", "none.toml"], "none.toml"),
        (vec!["games.pgn", "--out", "c.net", "--teacher", "no-such-engine"], "no program 'no-such-engine'"),
        (vec!["games.pgn", "--out", "c.net", "--engine", "./no-engine"], "no program"),
        (vec!["games.pgn", "--out", "c.net", "--validation", "2"], "between 0 and 1"),
    ] {
        let text = told(&arguments);
        assert!(text.contains(words), "{arguments:?}: {text}");
        assert_eq!(text.matches('\n').count(), text.lines().count(), "one sentence: {text}");
    }
}
