//! What the rungs of the ladder promise: the book's numbers, the mates, and that no rung contradicts the one below.

use kiebitz_chess::{Color, Position, Score};
use kiebitz_examples::alphabeta::{AlphaBeta, RootWindow, StopAndEvaluate};
use kiebitz_examples::book_evaluation::{evaluate, seen_by};
use kiebitz_examples::finding::Finding;
use kiebitz_examples::move_order::MoveOrder;
use kiebitz_examples::null_move::{Care, NullMove};
use kiebitz_examples::quiescence::Quiescence;
use kiebitz_examples::transposition_table::{Memory, NoShortcut, Remembering};
use kiebitz_examples::{DEFENDED_KNIGHT, KINGS_WALK, LEGALS_TRAP, MATE_IN_ONE, ZUGZWANG, minimax};

const ORDERS: [MoveOrder; 3] = [MoveOrder::AsGenerated, MoveOrder::AsInTheBook, MoveOrder::CapturesFirst];
const ROOT_WINDOWS: [RootWindow; 2] = [RootWindow::Fresh, RootWindow::Narrowing];

fn position(fen: &str) -> Position {
    fen.parse().expect("a legal position")
}

fn san(position: &Position, finding: &Finding) -> String {
    finding.best_move.map_or_else(String::new, |mv| position.san(mv).to_string())
}

#[test]
fn minimax_visits_the_nodes_of_the_book() {
    let position = position(MATE_IN_ONE);
    assert_eq!(evaluate(&position), Score::centipawns(-55));
    let finding = minimax::search(&position, 3);
    assert_eq!(san(&position, &finding), "Qxf7#");
    assert_eq!(finding.score, Score::mate_in(1));
    assert_eq!([1, 2, 3].map(|ply| finding.nodes.at(ply)), [43, 1_133, 45_695]);
    assert_eq!(finding.nodes.below_root_moves(), 46_828);
}

#[test]
fn alphabeta_visits_the_nodes_of_the_book() {
    let position = position(MATE_IN_ONE);
    let finding = AlphaBeta::BOOK.search(&position, 3);
    assert_eq!(san(&position, &finding), "Qxf7#");
    assert_eq!(finding.nodes.below_root_moves(), 9_050);
}

#[test]
fn every_alphabeta_finds_the_mate_with_far_fewer_nodes_than_minimax() {
    let position = position(MATE_IN_ONE);
    for order in ORDERS {
        for root_window in ROOT_WINDOWS {
            let finding = AlphaBeta { order, root_window, horizon: StopAndEvaluate }.search(&position, 3);
            assert_eq!(san(&position, &finding), "Qxf7#", "{order:?} {root_window:?}");
            assert!(finding.nodes.below_root_moves() < 46_828 / 3, "{order:?} {root_window:?}: {}", finding.nodes);
        }
    }
}

/// Openings, tactics, promotions, en passant, castling, checks, mates and stalemates near; both sides to move.
const LAW_POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    MATE_IN_ONE,
    LEGALS_TRAP,
    DEFENDED_KNIGHT,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R b KQ - 1 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/1pP5/1k6/8/1K6 b - c3 0 1",
    "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
    "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 b - - 0 1",
];

#[test]
fn alphabeta_and_minimax_agree_on_the_value() {
    for fen in LAW_POSITIONS {
        let position = position(fen);
        for depth in 0..=3 {
            let expected = minimax::search(&position, depth);
            for order in ORDERS {
                for root_window in ROOT_WINDOWS {
                    let finding = AlphaBeta { order, root_window, horizon: StopAndEvaluate }.search(&position, depth);
                    assert_eq!(finding.score, expected.score, "{fen} at depth {depth}, {order:?}, {root_window:?}");
                    assert!(finding.nodes.total() <= expected.nodes.total(), "{fen} at depth {depth}");
                }
            }
        }
    }
}

#[test]
fn equal_moves_in_the_same_order_give_the_same_choice() {
    for fen in LAW_POSITIONS {
        let position = position(fen);
        let expected = minimax::search(&position, 3).best_move;
        for root_window in ROOT_WINDOWS {
            let order = MoveOrder::AsGenerated;
            let finding = AlphaBeta { order, root_window, horizon: StopAndEvaluate }.search(&position, 3);
            assert_eq!(finding.best_move, expected, "{fen} {root_window:?}");
        }
    }
}

