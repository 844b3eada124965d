//! Repetitions and the fifty-move rule against python-chess, over recorded games and over shuffling ones.
//!
//! `KIEBITZ_PYTHON` names a Python that has python-chess (`make set-up` installs it). The script
//! `oracle/repetition.py` plays the games there and says ply by ply what holds; we replay them.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip and ran")]

mod support;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use kiebitz_chess::{Claims, Ending, FenMode, GameHistory, Position};

const SEED: u64 = 2;
/// More than enough text for a recorded game, in bytes.
const GAME_BYTES: u64 = 2000;

/// How much to compare.
struct Extent {
    recorded_games: u64,
    shuffled_games: u64,
}

/// What the comparison saw.
#[derive(Default, Debug)]
struct Seen {
    recorded_games: usize,
    shuffled_games: usize,
    plies: usize,
    repeated: usize,
    threefold: usize,
    fivefold: usize,
    fifty_moves: usize,
}

fn python() -> Option<PathBuf> {
    let python = std::env::var_os("KIEBITZ_PYTHON").filter(|path| !path.is_empty()).map(PathBuf::from);
    let usable = python.filter(|python| {
        let import = Command::new(python).args(["-c", "import chess.pgn"]).stderr(Stdio::null()).status();
        import.is_ok_and(|status| status.success())
    });
    if usable.is_none() {
        eprintln!("skipped: KIEBITZ_PYTHON is not set, or has no python-chess");
    }
    usable
}

/// Small collections whole, then the beginning of a large one.
fn recorded_games(count: u64) -> String {
    let mut text = String::new();
    if let Some(folder) = support::data("suites/pgn") {
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let games = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            text += games.trim_start_matches('\u{feff}');
            text += "\n\n";
        }
    }
    if let Some(file) = support::data("games/lichess_2013-01_train.pgn.zst") {
        let mut bytes = Vec::new();
        let decoder = zstd::Decoder::new(File::open(file).unwrap()).unwrap();
        decoder.take(count * GAME_BYTES).read_to_end(&mut bytes).unwrap();
        let games = String::from_utf8_lossy(&bytes);
        // The last game may be torn.
        text += &games[..games.rfind("\n[Event ").unwrap_or(games.len())];
    }
    text
}

/// Runs the script; its input is written beside, so that neither side waits for the other.
fn ask(python: PathBuf, extent: &Extent) -> String {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/repetition.py");
    let numbers = [extent.recorded_games, extent.shuffled_games, SEED].map(|number| number.to_string());
    let mut child =
        Command::new(python).arg(script).args(numbers).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let games = recorded_games(extent.recorded_games);
    let mut input = child.stdin.take().unwrap();
    // The script stops reading once it has its games; a broken pipe is then no failure.
    let writer = thread::spawn(move || drop(input.write_all(games.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "the script failed");
    String::from_utf8(output.stdout).unwrap()
}

/// What [`GameHistory::ending`] must say where python-chess sees these conditions.
fn expected_ending(position: &Position, flags: &str, claims: Claims) -> Option<Ending> {
    let claimable = claims == Claims::Made;
    let order = [
        ('c', Ending::Checkmate { winner: !position.side_to_move() }, true),
        ('s', Ending::Stalemate, true),
        ('i', Ending::InsufficientMaterial, true),
        ('7', Ending::SeventyFiveMoves, true),
        ('5', Ending::FivefoldRepetition, true),
        ('f', Ending::FiftyMoves, claimable),
        ('3', Ending::ThreefoldRepetition, claimable),
    ];
    order.into_iter().find(|&(flag, _, counts)| counts && flags.contains(flag)).map(|(_, ending, _)| ending)
}

fn compare(extent: &Extent) -> Option<Seen> {
    let answer = ask(python()?, extent);
    let mut seen = Seen::default();
    let mut game = GameHistory::default();
    let mut name = "";
    for line in answer.lines() {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "game" => {
                name = rest;
                let recorded = name.starts_with("recorded");
                *if recorded { &mut seen.recorded_games } else { &mut seen.shuffled_games } += 1;
            }
            "start" => game = GameHistory::new(Position::from_fen(rest, FenMode::Strict).unwrap()),
            "ply" => {
                let [uci, count, clock, flags] = rest.split(' ').collect::<Vec<_>>().try_into().unwrap();
                game.play(game.position().parse_uci(uci).unwrap());
                let place = || format!("{name}, after {} plies: {}", game.moves().len(), game.position());
                assert_eq!(game.occurrences(), count.parse::<usize>().unwrap(), "{}", place());
                assert_eq!(game.position().halfmove_clock(), clock.parse::<u16>().unwrap(), "{}", place());
                for claims in [Claims::Made, Claims::Waived] {
                    let expected = expected_ending(game.position(), flags, claims);
                    assert_eq!(game.ending(claims), expected, "{claims:?}, {flags}, {}", place());
                }
                seen.plies += 1;
                seen.repeated += usize::from(game.occurrences() > 1);
                seen.threefold += usize::from(flags.contains('3'));
                seen.fivefold += usize::from(flags.contains('5'));
                seen.fifty_moves += usize::from(flags.contains('f'));
            }
            other => panic!("the script wrote '{other}'"),
        }
    }
    Some(seen)
}

fn compare_and_demand(extent: &Extent) {
    let begin = Instant::now();
    let Some(seen) = compare(extent) else { return };
    eprintln!("{seen:?}, seed {SEED}: {:.1?}", begin.elapsed());
    assert!(seen.repeated >= 500 && seen.threefold >= 200 && seen.fivefold >= 50, "too few repetitions: {seen:?}");
    assert!(seen.fifty_moves >= 100, "too few games reach fifty moves: {seen:?}");
    assert_eq!(seen.shuffled_games as u64, extent.shuffled_games);
    if support::data("games").is_some() {
        assert_eq!(seen.recorded_games as u64, extent.recorded_games);
    }
}

#[test]
fn repetitions_and_fifty_moves() {
    compare_and_demand(&Extent { recorded_games: 1000, shuffled_games: 65 });
}

#[test]
#[ignore = "slow: make test-slow"]
fn repetitions_and_fifty_moves_of_many_games() {
    compare_and_demand(&Extent { recorded_games: 20_000, shuffled_games: 1300 });
}
