//! The edge cases of `data/suites/pgn`, read as a person would expect. Needs `KIEBITZ_DATA`.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests may fail loudly")]

use std::path::PathBuf;
use std::time::Duration;

use kiebitz_chess::{Color, Outcome};
use kiebitz_pgn::{BrokenReason, EvaluationScore, Game, GameReader, NodeId, Source};

/// The games of a suite; `None`, with a word to the reader of the log, where the data is missing.
fn suite(name: &str) -> Option<Vec<Result<Game, BrokenReason>>> {
    let Some(data) = std::env::var_os("KIEBITZ_DATA") else {
        eprintln!("skipped: KIEBITZ_DATA is not set, so {name} cannot be read");
        return None;
    };
    let source = Source::open(PathBuf::from(data).join("suites/pgn").join(name)).unwrap();
    Some(GameReader::new(source).map(|game| game.map_err(|broken| broken.reason)).collect())
}

/// The games of a suite in which all are sound.
fn sound(name: &str) -> Option<Vec<Game>> {
    suite(name).map(|games| games.into_iter().map(Result::unwrap).collect())
}

fn plies(game: &Game) -> usize {
    game.main_line().count()
}

fn final_fen(game: &Game) -> String {
    game.position(game.main_line().last().unwrap_or(NodeId::ROOT)).to_string()
}

#[test]
fn a_null_move_in_the_main_line() {
    let Some(games) = sound("anastasian-lewis.pgn") else { return };
    assert_eq!(plies(&games[0]), 84);
    assert_eq!(games[0].tags().get("PlyCount"), Some("84"));
    assert_eq!(final_fen(&games[0]), "5rk1/2p1R2p/p5pb/2PPR3/8/2Q2B2/5P2/4K2q w - - 3 43");
    assert!(games[0].to_string().contains("41. Bxf3 -- 42. Ke1 Qh1+ 1-0"));
}

#[test]
fn other_games_than_chess_are_refused_by_name() {
    let refused = |name: &str| BrokenReason::Variant(name.to_owned());
    let Some(games) = suite("antichess-programfox.pgn") else { return };
    assert_eq!(games, [Err(refused("Antichess")), Err(refused("Antichess"))]);
    for name in ["knightvuillaume-jannlee-zh-lichess.pgn", "saturs-jannlee-zh-lichess.pgn"] {
        assert_eq!(suite(name), Some(vec![Err(refused("Crazyhouse"))]));
    }
}

#[test]
fn an_empty_line_among_the_tags() {
    let Some(games) = sound("chessbase-empty-line.pgn") else { return };
    assert_eq!(games.len(), 1);
    assert_eq!(
        (games[0].tags().event(), games[0].tags().black()),
        (Some("AlphaZero vs. Stockfish"), Some("AlphaZero"))
    );
    assert_eq!((plies(&games[0]), games[0].outcome()), (134, Some(Outcome::Win(Color::Black))));
}

#[test]
fn chess960_with_engine_notes() {
    let Some(games) = sound("cutechess-fischerrandom.pgn") else { return };
    assert_eq!(games.len(), 4);
    for game in &games {
        let count: usize = game.tags().get("PlyCount").unwrap().parse().unwrap();
        assert_eq!(plies(game), count);
        assert!(game.start().is_chess960());
        let notes = game.main_line().filter(|&id| game.comments(id)[0].engine_note().is_some()).count();
        assert_eq!(notes, count);
    }
    let last = games[3].main_line().last().unwrap();
    let note = games[3].comments(last)[0].engine_note().unwrap();
    assert_eq!((note.score, note.depth, note.time), (EvaluationScore::Mate(1), 127, Some(Duration::from_millis(2))));
    assert!(games[3].comments(last)[0].text().ends_with("White mates"));
}

#[test]
fn move_numbers_without_a_blank() {
    let Some(games) = sound("kasparov-deep-blue-1997.pgn") else { return };
    let counts: Vec<usize> = games.iter().map(plies).collect();
    let tags: Vec<usize> = games.iter().map(|game| game.tags().get("PlyCount").unwrap().parse().unwrap()).collect();
    assert_eq!(counts, tags);
    let outcomes: Vec<&str> = games.iter().map(|game| game.tags().get("Result").unwrap_or("?")).collect();
    assert_eq!(outcomes, ["1-0", "1-0", "1/2-1/2", "1/2-1/2", "1/2-1/2", "1-0"]);
    assert_eq!(games[0].tags().headline(), "Garry Kasparov – Deep Blue (Computer), IBM Man-Machine, New York USA 1997");
}

#[test]
fn mate_is_written_as_mate() {
    let Some(games) = sound("molinari-bordais-1979.pgn") else { return };
    assert_eq!((games.len(), plies(&games[0])), (1, 10));
    assert!(games[0].to_string().ends_with("5. g3 Nd3# 0-1\n"));
}

#[test]
fn a_plain_game_with_ratings() {
    let Some(games) = sound("nepomniachtchi-liren-game1.pgn") else { return };
    let tags = games[0].tags();
    assert_eq!((tags.white_elo(), tags.black_elo()), (Some(2795), Some(2788)));
    assert_eq!(tags.time_control(), Some("40/7200:20/3600:900+30"));
    assert_eq!((plies(&games[0]), games[0].outcome()), (97, Some(Outcome::Draw)));
}

#[test]
fn an_engine_match_with_book_moves() {
    let Some(games) = sound("stockfish-learning.pgn") else { return };
    let ids: Vec<NodeId> = games[0].main_line().collect();
    assert_eq!(ids.len(), 154);
    assert_eq!(games[0].comments(ids[0])[0].text(), "book");
    let note = games[0].comments(ids[4])[0].engine_note().unwrap();
    assert_eq!(
        (note.score, note.depth, note.time),
        (EvaluationScore::Centipawns(69), 29, Some(Duration::from_secs(36)))
    );
}

#[test]
fn moves_as_engines_write_them() {
    let Some(games) = sound("uci-moves.pgn") else { return };
    assert_eq!(plies(&games[0]), 113);
    let text = games[0].to_string();
    assert!(text.contains("1. Nf3 c5 2. e4 d6 3. d4 cxd4") && text.contains("15. O-O-O"), "{text}");
}

#[test]
fn a_byte_order_mark_and_games_without_moves() {
    let Some(games) = sound("utf8-bom.pgn") else { return };
    let events: Vec<_> = games.iter().map(|game| game.tags().event()).collect();
    assert_eq!(events, [Some("A"), Some("B")]);
    assert!(games.iter().all(|game| plies(game) == 0 && game.outcome().is_none()));
}
