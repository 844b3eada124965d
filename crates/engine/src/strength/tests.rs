//! What weak play must never do.

use super::*;
use crate::Engine;
use kiebitz_chess::{GameHistory, Move, Score};
use kiebitz_search::{Clock, ScoreBound, SearchResult, SearchSignal};
use std::time::Duration;

/// Openings and middle games of quiet and of wild games.
const POSITIONS: [&str; 25] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/1pp2pp1/4P2p/pP6/3P4/5P2/P1P3PP/RNBQKBNR b KQk - 0 7",
    "r1bq1knr/1pp3bp/2np4/p4pp1/2P1Pp2/P1NP4/1P2QPPP/R3KBNR b KQ - 1 10",
    "rn1qkbn1/2p1ppp1/p2p4/1p5r/4B1p1/1N6/PPPPPP1P/R1BQK2R b KQq - 0 10",
    "r1bqkbnr/ppp2ppp/2n5/4p3/3P4/1P4PN/PBPP1P1P/RN1QKBR1 b Qkq - 0 7",
    "r2qk2r/1p2bppp/2n1pn2/p2p4/3P1N1P/P5P1/1PP2PB1/RNBQK2R w KQkq - 1 10",
    "3qkb1r/rpp1pppp/2n2n2/p2p1b2/2PP1P2/4PNP1/PP5P/RNBQKB1R w KQk - 1 8",
    "r2qkb1r/pbpp1ppp/1p2p3/5n2/1n5P/1P1BP3/PBPP2P1/RN1QK1NR w KQkq - 3 8",
    "rnbk1b1r/p1p2p2/1p2pn1p/8/5B2/2P2N1P/PP2P1P1/RN2KB1R b KQ - 1 10",
    "r1q2k1r/pnp1bppp/1p6/3Ppb2/2P1N3/P2Q2P1/1P3PBP/R1B1R1K1 w - - 6 18",
    "rn6/2pk1p1R/3pp3/8/p4P2/P1N1P3/2PP3P/R3KQ1q b Q - 3 20",
    "5rk1/3r1ppp/2pPpq2/p1B1Nn2/2p2P2/6P1/PPQ1K2P/R6R b - - 4 25",
    "2r2rk1/Np4p1/1q3b1p/p2p4/3P4/P2Q1P2/1BP3PP/R4R1K b - - 0 22",
    "5r2/1Q1Bqp1k/3p1np1/p2Pp3/PP2P2p/5P1P/7P/2B1K1R1 b - - 0 27",
    "2r3k1/1q3pp1/4p2p/Q4n2/5P2/5NP1/PP2K2P/R2R4 w - - 0 33",
    "3q1rk1/3r1ppp/2pbp2n/p3P3/2p2P2/4BNP1/PPQ1K2P/R6R w - - 0 23",
    "r4k1r/p1pq2pp/1p3p2/2bP4/2P1QPP1/P7/1P1B3P/R3R2K b - - 0 25",
    "2r3k1/2r1qp2/4nRp1/p6p/2P4P/N1Q1P1P1/2B2P2/3R2K1 b - - 0 40",
    "4rknr/1pp4p/2npbq2/p5p1/2P1Pp2/P1P3P1/1Q2BP1P/R3K1NR b KQ - 2 15",
    "r4r1k/6p1/p2qB1p1/1pp3bR/6Q1/1P1p4/PBPP3P/2KR4 b - - 0 27",
    "2rq1rk1/1p4p1/2n2b1p/p2p4/3P4/P1NQ1P2/1BP3PP/R4RK1 w - - 1 20",
    "r7/4nk2/4p3/3pQp2/1p1P2pq/1K1B4/1PP2P2/4R3 b - - 3 40",
    "r7/p2nkp2/PB1bp2p/8/1pB5/1Q3R2/1P2K2P/3R2r1 b - - 0 32",
    "r1r3k1/4qp2/2b3p1/p1n3Qp/2P4P/N3PN2/2B2PP1/R5KR b - - 2 30",
    "r1b1k1r1/p2nbp2/1p2p2p/8/5B2/2P4P/PP1NP1P1/R3KB1R b KQ - 4 15",
];

