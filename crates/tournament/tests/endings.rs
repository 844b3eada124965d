//! Ends of games, decided by our rules, agree with python-chess; the PGN is read by others without a complaint.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

mod engines;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use engines::{NO_STOCKFISH, mock, stockfish};
use kiebitz_chess::{GameHistory, Position};
use kiebitz_tournament::Random;
use kiebitz_tournament::runner::{Contestant, Match, MatchSettings};
use tempfile::TempDir;

/// Plies of an opening that is drawn by lot.
const OPENING_PLIES: u64 = 8;

/// So many positions after random moves, as a book.
fn random_book(folder: &Path, positions: u32) -> PathBuf {
    let mut text = String::new();
    for number in 0..u64::from(positions) {
        let mut random = Random::stream(2024, number);
        let mut game = GameHistory::new(Position::default());
        for _ in 0..OPENING_PLIES {
            let moves = game.position().legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len() as u64) as usize) else { break };
            game.play(mv);
        }
        if game.position().ending().is_none() {
            writeln!(text, "{}", game.position()).unwrap();
        }
    }
    let path = folder.join("random.fen");
    fs::write(&path, text).unwrap();
    path
}

/// Plays so many games and has them read by others.
fn play_and_compare(games: u32, players: [Contestant; 2]) {
    let folder = TempDir::new().unwrap();
    let pgn = folder.path().join("games.pgn");
    let mut settings = MatchSettings::new(players.to_vec(), games / 2);
    settings.openings.book = Some(random_book(folder.path(), games / 2));
    settings.concurrency = 2;
    settings.pgn = Some(pgn.clone());
    let report = Match::prepare(settings, None).unwrap().run(&AtomicBool::new(false), |_| {}).unwrap();
    assert_eq!(report.standing.games, u64::from(games));
    python_chess_agrees(&pgn, games);
    pgn_extract_is_content(&pgn);
}

fn python_chess_agrees(pgn: &Path, games: u32) {
    let Some(python) = std::env::var_os("KIEBITZ_PYTHON").filter(|path| !path.is_empty()) else {
        eprintln!("skipped: KIEBITZ_PYTHON is not set");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/endings.py");
    let output = Command::new(python).arg(script).arg(pgn).output().expect("python starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.trim(), games.to_string(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn pgn_extract_is_content(pgn: &Path) {
    let places = ["pgn-extract", "/usr/games/pgn-extract"];
    let run = |place: &&str| Command::new(place).args(["-s", "-r"]).arg(pgn).output().ok();
    let Some(output) = places.iter().find_map(run) else {
        eprintln!("skipped: no pgn-extract is installed");
        return;
    };
    let told = String::from_utf8_lossy(&output.stderr);
    // It counts aloud, even when asked to be silent.
    let complaints: Vec<&str> =
        told.split(['\r', '\n']).filter(|part| !part.is_empty() && !part.starts_with("Games: ")).collect();
    assert!(output.status.success() && complaints.is_empty(), "pgn-extract complains: {complaints:?}");
}

fn random_mover(seed: u32) -> Contestant {
    let mut command = mock("good").argument(seed.to_string());
    command.label = Some(format!("random {seed}"));
    Contestant::new(command, "nodes=1".parse().unwrap())
}

#[test]
fn a_hundred_games_end_as_others_say() {
    play_and_compare(100, [random_mover(1), random_mover(2)]);
}

#[test]
#[ignore = "plays ten thousand games: a quarter of an hour"]
fn ten_thousand_games_end_as_others_say() {
    play_and_compare(5000, [random_mover(1), random_mover(2)]);
    let Some(command) = stockfish() else {
        eprintln!("{NO_STOCKFISH}");
        return play_and_compare(5000, [random_mover(3), random_mover(4)]);
    };
    let quick = |name: &str, nodes: u32| {
        let mut command = command.clone();
        command.label = Some(name.to_owned());
        Contestant::new(command, format!("nodes={nodes}").parse().unwrap())
    };
    play_and_compare(5000, [quick("one", 30), quick("two", 60)]);
}
