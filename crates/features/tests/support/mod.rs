//! What the tests of this crate share: walks through random games, positions with colors swapped, random expressions.

#![allow(dead_code, reason = "every test uses a part of it")]

#[path = "../../../chess/tests/support/random_games.rs"]
pub(crate) mod random_games;

use kiebitz_chess::{Bitboard, Board, Color, Piece, Position, Setup, Square};
use kiebitz_features::BoardDelta;
use random_games::SplitMix;

/// Plays random games, null moves included, and shows every step.
pub(crate) fn walk(seed: u64, games: usize, plies: usize, mut step: impl FnMut(&Position, &Position, &BoardDelta)) {
    let mut random = SplitMix(seed);
    for _ in 0..games {
        let mut position = random_games::start(&mut random);
        for _ in 0..plies {
            let mut delta = BoardDelta::default();
            let mut next = position.clone();
            if random.below(12) == 0 && !position.is_check() {
                next.play_null();
            } else {
                let Some(mv) = random_games::random_move(&position, &mut random) else { break };
                next.play_observed(mv, &mut delta);
            }
            step(&position, &next, &delta);
            position = next;
        }
    }
}

/// The position with colors swapped and every square combined with `mask`; castling rights are dropped.
pub(crate) fn swapped(position: &Position, mask: usize) -> Option<Position> {
    let mut board = Board::EMPTY;
    for (square, piece) in position.board().iter() {
        board.set(Square::from_index(square.index() ^ mask)?, Some(Piece::new(!piece.color, piece.kind)));
    }
    let setup = Setup {
        board,
        side_to_move: !position.side_to_move(),
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    Position::try_from(setup).ok()
}

/// Sorted, so that lists in any order can be compared.
pub(crate) fn sorted(mut indices: Vec<u32>) -> Vec<u32> {
    indices.sort_unstable();
    indices
}

/// A random set with a view: sums of products of attributes, sometimes pairs, tables or a factoriser.
pub(crate) fn random_expression(random: &mut SplitMix) -> String {
    let terms = 1 + random.below(3);
    let mut parts = Vec::new();
    for _ in 0..terms {
        parts.push(random_term(random));
    }
    let options = ["", ", rotated", ", king_on_efgh", ", king_on_abcd", ", rotated, king_on_abcd"];
    format!("half({}{})", parts.join(" + "), options[random.below(options.len())])
}

fn random_term(random: &mut SplitMix) -> String {
    match random.below(8) {
        0 => {
            let filters = ["", ", attacks", ", pawns, adjacent", ", attacks, enemies", ", friends, same_file"];
            let filter = filters[random.below(filters.len())];
            let inner = format!("{} * {}", random_product(random, "first", 2), random_product(random, "second", 2));
            let pairs = format!("pairs({inner}{filter})");
            if random.below(2) == 0 { format!("live({pairs})") } else { pairs }
        }
        1 => "move.square * move.target".to_owned(),
        2 => {
            format!("king.bucket[0 1 1 0 / 2 2 1 3] * ({} + dead(3) + kings.square)", random_product(random, "any", 3))
        }
        3 => "top(any.square * any.role * any.color, [700 3 17 222 500 501 502 64 65 66])".to_owned(),
        4 => "king.file * king.rank".to_owned(),
        5 => format!("king.file * {}", random_product(random, "piece", 3)),
        6 => format!("({} + {})", random_product(random, "pawn", 1), random_product(random, "enemy_king", 1)),
        _ => random_product(random, "piece", 3),
    }
}

fn random_product(random: &mut SplitMix, thing: &str, most: usize) -> String {
    let mut properties = vec!["square", "file", "rank", "diagonal", "antidiagonal"];
    if matches!(thing, "piece" | "any" | "first" | "second") {
        properties.extend(["role", "color", "relative_file", "relative_rank"]);
    }
    let count = 1 + random.below(most);
    let chosen: Vec<String> =
        (0..count).map(|_| format!("{thing}.{}", properties[random.below(properties.len())])).collect();
    chosen.join(" * ")
}

/// Both sides.
pub(crate) const SIDES: [Color; 2] = Color::ALL;
