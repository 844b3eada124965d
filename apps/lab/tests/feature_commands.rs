//! What `features measure` and `features top` find in games that can be counted by hand.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kiebitz_features::FeatureSet;
use serde_json::Value;

fn features(arguments: &[&str], games: &Path) -> Output {
    let games = format!("--games={}", games.display());
    Command::new(env!("CARGO_BIN_EXE_kiebitz-lab")).arg("features").args(arguments).arg(games).output().unwrap()
}

fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&succeed(output)).unwrap()
}

fn written(name: &str, text: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("feature-commands");
    fs::create_dir_all(&place).unwrap();
    let path = place.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A capture, a castling and a king's step in nine moves, then a game of one move; one in between is broken.
const GAMES: &str = "[Result \"*\"]\n\n1. e4 d5 2. exd5 Nf6 3. Nf3 Nxd5 4. Bc4 e6 5. O-O *\n\n[Result \"*\"]\n\n1. Ke5 *\n\n\
                     [Result \"*\"]\n\n1. d4 *\n";

#[test]
fn measuring_counts_what_moves_change() {
    let games = written("measured.pgn", GAMES);
    let report = json(&features(&["measure", "piece768", "--width", "100", "--json"], &games));
    let expected = [
        "active_share",
        "dead",
        "expression",
        "features",
        "games",
        "largest_active",
        "max_active",
        "mean_active",
        "moves",
        "moves_per_second",
        "never_seen",
        "positions_per_second",
        "refreshes_per_move",
        "table_bytes",
        "updates_per_move",
        "weight_bytes",
    ];
    assert_eq!(report.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>(), expected);
    let number = |key: &str| report[key].as_f64().unwrap();
    let counts = ["games", "moves", "features", "dead", "largest_active", "weight_bytes"].map(number);
    assert_eq!(counts, [2.0, 10.0, 768.0, 32.0, 32.0, 768.0 * 100.0 * 2.0]);
    // 32 pieces after e4, d5 and d4, 31 after the first capture, 30 after the second.
    let active = f64::from(3 * 32 + 3 * 31 + 4 * 30 - 31 + 31) / 10.0;
    assert!((number("mean_active") - active).abs() < 1e-9, "{report}");
    assert!((number("active_share") - active / 768.0).abs() < 1e-9);
    // Seven plain moves change two features, two captures three, castling four.
    assert!((number("updates_per_move") - f64::from(7 * 2 + 2 * 3 + 4) / 10.0).abs() < 1e-9, "{report}");
    assert!(number("refreshes_per_move") == 0.0 && number("never_seen") > 600.0, "{report}");
    assert!(number("positions_per_second") > 0.0 && number("moves_per_second") > 0.0);

    // Only the castling king's own view has to begin anew: one of twenty.
    let report = json(&features(&["measure", "halfkp", "--json"], &games));
    assert!((report["refreshes_per_move"].as_f64().unwrap() - 1.0 / 20.0).abs() < 1e-9, "{report}");
    let report = json(&features(&["measure", "piece768", "--limit", "1", "--json"], &games));
    assert_eq!((&report["games"], &report["moves"]), (&1.into(), &9.into()));
    let said = succeed(&features(&["measure", "piece768"], &games));
    assert!(said.starts_with("2 games, 10 moves, 768 features\n") && said.contains("2.40 updates a move"), "{said}");
}

#[test]
fn the_most_frequent_features_become_a_set() {
    let games = written("counted.pgn", "[Result \"*\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. a3 *\n");
    let report = json(&features(&["top", "half(any.color * any.role * any.square)", "--count", "3", "--json"], &games));
    assert_eq!(report.as_object().unwrap().keys().collect::<Vec<_>>(), ["expression", "games", "kept", "share"]);
    assert_eq!(report["games"], 1);
    // Pawns from b2 on have never moved: seen from both sides ten times; among equals the lower numbers are kept.
    assert_eq!(report["kept"], serde_json::json!([[9, 10], [10, 10], [11, 10]]));
    assert!((report["share"].as_f64().unwrap() - 30.0 / (5.0 * 2.0 * 32.0)).abs() < 1e-9, "{report}");
    let set = FeatureSet::parse(report["expression"].as_str().unwrap()).unwrap();
    assert_eq!((set.count(), set.name(2).unwrap().as_str()), (3, "own pawn d2"));
    let said = succeed(&features(&["top", "half(any.color * any.role * any.square)", "--count", "3"], &games));
    assert_eq!(said.trim_end(), report["expression"]);
}

#[test]
fn what_cannot_be_read_is_said_in_one_sentence() {
    let games = written("refused.pgn", GAMES);
    let empty = written("empty.pgn", "no game at all");
    let missing = empty.with_file_name("missing.pgn");
    for command in ["measure", "top"] {
        let refused = [
            ("piece768", &missing, "missing.pgn"),
            ("piece768", &empty, "empty.pgn holds no game that can be read"),
            (
                "half(any.sqare)",
                &games,
                "'half(any.sqare)' is no feature set: at character 10: 'sqare' is unknown here",
            ),
        ];
        for (set, games, expected) in refused {
            let arguments = if command == "top" { vec![command, set, "--count", "2"] } else { vec![command, set] };
            let output = features(&arguments, games);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.starts_with("error: ") && said.lines().count() == 1 && said.contains(expected), "{said}");
        }
    }
    let output = features(&["top", "any.square", "--count", "2"], &games);
    assert!(String::from_utf8(output.stderr).unwrap().contains("write half(…) around the set"));
}