#[test]
fn quiescence_does_not_depend_on_order_or_window() {
    for fen in LAW_POSITIONS {
        let position = position(fen);
        let expected = AlphaBeta::QUIET.search(&position, 2).score;
        for order in ORDERS {
            for root_window in ROOT_WINDOWS {
                let finding = AlphaBeta { order, root_window, horizon: Quiescence }.search(&position, 2);
                assert_eq!(finding.score, expected, "{fen}, {order:?}, {root_window:?}");
            }
        }
    }
}

#[test]
fn legals_trap_is_found_at_depth_five() {
    let position = position(LEGALS_TRAP);
    for order in ORDERS {
        let finding = AlphaBeta { order, ..AlphaBeta::BETTER }.search(&position, 5);
        assert_eq!(san(&position, &finding), "Nxe5", "{order:?}");
    }
    assert_eq!(san(&position, &AlphaBeta::QUIET.search(&position, 5)), "Nxe5");
}

#[test]
fn quiescence_sees_beyond_the_horizon() {
    let position = position(DEFENDED_KNIGHT);
    let blunder = AlphaBeta::BETTER.search(&position, 1);
    assert_eq!(san(&position, &blunder), "Qxf6");
    assert!(blunder.score > evaluate(&position) + 250, "it believes in a knight won: {}", blunder.score);

    let careful = AlphaBeta::QUIET.search(&position, 1);
    assert_ne!(san(&position, &careful), "Qxf6");

    let worth = |mv| AlphaBeta::QUIET.search(&position.after(mv), 3).score;
    let [blunder, careful] = [blunder, careful].map(|finding| worth(finding.best_move.expect("a move")));
    assert!(blunder < careful - 500, "{blunder} against {careful}");
}

/// Quiescence ends, and a quiet position is worth what the evaluation says.
#[test]
fn quiet_positions_are_judged_as_they_are() {
    let quiet = position("4k3/pppp4/8/8/8/8/4PPPP/4K3 b - - 0 1");
    assert_eq!(AlphaBeta::QUIET.search(&quiet, 0).score, evaluate(&quiet));
    // Nearly every piece can be taken by several others.
    let wild = position("3r2k1/1q1n1ppp/2b1q1r1/Q1N1Q1R1/1B1q1B2/q1R1N1Q1/1Q1r1PPP/6K1 w - - 0 1");
    let score = AlphaBeta::QUIET.search(&wild, 0).score;
    assert!(score >= evaluate(&wild), "White may stand pat");
}

