//! Which positions are legal: the boards of `suites/fen`, valid ones and corrupted ones.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

mod support;

use std::collections::HashSet;

use kiebitz_chess::{FenError, FenMode, Position, Setup};
use support::random_games;

fn lines(name: &str) -> Option<Vec<String>> {
    let path = support::data(&format!("suites/fen/{name}"))?;
    Some(std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect())
}

/// The text with its en-passant field emptied.
fn without_en_passant(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[3] = "-";
    fields.join(" ")
}

#[test]
fn valid_boards_are_accepted_and_written_as_they_were() {
    let Some(lines) = lines("valid.sfens") else { return };
    assert_eq!(lines.len(), 10_000);
    let mut dropped = 0;
    for line in &lines {
        let position = Position::from_fen(line, FenMode::Strict).unwrap_or_else(|error| panic!("{line}: {error}"));
        let written = position.to_shredder_fen();
        if written != *line {
            // Only an en-passant square on which nothing can be taken is left out.
            assert_eq!(written, without_en_passant(line), "{line}");
            dropped += 1;
        }
        assert_eq!(Position::from_fen(line, FenMode::Lenient).as_ref(), Ok(&position), "{line}");
        for mode in [FenMode::Strict, FenMode::Lenient] {
            assert_eq!(Position::from_fen(&position.to_string(), mode).as_ref(), Ok(&position), "{line}");
        }
        support::round_trips::sound(&position);
    }
    assert!(dropped < lines.len(), "some line must have an en-passant capture");
}

#[test]
fn invalid_boards_are_refused() {
    let Some(lines) = lines("invalid.sfens") else { return };
    assert_eq!(lines.len(), 9_992);
    for line in &lines {
        match Position::from_fen(line, FenMode::Strict) {
            Err(FenError::Illegal(_)) => {}
            other => panic!("{line}: {other:?}"),
        }
        let Ok(repaired) = Position::from_fen(line, FenMode::Lenient) else { continue };
        let setup = Setup::from_fen(line, FenMode::Strict).unwrap();
        let rights_differ = repaired.castling_rooks() != setup.castling_rooks;
        let en_passant_dropped = repaired.en_passant() != setup.en_passant;
        assert!(rights_differ || en_passant_dropped, "{line} became {repaired} although nothing was repaired");
        assert!(repaired.castling_rooks().is_subset_of(setup.castling_rooks), "{line} became {repaired}");
        assert_eq!(repaired.board(), &setup.board, "{line}");
        assert_eq!(repaired.side_to_move(), setup.side_to_move, "{line}");
    }
}

#[test]
fn the_960_start_positions_are_known() {
    let Some(lines) = lines("chess960_start_positions.sfens") else { return };
    let expected: HashSet<String> = lines.into_iter().collect();
    let ours: HashSet<String> =
        (0..960).map(|number| random_games::chess960(number, number).to_shredder_fen()).collect();
    assert_eq!(expected.len(), 960);
    assert_eq!(ours, expected);
}