/// The queen is attacked and has to go, or a queen can be given away in many ways.
const QUEENS: [&str; 6] = [
    "r1b1kbnr/pppp1ppp/2n5/4p1q1/2B1P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 4",
    "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "rnbqk1nr/ppp2ppp/4p3/3p2Q1/1b1P4/2N1P3/PPP2PPP/R1B1KBNR w KQkq - 0 5",
    "4k3/pp3ppp/2n5/3q4/8/2N2N2/PP3PPP/3Q2K1 b - - 0 20",
    "6k1/5ppp/8/1p6/1P1q4/5N2/5PPP/3Q2K1 b - - 0 30",
];

/// A minor piece: the lowest level must see that it is lost at once.
const MINOR_PIECE: f64 = 300.0;
/// More than a rook's worth, and a queen less what she may take on the way.
const A_QUEEN: i32 = 650;

fn game(fen: &str) -> GameHistory {
    GameHistory::new(fen.parse().expect("a legal position"))
}

fn engine(elo: Option<i64>, lines: usize) -> Engine {
    let mut engine = Engine::new(Clock::system());
    engine.set_option("MultiPV", Some(&lines.to_string())).expect("an option");
    if let Some(elo) = elo {
        engine.set_option("UCI_Elo", Some(&elo.to_string())).expect("an option");
        engine.set_option("UCI_LimitStrength", Some("true")).expect("an option");
    }
    engine
}

fn search(engine: &mut Engine, game: &GameHistory, limits: &SearchLimits) -> (SearchResult, Vec<SearchReport>) {
    engine.new_game();
    let mut reports = Vec::new();
    let result = engine.search(game, limits, &SearchSignal::new(), &mut |report| reports.push(report.clone()));
    (result, reports)
}

fn line(number: usize, centipawns: i32) -> SearchReport {
    SearchReport {
        depth: 1,
        selective_depth: 1,
        line: number,
        score: Score::centipawns(centipawns),
        bound: ScoreBound::Exact,
        nodes: 0,
        elapsed: Duration::ZERO,
        hash_full_permille: 0,
        tablebase_hits: 0,
        moves: Vec::new(),
    }
}

#[test]
fn stronger_means_more_nodes_and_less_blur() {
    let levels: Vec<_> = ELO_RANGE.step_by(100).map(|elo| Strength::of_elo(elo as u32)).collect();
    let are_ordered = |pair: &[Strength]| pair[0].nodes <= pair[1].nodes && pair[0].blur > pair[1].blur;
    assert!(levels.windows(2).all(are_ordered));
    assert!(levels.iter().all(|level| level.worst_loss() < MINOR_PIECE));
}

#[test]
fn levels_between_anchors_lie_between_them() {
    for level in ANCHORS {
        let Strength { nodes, blur, .. } = Strength::of_elo(level.elo as u32);
        assert!((nodes / level.nodes - 1.0).abs() < 1e-9 && (blur / level.blur - 1.0).abs() < 1e-9, "{level:?}");
    }
    for pair in ANCHORS.windows(2) {
        let between = Strength::of_elo(((pair[0].elo + pair[1].elo) / 2.0) as u32);
        assert!(pair[0].nodes <= between.nodes && between.nodes <= pair[1].nodes, "{between:?}");
        assert!(pair[0].blur > between.blur && between.blur > pair[1].blur, "{between:?}");
    }
    // Beyond both ends nothing is made up.
    assert_eq!(Strength::of_elo(0), Strength::of_elo(*ELO_RANGE.start() as u32));
    assert_eq!(Strength::of_elo(9999), Strength::of_elo(*ELO_RANGE.end() as u32));
}

#[test]
fn only_lines_that_lose_little_are_chosen_and_the_better_ones_more_often() {
    let weakest = Strength::of_elo(1000);
    let (bound, most) = (weakest.worst_loss() as i32, weakest.lines());
    assert_eq!(most, *LINES.end());
    let seen = [line(1, 40), line(2, 0), line(3, 40 - bound / 2), line(4, 40 - bound), line(5, 39 - bound)];
    // Lines beyond those that are looked at, however good.
    let lines: Vec<_> =
        seen.into_iter().chain((6..=20).map(|number| line(number, if number > most { 40 } else { -500 }))).collect();
    let mut chosen = [0; 20];
    for seed in 0..10_000 {
        chosen[weakest.choose(&lines, Key(seed)).expect("a line")] += 1;
    }
    assert!(chosen[..4].windows(2).all(|pair| pair[0] > pair[1]) && chosen[3] > 0, "{chosen:?}");
    assert_eq!(chosen[4..], [0; 16], "beyond the bound, and beyond the lines that are looked at");
    assert_eq!(weakest.choose(&[], Key(1)), None);
}