#[test]
fn finished_games_need_no_move() {
    for (fen, score) in
        [("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::mate_in(0)), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW)]
    {
        let position = position(fen);
        for finding in [minimax::search(&position, 3), AlphaBeta::QUIET.search(&position, 3)] {
            assert_eq!((finding.best_move, finding.score, finding.nodes.total()), (None, score, 0), "{fen}");
        }
    }
}

#[test]
fn the_evaluation_is_fair() {
    for fen in LAW_POSITIONS {
        let position = position(fen);
        let mut mirrored = position.to_setup();
        mirrored.board = kiebitz_chess::Board::EMPTY;
        for (square, piece) in position.board().iter() {
            let swapped = kiebitz_chess::Piece::new(!piece.color, piece.kind);
            mirrored.board.set(square.flip_rank(), Some(swapped));
        }
        mirrored.castling_rooks = kiebitz_chess::Bitboard::EMPTY;
        mirrored.en_passant = None;
        mirrored.side_to_move = !position.side_to_move();
        let mirrored = Position::try_from(mirrored).expect("a legal position with the colors exchanged");
        assert_eq!(evaluate(&mirrored), seen_by(Color::Black, evaluate(&position)), "{fen}");
    }
}

const MEMORIES: [Memory; 3] = [Memory::Nothing, Memory::Values, Memory::ValuesAndMoves];

fn totals(findings: &[Finding]) -> Vec<u64> {
    findings.iter().map(|finding| finding.nodes.total()).collect()
}

/// With a table large enough, and with one so small that nearly everything is overwritten at once.
#[test]
fn remembering_changes_no_value() {
    for fen in LAW_POSITIONS {
        let position = position(fen);
        if position.ending().is_some() {
            continue;
        }
        let plain: Vec<Score> = (1..=3).map(|depth| minimax::search(&position, depth).score).collect();
        let quiet: Vec<Score> = (1..=3).map(|depth| AlphaBeta::QUIET.search(&position, depth).score).collect();
        for memory in MEMORIES {
            for places in [7, 1 << 14] {
                let scores = |findings: Vec<Finding>| -> Vec<Score> {
                    findings.into_iter().map(|finding| finding.score).collect()
                };
                let stopping = Remembering { horizon: StopAndEvaluate, shortcut: NoShortcut, memory, places };
                assert_eq!(scores(stopping.deepen(&position, 3)), plain, "{fen}, {memory:?}, {places}");
                let quieting = Remembering { memory, places, ..Remembering::QUIET };
                assert_eq!(scores(quieting.deepen(&position, 3)), quiet, "{fen}, {memory:?}, {places}");
            }
        }
    }
}

#[test]
fn a_search_that_forgets_is_the_rung_below() {
    let position = position(DEFENDED_KNIGHT);
    let forgetful = Remembering { memory: Memory::Nothing, ..Remembering::QUIET }.deepen(&position, 4);
    for (depth, finding) in (1..).zip(&forgetful) {
        assert_eq!(finding, &AlphaBeta::QUIET.search(&position, depth));
    }
}

/// The figures of the README.
#[test]
fn a_table_saves_most_of_the_work() {
    let knight = position(DEFENDED_KNIGHT);
    let [plain, values, both] =
        MEMORIES.map(|memory| totals(&Remembering { memory, ..Remembering::QUIET }.deepen(&knight, 5)));
    assert_eq!(plain, [92, 2_016, 10_303, 93_543, 638_561]);
    assert_eq!(values, [92, 2_016, 10_303, 79_308, 528_165]);
    assert_eq!(both, [92, 1_820, 5_738, 49_492, 154_203]);
    let kings = position(KINGS_WALK);
    let [plain, values, _] =
        MEMORIES.map(|memory| totals(&Remembering { memory, ..Remembering::QUIET }.deepen(&kings, 11)));
    assert_eq!((plain.last(), values.last()), (Some(&33_392), Some(&843)));
}

#[test]
fn passing_saves_work_and_still_finds_the_moves() {
    let knight = position(DEFENDED_KNIGHT);
    let passing = Remembering::PASSING.deepen(&knight, 6);
    assert_eq!(totals(&passing), [92, 1_369, 3_234, 19_265, 145_871, 298_134]);
    for (depth, (one, other)) in passing.iter().zip(Remembering::QUIET.deepen(&knight, 6)).enumerate() {
        assert_eq!((one.best_move, one.score), (other.best_move, other.score), "depth {}", depth + 1);
        assert!(one.nodes.total() <= other.nodes.total());
    }
    let mate = position(MATE_IN_ONE);
    assert_eq!(san(&mate, Remembering::PASSING.deepen(&mate, 3).last().expect("a finding")), "Qxf7#");
    let trap = position(LEGALS_TRAP);
    assert_eq!(san(&trap, Remembering::PASSING.deepen(&trap, 5).last().expect("a finding")), "Nxe5");
}

#[test]
fn zugzwang_is_seen_with_care_only() {
    let position = position(ZUGZWANG);
    let last = |care| {
        let shortcut = NullMove { care, ..NullMove::USUAL };
        Remembering { shortcut, ..Remembering::PASSING }.deepen(&position, 6).pop().expect("a finding")
    };
    let (careful, careless) = (last(Care::AgainstZugzwang), last(Care::None));
    let plain = Remembering::QUIET.deepen(&position, 6).pop().expect("a finding");
    assert_eq!(careful, plain, "without pieces nobody passes");
    assert_eq!(san(&position, &careful), "Kc3");
    assert!(careful.score > careless.score + 90, "{} against {}", careful.score, careless.score);
}

#[test]
fn nothing_is_searched_after_the_end() {
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        assert!(Remembering::PASSING.deepen(&position(fen), 3).is_empty());
    }
}
