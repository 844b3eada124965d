//! What `data split` and `data stats` say about sets whose games are known, and about sets of single positions.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn data(arguments: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kiebitz-lab")).arg("data").args(arguments).args(paths).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn scratch(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// Eighty games of twelve plies as a shard; no two have the same first move on both sides.
fn games(place: &Path) -> PathBuf {
    let mut text = String::new();
    for (white, black) in (0..80).map(|number| (number % 8, number / 8)) {
        let first = ["a3", "b3", "d3", "e3", "f3", "g3", "h3", "a4"][white];
        let answer = ["a6", "b6", "c6", "d6", "e6", "g6", "h6", "a5", "b5", "c5"][black];
        let shuffling = "2. Nc3 Nf6 3. Nb1 Ng8 4. Nc3 Nf6 5. Nb1 Ng8 6. Nc3 Nf6";
        writeln!(text, "[Result \"1-0\"]\n\n1. {first} {answer} {shuffling} 1-0\n").unwrap();
    }
    let (pgn, shard) = (place.join("games.pgn"), place.join("games.kbz"));
    fs::write(&pgn, text).unwrap();
    let said = succeed(&data(&["import", "--json", "--output"], &[&shard, &pgn]));
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["games"], &said["broken"]), (&80.into(), &0.into()));
    shard
}

#[test]
fn single_positions_are_not_divided_by_game_without_a_word() {
    let place = scratch("data-split");
    let games = games(&place);
    let [singles, train, validation] = ["singles.kbz", "train.kbz", "validation.kbz"].map(|name| place.join(name));
    succeed(&data(&["shuffle", "--unit", "sample", "--output"], &[&singles, &games]));
    let divide = |input: &Path, more: &[&str]| {
        let output = |name: &str, path: &Path| format!("--{name}={}", path.display());
        let [train, validation] = [output("train", &train), output("validation", &validation)];
        data(&[&["split", "--share", "0.3", &train, &validation], more].concat(), &[input])
    };

    let refused = divide(&singles, &[]);
    assert_eq!(refused.status.code(), Some(1));
    let message = text(&refused.stderr);
    assert!(message.contains("singles.kbz are unknown: 960 of 960 chains have one position"), "{message}");
    assert!(message.contains("--by-position"), "{message}");
    assert!(!train.exists() && !validation.exists(), "nothing was written");
    assert_eq!(fs::read_dir(&place).unwrap().count(), 5, "games, two shards with manifests");

    let page = place.join("xray.html");
    let stats = |more: &[&str]| {
        let (second, html) = (format!("--validation={}", validation.display()), format!("--html={}", page.display()));
        succeed(&data(&[&["stats", &second, &html], more].concat(), &[&train]))
    };
    succeed(&divide(&singles, &["--by-position"]));
    let said = stats(&[]);
    assert!(said.contains("leakage: games unknown, for most chains of a set have one position"), "{said}");
    let said: Value = serde_json::from_str(&stats(&["--json"])).unwrap();
    assert!(said["leakage"]["games"].is_null() && said["leakage"]["validation_games"].is_null());
    assert_eq!(said["leakage"]["positions"], 0, "equal positions went together");
    assert!(fs::read_to_string(&page).unwrap().contains("unknown: single positions"));

    // Where games are known, neither command has anything to object.
    succeed(&divide(&games, &[]));
    let said: Value = serde_json::from_str(&stats(&["--json"])).unwrap();
    assert_eq!(said["leakage"]["games"], 0);
    assert!(said["leakage"]["validation_games"].as_u64() > Some(10));
    assert!(stats(&[]).contains("leakage: 0 of"));
    assert!(!fs::read_to_string(&page).unwrap().contains("unknown"));
}

#[test]
fn opening_coverage_is_there_for_games_from_random_openings() {
    let place = scratch("data-openings");
    let folder = place.join("games");
    let rules = ["selfplay", "--games", "8", "--shard-games", "8", "--nodes", "20", "--longest", "12", "--hash", "1"];
    succeed(&data(&[&rules[..], &["--opening-nodes", "0", "--output"]].concat(), &[&folder]));
    let (shard, page) = (folder.join("games-000000000.kbz"), place.join("xray.html"));
    let html = format!("--html={}", page.display());
    let said: Value = serde_json::from_str(&succeed(&data(&["stats", "--json", &html], &[&shard]))).unwrap();
    let statistics = &said["statistics"];
    assert_eq!(statistics["openings"], serde_json::json!({}), "no game begins at the beginning");
    assert_eq!(statistics["chains"], 8);
    assert!(statistics["chain_starts"].as_u64() > Some(4), "{statistics}");
    assert!(statistics["opening_positions"].as_u64() > Some(4), "{statistics}");
    let said = succeed(&data(&["stats"], &[&shard]));
    assert!(said.contains("opening coverage") && said.contains("different starts of 8 chains"), "{said}");
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("Opening coverage") && page.contains("different starts"));
}
