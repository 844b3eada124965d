//! Books as they come from the field.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests fail loudly and say what they skip"
)]

mod support;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use kiebitz_chess::{FenMode, Position, Setup};
use kiebitz_tournament::Random;
use kiebitz_tournament::opening::{Book, BookError, OpeningList, Polyglot, polyglot_key_of_setup};

/// Openings in each book, counted by other means (lines that are not empty; `[Event` tags).
const SIZES: [(&str, usize); 10] = [
    ("2moves_v2.pgn.zip", 12_092),
    ("8moves_v3.pgn.zip", 34_700),
    ("Drawkiller_balanced_big.epd.zip", 15_962),
    ("FRC_openings.epd.zip", 960),
    ("UHO_4060_v4.epd.zip", 241_670),
    ("endgames.epd.zip", 157_846),
    ("hybrid_book_beta.epd.zip", 28_054),
    ("noob_3moves.epd.zip", 150_932),
    ("popularpos_lichess_v3.epd.zip", 200_000),
    ("stalemates_200d30_v1.epd.zip", 10_796),
];

#[test]
fn the_books_of_the_field_are_read() {
    let Some(folder) = support::data("books") else { return };
    for (name, size) in SIZES {
        let file = folder.join(name);
        if !file.exists() {
            eprintln!("skipped: KIEBITZ_DATA has no books/{name}");
            continue;
        }
        let book = match Book::open(&file, None) {
            Ok(book) => book,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(book.len(), size, "{name}");
        assert!(book.memory_bytes() < 90 * size + 1_000, "{name}: {} bytes", book.memory_bytes());
        assert_eq!(book.has_chess960(), name.starts_with("FRC"), "{name}");
        let list = OpeningList::new(book, Some(1), 0);
        for number in 0..500 {
            let opening = list.opening(number);
            assert!(opening.position().has_legal_moves());
            let plies = if name.starts_with("2moves") { 4 } else { 16 };
            assert!(opening.moves.len() == if name.contains(".pgn") { plies } else { 0 }, "{name}: {opening:?}");
        }
    }
}

#[test]
fn pgn_books_can_be_cut_short() {
    let Some(file) = support::data("books/8moves_v3.pgn.zip") else { return };
    let book = Book::open(file, Some(5)).unwrap();
    assert_eq!(book.len(), 34_700);
    assert!((0..book.len()).step_by(97).all(|index| book.opening(index).unwrap().moves.len() == 5));
}

#[test]
fn polyglot_books_are_read() {
    let Some(file) = support::data("suites/fen/lasker-trap.bin") else { return };
    let trap = Polyglot::open(file).unwrap();
    assert_eq!(trap.len(), 7);
    let fen = "rnbqk1nr/ppp2ppp/8/4P3/1BP5/8/PP2KpPP/RN1Q1BNR b kq - 1 7";
    let position = Position::from_fen(fen, FenMode::Strict).unwrap();
    let moves = trap.moves(&position);
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].0.to_string(), "f2g1n");

    let Some(file) = support::data("suites/fen/performance.bin") else { return };
    let polyglot = Polyglot::open(&file).unwrap();
    assert_eq!(polyglot.len(), 92_954);
    let first: Vec<(String, u16)> =
        polyglot.moves(&Position::default()).iter().map(|(mv, weight)| (mv.to_string(), *weight)).collect();
    println!("performance.bin begins with {first:?}");
    assert!(first.iter().any(|(mv, _)| mv == "e2e4") && first.iter().any(|(mv, _)| mv == "d2d4"));
    let mut sizes = Vec::new();
    for plies in [1, 2, 4, 8] {
        let book = Book::open(&file, Some(plies)).unwrap();
        sizes.push(book.len());
        let mut ends = HashMap::new();
        for index in 0..book.len() {
            let opening = book.opening(index).unwrap();
            assert!(!opening.moves.is_empty() && opening.moves.len() <= plies);
            *ends.entry(opening.position().key()).or_insert(0) += 1;
        }
        assert!(ends.values().all(|&count| count == 1), "a position is reached twice");
    }
    println!("lines after 1, 2, 4 and 8 plies: {sizes:?}");
    assert!(sizes.is_sorted());
}

