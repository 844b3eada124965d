//! What must hold for every search.

use std::sync::Arc;
use std::time::Duration;

use kiebitz_alphabeta::{AlphaBeta, EndgameTables, Evaluation, Settings};
use kiebitz_chess::{Color, GameHistory, Position, Score};
use kiebitz_search::{Clock, SearchLimits, SearchReport, SearchResult, SearchSignal, Searcher};
use kiebitz_tablebase::{Dtz, FiftyMoveRule, TableResult, Tablebase};

fn searcher(threads: usize) -> AlphaBeta {
    AlphaBeta::new(Settings {
        hash_mebibytes: 4,
        threads,
        move_overhead: Duration::ZERO,
        evaluation: Evaluation::Handcrafted,
        clock: Clock::system(),
    })
}

fn game(fen: &str) -> GameHistory {
    GameHistory::new(fen.parse().expect("a legal position"))
}

fn search(searcher: &mut AlphaBeta, fen: &str, limits: &SearchLimits) -> (SearchResult, Vec<SearchReport>) {
    let mut reports = Vec::new();
    let result = searcher.search(&game(fen), limits, &SearchSignal::new(), &mut |report| reports.push(report.clone()));
    (result, reports)
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// Legal, and if the score is a mate, ending in exactly that mate.
fn check_line(fen: &str, report: &SearchReport) {
    let mut position: Position = fen.parse().expect("a legal position");
    for &mv in &report.moves {
        assert!(position.is_legal(mv), "{fen}: {report:?}");
        position.play(mv);
    }
    if let Some(moves) = report.score.mate_moves() {
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(report.moves.len(), plies as usize, "{fen}: {report:?}");
        assert!(position.is_checkmate(), "{fen}: {report:?}");
    }
}

#[test]
fn mates_are_found_with_their_lines() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("1r6/4b2k/1q1pNrpp/p2Pp3/4P3/1P1R3Q/5PPP/5RK1 w - - 0 1", 4),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", 0),
        ("3k4/8/8/8/8/8/4R3/4K2R w K - 0 1", 5),
    ];
    for (fen, moves) in mates {
        let (result, reports) = search(&mut searcher(1), fen, &SearchLimits::depth(16));
        reports.iter().for_each(|report| check_line(fen, report));
        match moves {
            0 => assert_eq!((result.best, result.score), (None, Score::mated_in(0))),
            moves => assert!(result.score.mate_moves().is_some_and(|found| found > 0 && found <= moves), "{fen}"),
        }
    }
}

#[test]
fn nodes_are_met_exactly_and_searches_repeat() {
    for fen in [START, KIWIPETE, ENDGAME] {
        for nodes in [1, 2, 17, 1000, 23_456] {
            let mut searcher = searcher(1);
            let limits = SearchLimits::nodes(nodes);
            let first = search(&mut searcher, fen, &limits);
            assert_eq!(first.0.nodes, nodes, "{fen}");
            assert!(first.0.best.is_some());
            first.1.iter().for_each(|report| check_line(fen, report));
            searcher.new_game();
            let second = search(&mut searcher, fen, &limits);
            assert_eq!(first.0, second.0);
            let strip = |reports: Vec<SearchReport>| -> Vec<SearchReport> {
                reports.into_iter().map(|report| SearchReport { elapsed: Duration::ZERO, ..report }).collect()
            };
            assert_eq!(strip(first.1), strip(second.1));
        }
    }
}