#[test]
fn what_is_chosen_was_searched_and_loses_no_more_than_the_bound() {
    let most = *LINES.end();
    let mut weak = engine(Some(1000), most);
    // The same level again, but with every move as a line of its own.
    let mut thorough = engine(None, 256);
    let bound = Strength::of_elo(1000).worst_loss();
    for fen in POSITIONS.iter().chain(&QUEENS) {
        let game = game(fen);
        let (result, lines) = search(&mut weak, &game, &SearchLimits::default());
        assert_eq!(lines.len(), most.min(game.position().legal_moves().len()), "{fen}");
        assert!(lines.iter().all(|line| line.depth == result.depth && line.bound == ScoreBound::Exact), "{fen}");
        assert!(result.depth >= 1 && result.best == lines[0].moves.first().copied(), "{fen}");
        let best = lines.iter().map(|line| line.score).max().expect("lines");
        let loss = best.value() - result.score.value();
        assert!(f64::from(loss) <= bound, "{fen}: {loss}");
        let (_, all) = search(&mut thorough, &game, &SearchLimits::depth(result.depth));
        let value_of = |wanted: Option<Move>| {
            let of_move =
                all.iter().rev().find(|line| line.depth == result.depth && line.moves.first().copied() == wanted);
            of_move.map(|line| line.score.value()).expect("every move has its line")
        };
        let true_loss = value_of(all[0].moves.first().copied()) - value_of(result.best);
        assert!(f64::from(true_loss) <= bound, "{fen}: {true_loss} when every move is searched as a line");
    }
}

#[test]
fn the_weakest_level_does_not_hang_its_queen() {
    let mut weak = engine(Some(1000), 1);
    let mut judge = engine(None, 1);
    let limits = SearchLimits::nodes(3_000);
    for fen in POSITIONS.iter().chain(&QUEENS) {
        let mut game = game(fen);
        let before = search(&mut judge, &game, &limits).0.score.value();
        let chosen = search(&mut weak, &game, &SearchLimits::default()).0.best.expect("a move");
        game.play(chosen);
        let after = -search(&mut judge, &game, &limits).0.score.value();
        assert!(before - after < A_QUEEN, "{fen}: {before} before {chosen:?}, {after} after it");
    }
}

#[test]
fn as_many_lines_are_reported_as_were_asked_for() {
    for lines in [1, 3, 5, 8] {
        let mut weak = engine(Some(1200), lines);
        for fen in &POSITIONS[..6] {
            let (result, reports) = search(&mut weak, &game(fen), &SearchLimits::default());
            assert_eq!(reports.iter().map(|report| report.line).collect::<Vec<_>>(), (1..=lines).collect::<Vec<_>>());
            assert_eq!(reports[0].moves.first().copied(), result.best, "what is played comes first");
            let mut firsts: Vec<_> =
                reports.iter().filter_map(|report| Some(report.moves.first()?.to_bits())).collect();
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), lines, "{fen}");
        }
    }
}

#[test]
fn whoever_analyses_gets_the_whole_strength() {
    let limits = SearchLimits::nodes(20_000);
    let mut analyst = engine(Some(1000), 1);
    analyst.set_option("UCI_AnalyseMode", Some("true")).expect("an option");
    for fen in &POSITIONS[..3] {
        let strong = search(&mut engine(None, 1), &game(fen), &limits).0;
        assert_eq!(search(&mut analyst, &game(fen), &limits).0, strong);
        assert!(search(&mut engine(Some(1000), 1), &game(fen), &limits).0.nodes < strong.nodes);
    }
}

#[test]
fn an_interrupted_search_chooses_among_finished_lines() {
    for nodes in [1, 30, 400, 2_000, 9_000] {
        let mut weak = engine(Some(2000), 4);
        for fen in &POSITIONS[..8] {
            let game = game(fen);
            let (result, lines) = search(&mut weak, &game, &SearchLimits::nodes(nodes));
            assert!(result.nodes <= nodes && result.best.is_some_and(|mv| game.position().is_legal(mv)), "{fen}");
            assert_eq!(lines.len(), 4, "{fen}");
            assert!(lines.iter().all(|line| line.depth == result.depth.max(1)), "{fen}: {lines:?}");
        }
    }
}