#[test]
fn polyglot_keys_agree_with_python_chess() {
    let python = std::env::var_os("KIEBITZ_PYTHON").filter(|path| !path.is_empty());
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/polyglot_keys.py");
    let answer = python.and_then(|python| Command::new(python).arg(script).args(["1000", "7"]).output().ok());
    let Some(answer) = answer.filter(|answer| answer.status.success()) else {
        eprintln!("skipped: KIEBITZ_PYTHON is not set, or has no python-chess");
        return;
    };
    let text = String::from_utf8(answer.stdout).unwrap();
    let (mut positions, mut with_square) = (0, 0);
    for line in text.lines() {
        let (fen, key) = line.split_once(';').unwrap();
        let setup = Setup::from_fen(fen, FenMode::Lenient).unwrap();
        assert_eq!(format!("{:016x}", polyglot_key_of_setup(&setup)), key, "{fen}");
        positions += 1;
        with_square += usize::from(setup.en_passant.is_some());
    }
    println!("{positions} keys, {with_square} with an en-passant square");
    assert_eq!(positions, 1000);
    assert!(with_square > 30);
}

/// A file in a folder of its own.
fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("books");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    File::create(&path).unwrap().write_all(bytes).unwrap();
    path
}

#[test]
fn broken_books_are_told_with_file_and_line() {
    let good = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let text = format!("{good}\n# a remark\n{good}8/8/8/8/8/8/8/8 w - - 0 1\n{good}7k/5Q2/6K1/8/8/8/8/8 b - -\n");
    let path = temporary("broken.epd", text.as_bytes());
    let error = Book::open(&path, None).unwrap_err();
    let BookError::Broken { lines, count, .. } = &error else { panic!("{error}") };
    assert_eq!((lines[0].line, lines[1].line, *count), (Some(5), Some(7), 2));
    assert!(lines[1].problem.contains("stalemate"), "{error}");
    assert!(error.to_string().contains("broken.epd: line 5: "), "{error}");

    let path = temporary("broken.pgn", b"[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 e4 *\n");
    let error = Book::open(&path, Some(1)).unwrap_err().to_string();
    assert!(error.contains("broken.pgn: line 7: game 2: "), "{error}");

    let many: String = (0..50).map(|_| "nonsense\n").collect();
    let error = Book::open(temporary("many.epd", many.as_bytes()), None).unwrap_err().to_string();
    assert!(error.ends_with("; and 40 more"), "{error}");

    let binary: Vec<u8> = (0..200_000).map(|_| 0xff).collect();
    assert!(Book::open(temporary("binary.epd", &binary), None).is_err());
    assert!(matches!(Book::open(temporary("empty.epd", b"\n\n"), None), Err(BookError::Empty { .. })));
    assert!(matches!(Book::open(temporary("book.xyz", b""), None), Err(BookError::UnknownKind { .. })));
    assert!(matches!(Book::open(temporary("no.zip", b"PK not really"), None), Err(BookError::Archive { .. })));
    assert!(matches!(Book::open("does/not/exist.epd", None), Err(BookError::Source(_))));
    assert!(matches!(Book::open("does/not/exist.zip", None), Err(BookError::Archive { .. })));
}

/// Random damage to a good archive: an error or a book, never a panic.
#[test]
fn damaged_archives_do_no_harm() {
    let Some(file) = support::data("books/FRC_openings.epd.zip") else { return };
    let bytes = fs::read(file).unwrap();
    let mut random = Random::new(5);
    for round in 0..200 {
        let mut damaged = bytes.clone();
        for _ in 0..=random.below(4) {
            let place = random.below(damaged.len() as u64) as usize;
            damaged[place] = random.bits() as u8;
        }
        if round % 3 == 0 {
            damaged.truncate(random.below(bytes.len() as u64) as usize);
        }
        let _ = Book::open(temporary("damaged.zip", &damaged), None);
    }
}
