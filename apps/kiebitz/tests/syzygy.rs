//! Endgame tables through UCI.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

mod conversation;

use std::path::PathBuf;

use conversation::Conversation;

/// Saavedra's ending of four men: the pawn wins, and no other move does.
const ONE_MOVE_WINS: (&str, &str) = ("position fen 8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", "c6c7");
/// Lucena's position: no table has five men, but captures lead into those of four.
const FIVE_MEN: &str = "position fen 1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1";
/// Bishop and knight need more moves to mate than the fifty-move rule leaves.
const TOO_LATE: &str = "position fen 7k/8/8/8/8/8/2B5/KN6 w - - 80 100";

/// More than any evaluation without tables; a win by tables is far above.
const SURE_WIN: i32 = 10_000;

/// An engine with the tables of up to four men, if they are there; else one line says that the test is skipped.
fn engine() -> Option<Conversation> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let folder = PathBuf::from(root).join("suites/syzygy34");
    if !folder.exists() {
        eprintln!("skipped: KIEBITZ_DATA has no suites/syzygy34");
        return None;
    }
    let mut engine = Conversation::start();
    engine.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    engine.send("isready");
    let (lines, _) = engine.until("readyok");
    assert!(lines.iter().any(|line| line.contains("tablebase files")), "{lines:?}");
    Some(engine)
}

/// What a search says in the end.
struct Verdict {
    hits: u64,
    centipawns: i32,
    best: String,
}

fn search(engine: &mut Conversation, position: &str) -> Verdict {
    engine.send("ucinewgame");
    engine.send(position);
    let lines = engine.go("go nodes 5000");
    let report = lines.iter().rev().find(|line| line.contains(" tbhits ")).expect("a report");
    let number_after = |word: &str| -> i32 {
        let number = report.split_whitespace().skip_while(|candidate| *candidate != word).nth(1);
        number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no {word} in {report}"))
    };
    Verdict {
        hits: u64::try_from(number_after("tbhits")).unwrap(),
        centipawns: number_after("cp"),
        best: lines.last().unwrap().split_whitespace().nth(1).unwrap().to_owned(),
    }
}

#[test]
fn tables_are_asked_and_their_win_is_played() {
    let Some(mut engine) = engine() else { return };
    let root = search(&mut engine, ONE_MOVE_WINS.0);
    assert!(root.hits > 0 && root.centipawns > SURE_WIN, "{} hits, {}", root.hits, root.centipawns);
    assert_eq!(root.best, ONE_MOVE_WINS.1);
    let inside = search(&mut engine, FIVE_MEN);
    assert!(inside.hits > 1 && inside.centipawns > 0, "{} hits, {}", inside.hits, inside.centipawns);
}

#[test]
fn a_limit_of_no_pieces_asks_nothing() {
    let Some(mut engine) = engine() else { return };
    for (limit, asks) in [(0, false), (4, true), (0, false)] {
        engine.send(&format!("setoption name SyzygyProbeLimit value {limit}"));
        assert_eq!(search(&mut engine, ONE_MOVE_WINS.0).hits > 0, asks, "limit {limit}");
    }
    assert_eq!(search(&mut engine, FIVE_MEN).hits, 0);
}

#[test]
fn the_fifty_move_rule_makes_a_late_win_a_draw() {
    let Some(mut engine) = engine() else { return };
    let draw = search(&mut engine, TOO_LATE);
    assert!(draw.hits > 0 && draw.centipawns.abs() <= 1, "{} hits, {}", draw.hits, draw.centipawns);
    engine.send("setoption name Syzygy50MoveRule value false");
    let win = search(&mut engine, TOO_LATE);
    assert!(win.hits > 0 && win.centipawns > SURE_WIN, "{} hits, {}", win.hits, win.centipawns);
}

/// A bare king beside a queen whom nobody guards on d3, d4, d5 and f3.
const QUEEN: &str = "position fen 8/8/8/8/4k3/8/8/3QK3 w - - 0 1";
const LOSES_HER: [&str; 4] = ["d1d3", "d1d4", "d1d5", "d1f3"];

/// The score of the last report of every line, by the move that it begins with.
fn scores(engine: &mut Conversation, position: &str, order: &str) -> Vec<(String, i32)> {
    engine.send("ucinewgame");
    engine.send(position);
    let mut scores: Vec<(String, i32)> = Vec::new();
    for line in engine.go(order).iter().filter(|line| line.contains(" score cp ")) {
        let number: i32 = line.split_once(" score cp ").unwrap().1.split_whitespace().next().unwrap().parse().unwrap();
        let first = line.split_once(" pv ").unwrap().1.split_whitespace().next().unwrap().to_owned();
        scores.retain(|(mv, _)| *mv != first);
        scores.push((first, number));
    }
    scores
}

#[test]
fn a_line_is_worth_what_tables_say_of_its_own_move() {
    let Some(mut engine) = engine() else { return };
    let draw = scores(&mut engine, QUEEN, "go depth 5 searchmoves d1d3");
    assert_eq!(draw, [("d1d3".to_owned(), 0)]);
    let best_of_two = scores(&mut engine, QUEEN, "go depth 5 searchmoves d1d3 d1d2");
    assert!(best_of_two.len() == 1 && best_of_two[0].0 == "d1d2" && best_of_two[0].1 > SURE_WIN, "{best_of_two:?}");

    engine.send("setoption name MultiPV value 50");
    let all = scores(&mut engine, QUEEN, "go depth 3");
    assert!(all.len() > 15, "{all:?}");
    for (mv, score) in &all {
        let is_draw = LOSES_HER.contains(&mv.as_str());
        assert!(if is_draw { *score == 0 } else { *score > SURE_WIN }, "{mv} in {all:?}");
    }
    let (wins, draws) = all.split_at(all.len() - LOSES_HER.len());
    assert!(wins.iter().all(|(_, score)| *score > 0) && draws.iter().all(|(_, score)| *score == 0), "{all:?}");
}

#[test]
fn the_probe_depth_keeps_shallow_nodes_from_asking() {
    let Some(mut engine) = engine() else { return };
    for (depth, asks) in [(1, true), (100, false), (1, true)] {
        engine.send(&format!("setoption name SyzygyProbeDepth value {depth}"));
        assert_eq!(search(&mut engine, FIVE_MEN).hits > 0, asks, "depth {depth}");
    }
}
