//! What must hold in every position: symmetry, bounds, the explanation's sum, and that memory changes nothing.

use kiebitz_chess::{Board, Color, Move, Piece, Position, Setup, Square};
use kiebitz_handcrafted::{Evaluator, VALUE_LIMIT, explain, material_and_tables};
use proptest::prelude::*;

/// The position after random moves; each number chooses one of the legal moves.
fn random_position(choices: &[u16]) -> Position {
    let mut position = Position::default();
    for choice in choices {
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(*choice) % moves.len()]);
    }
    position
}

/// The position with every piece moved and recolored, without rights: legality does not change.
fn transformed(position: &Position, square: impl Fn(Square) -> Square, color: impl Fn(Color) -> Color) -> Position {
    let mut board = Board::EMPTY;
    for (from, piece) in position.board().iter() {
        board.set(square(from), Some(Piece::new(color(piece.color), piece.kind)));
    }
    let setup = Setup {
        board,
        side_to_move: color(position.side_to_move()),
        castling_rooks: position.castling_rooks().into_iter().map(&square).collect(),
        ..Setup::EMPTY
    };
    Position::try_from(setup).expect("a mirrored legal position is legal")
}

fn without_rights(position: &Position) -> Position {
    let setup = Setup { castling_rooks: kiebitz_chess::Bitboard::EMPTY, ..position.to_setup() };
    Position::try_from(setup).expect("losing rights is legal")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: proptest::test_runner::RngSeed::Fixed(4), ..Default::default() })]

    #[test]
    fn swapping_colors_changes_nothing_for_the_mover(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        let position = random_position(&choices);
        let swapped = transformed(&position, Square::flip_rank, |color| !color);
        let mut evaluator = Evaluator::new();
        prop_assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&swapped), "{}", position);
        prop_assert_eq!(material_and_tables(&position), material_and_tables(&swapped), "{}", position);
    }

    #[test]
    fn left_and_right_are_the_same(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        let position = without_rights(&random_position(&choices));
        let mirrored = transformed(&position, Square::flip_file, |color| color);
        let mut evaluator = Evaluator::new();
        prop_assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&mirrored), "{}", position);
        prop_assert_eq!(material_and_tables(&position), material_and_tables(&mirrored), "{}", position);
    }

    #[test]
    fn the_explanation_adds_up(choices in prop::collection::vec(any::<u16>(), 0..200)) {
        let position = random_position(&choices);
        let explanation = explain(&position);
        prop_assert_eq!(explanation.value(), Evaluator::new().evaluate(&position), "{}", position);
        if explanation.known_ending.is_none() {
            let total = explanation.total();
            let phase = explanation.phase;
            let blended = total.middle * phase * 128 + total.end * explanation.scale * (24 - phase);
            prop_assert_eq!(blended / (24 * 128), explanation.white_value, "{}\n{}", position, explanation);
        }
    }

    #[test]
    fn memory_changes_nothing(games in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..120), 1..4)) {
        let mut remembering = Evaluator::new();
        for choices in games {
            let mut position = Position::default();
            for choice in choices {
                let moves: Vec<Move> = position.legal_moves().into_iter().collect();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[usize::from(choice) % moves.len()]);
                let value = remembering.evaluate(&position);
                prop_assert_eq!(value, explain(&position).value(), "{}", position);
                prop_assert!(value.abs() < VALUE_LIMIT, "{}", position);
            }
        }
    }
}

fn value(fen: &str) -> i32 {
    let position: Position = fen.parse().expect("a legal position");
    Evaluator::new().evaluate(&position)
}

#[test]
fn more_material_is_better() {
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((0..60).contains(&start), "{start}");
    let advantages = [
        ("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 40, 250),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 250, 600),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 350, 900),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 700, 1_700),
    ];
    for (fen, least, most) in advantages {
        let value = value(fen);
        assert!((least..most).contains(&value), "{fen}: {value}");
    }
}

#[test]
fn positions_at_the_limits_of_legality_stay_bounded() {
    let fens = [
        "QQQQQQQk/QQQQQQQQ/8/8/8/8/8/7K b - - 0 1",
        "4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "8/PPPPPPPP/8/k7/8/7K/8/8 w - - 0 1",
    ];
    for fen in fens {
        // A setup that the rules refuse needs no value.
        if let Ok(position) = fen.parse::<Position>() {
            assert!(Evaluator::new().evaluate(&position).abs() < VALUE_LIMIT, "{fen}");
        }
    }
}

#[test]
fn draws_that_theory_knows_are_worth_little() {
    let fens = [
        "8/8/4k3/8/8/3NK3/3N4/8 w - - 0 1",
        "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3RK3/8/8 w - - 0 1",
        "7k/8/8/6KP/8/8/8/5B2 w - - 0 1",
        "8/8/4kr2/8/8/3RK3/8/8 w - - 0 1",
    ];
    for fen in fens {
        assert!(value(fen).abs() < 90, "{fen}: {}", value(fen));
    }
}

#[test]
fn a_bare_king_is_driven_to_the_edge() {
    let centre = value("8/8/8/4k3/8/8/3QK3/8 w - - 0 1");
    let edge = value("4k3/8/8/8/8/8/3QK3/8 w - - 0 1");
    let near = value("4k3/8/4K3/8/8/8/3Q4/8 w - - 0 1");
    assert!(centre > 4_000 && edge > centre && near > edge, "{centre} {edge} {near}");
    // The bishop is on light squares: only a8 and h1 are of use.
    let right_corner = value("k7/8/2K5/8/8/2B5/8/2N5 w - - 0 1");
    let wrong_corner = value("7k/8/5K2/8/8/5B2/8/5N2 w - - 0 1");
    let swapped_right = value("7k/8/5K2/8/8/2B5/8/2N5 w - - 0 1");
    assert!(swapped_right > right_corner, "{swapped_right} {right_corner}");
    assert!(wrong_corner < swapped_right, "{wrong_corner} {swapped_right}");
}