#[test]
fn several_lines_are_different_and_sorted() {
    let limits = SearchLimits { lines: 4, ..SearchLimits::depth(8) };
    let (_, reports) = search(&mut searcher(1), KIWIPETE, &limits);
    let last = &reports[reports.len() - 4..];
    assert_eq!(last.iter().map(|report| report.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<_> = last.iter().map(|report| report.moves[0].to_bits()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn all_lines_are_reported_however_short_the_search() {
    for fen in [START, KIWIPETE, ENDGAME] {
        for nodes in [1, 3, 20, 100, 700] {
            let limits = SearchLimits { lines: 5, ..SearchLimits::nodes(nodes) };
            let (result, reports) = search(&mut searcher(1), fen, &limits);
            let last = &reports[reports.len() - 5..];
            assert_eq!(last.iter().map(|report| report.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5], "{fen} {nodes}");
            assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score), "{fen} {nodes}: {last:?}");
            assert_eq!(result.best, last[0].moves.first().copied());
            last.iter().for_each(|report| check_line(fen, report));
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let position: Position = START.parse().unwrap();
    let wanted = position.parse_uci("a2a3").unwrap();
    let limits = SearchLimits { moves: vec![wanted], ..SearchLimits::depth(6) };
    let (result, reports) = search(&mut searcher(1), START, &limits);
    assert_eq!(result.best, Some(wanted));
    assert!(reports.iter().all(|report| report.moves[0] == wanted));
}

#[test]
fn threads_agree_on_something_legal() {
    for fen in [START, KIWIPETE, ENDGAME] {
        let (result, reports) = search(&mut searcher(3), fen, &SearchLimits::nodes(60_000));
        let position: Position = fen.parse().unwrap();
        assert!(position.is_legal(result.best.unwrap()));
        assert!(result.nodes <= 60_000);
        reports.iter().for_each(|report| check_line(fen, report));
    }
}

#[test]
fn nodes_are_met_exactly_on_several_threads() {
    for threads in [2, 3, 8] {
        let mut searcher = searcher(threads);
        for fen in [START, KIWIPETE, ENDGAME] {
            for nodes in [1, 63, 65, 5_000, 40_000] {
                let (result, reports) = search(&mut searcher, fen, &SearchLimits::nodes(nodes));
                assert_eq!(result.nodes, nodes, "{fen}, {threads} threads");
                assert_eq!(reports.last().map(|report| report.nodes), Some(nodes), "{fen}, {threads} threads");
            }
        }
    }
}

#[test]
fn a_limit_that_is_not_reached_lets_the_search_end_by_itself() {
    let limits = SearchLimits { depth: Some(4), ..SearchLimits::nodes(100_000_000) };
    for threads in [1, 2, 4] {
        let (result, _) = search(&mut searcher(threads), KIWIPETE, &limits);
        assert!(result.nodes < 10_000_000 && result.depth >= 4, "{result:?}");
    }
}

#[test]
fn a_signal_ends_an_endless_search() {
    let signal = SearchSignal::new();
    let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let stopper = signal.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        stopper.stop();
    });
    let result = searcher(2).search(&game(KIWIPETE), &limits, &signal, &mut |_| ());
    thread.join().unwrap();
    assert!(result.best.is_some());
}

#[test]
fn perpetual_check_saves_the_weaker_side() {
    // A rook down and about to be mated, but Qe8+ Kh7 Qh5+ Kg8 goes on for ever.
    let fen = "6k1/6p1/8/7Q/8/8/qr4PP/6K1 w - - 0 1";
    let (result, _) = search(&mut searcher(1), fen, &SearchLimits::depth(12));
    assert!(result.score.value().abs() <= 2, "{:?}", result.score);
    assert_eq!(result.best, fen.parse::<Position>().ok().and_then(|position| position.parse_uci("h5e8").ok()));
    let without = fen.replace("7Q", "8");
    let (result, _) = search(&mut searcher(1), &without, &SearchLimits::depth(8));
    assert!(result.score.value() < -500, "{:?}", result.score);
}

#[test]
fn what_is_played_was_reported_last_whichever_thread_found_it() {
    let mut searcher = searcher(4);
    for nodes in (2_000..8_000).step_by(200) {
        for fen in [START, KIWIPETE, ENDGAME] {
            searcher.new_game();
            let (result, reports) = search(&mut searcher, fen, &SearchLimits::nodes(nodes));
            let last = reports.last().expect("a report");
            let told = (last.moves.first().copied(), last.moves.get(1).copied(), last.score, last.nodes);
            assert_eq!(told, (result.best, result.ponder, result.score, nodes), "{fen}");
            check_line(fen, last);
        }
    }
}

#[test]
fn even_the_first_iteration_is_interrupted() {
    // Captures alone visit millions of nodes here.
    const QUEENS: &str = "4k1q1/Qq4qQ/Qqqq3Q/1Q4Qq/8/8/q1qQ4/1Q1QK3 w - - 0 1";
    let endless = SearchLimits { infinite: true, ..SearchLimits::default() };
    let instant = SearchLimits { move_time: Some(Duration::from_millis(1)), ..SearchLimits::default() };
    for (limits, is_stopped, most) in [(endless, true, 10_000), (instant, false, 500_000)] {
        for (threads, lines) in [(1, 1), (1, 3), (3, 1)] {
            let signal = SearchSignal::new();
            if is_stopped {
                signal.stop();
            }
            let mut reports = Vec::new();
            let limits = SearchLimits { lines, ..limits.clone() };
            let mut observer = |report: &SearchReport| reports.push(report.clone());
            let result = searcher(threads).search(&game(QUEENS), &limits, &signal, &mut observer);
            assert!(result.nodes < most, "{} nodes, {limits:?}", result.nodes);
            let last = &reports[reports.len() - lines..];
            assert_eq!(result.best, last[0].moves.first().copied());
            assert!(result.best.is_some());
            last.iter().for_each(|report| check_line(QUEENS, report));
        }
    }
}

/// An iteration that has not come to any value is not told as if it had.
#[test]
fn what_is_of_the_last_iteration_is_said_to_be() {
    for fen in [START, KIWIPETE, ENDGAME] {
        for depth in [5, 8] {
            let (finished, _) = search(&mut searcher(1), fen, &SearchLimits::depth(depth));
            let (_, reports) = search(&mut searcher(1), fen, &SearchLimits::nodes(finished.nodes + 1));
            let last = reports.last().expect("a report");
            assert_eq!((last.depth, last.score), (depth, finished.score), "{fen}");
        }
    }
}

/// Tables that know nothing but Black's lone king against king and piece: what it is for White, and for Black.
struct LoneKing(TableResult, TableResult);

impl Tablebase for LoneKing {
    fn largest(&self) -> usize {
        3
    }

    fn wdl(&self, position: &Position) -> Option<TableResult> {
        let is_alone = position.occupied().len() == 3;
        is_alone.then_some(if position.side_to_move() == Color::White { self.0 } else { self.1 })
    }

    fn dtz(&self, _: &Position) -> Option<Dtz> {
        None
    }
}

/// White has to take the queen, and keeps a rook.
const QUEEN_FALLS: &str = "8/8/8/8/R7/4k3/6q1/7K w - - 0 1";

/// What a search of depth 6 finds with such tables.
fn with_tables(white: TableResult, black: TableResult) -> i32 {
    let tables = Arc::new(LoneKing(white, black));
    let mut searcher = searcher(1);
    searcher.set_tables(Some(EndgameTables { tables, probe_depth: 1, probe_limit: 3, rule: FiftyMoveRule::Honoured }));
    search(&mut searcher, QUEEN_FALLS, &SearchLimits::depth(6)).0.score.value()
}

/// The search must not believe its evaluation more than the tables, which say that the fifty-move rule comes first.
#[test]
fn spoiled_wins_are_draws_inside_the_tree() {
    assert!(search(&mut searcher(1), QUEEN_FALLS, &SearchLimits::depth(6)).0.score.value() > 300);
    assert_eq!(with_tables(TableResult::CursedWin, TableResult::BlessedLoss), 1);
}

/// Nor on the principal line, where tables end no search because a mate might be found.
#[test]
fn known_wins_are_told_as_such() {
    let value = with_tables(TableResult::Win, TableResult::Loss);
    assert!(value > 19_000, "{value}");
    // The same from the other side, by tables that are wrong.
    let value = with_tables(TableResult::Loss, TableResult::Win);
    assert!(value < -19_000, "{value}");
}
