//! Counts and indices that others have published or that can be worked out by hand.

mod support;

use kiebitz_chess::{Color, PieceKind, Position, Square, attacks};
use kiebitz_features::FeatureSet;
use support::{SIDES, sorted, walk};

fn set(text: &str) -> FeatureSet {
    FeatureSet::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn counts_are_those_of_the_literature() {
    let expected = [
        ("piece768", 768, 32),
        ("compact192", 192, 64),
        ("halfkp", 40_960, 30),
        ("halfkp_stockfish", 41_024, 30),
        ("piece_move", 4_864, 674),
        ("half_relative_h", 1_200, 30),
        ("half_relative_v", 1_200, 30),
        ("half_relative_hv", 2_250, 30),
        ("halfkav2_hm", 22_528, 32),
        ("bucketed768", 7_680, 32),
        ("bullet768", 768, 32),
        ("half_top_pp", 2_048, 496),
    ];
    for (name, count, most) in expected {
        let set = set(name);
        assert_eq!((set.count(), set.max_active()), (count, most), "{name}");
    }
}

#[test]
fn dead_features_can_be_counted_by_hand() {
    // Pawns of both colors on two ranks.
    assert_eq!(set("piece768").dead().len(), 2 * 2 * 8);
    // For every king: its own square for ten pieces, and 16 squares for either pawn (own square counted once).
    let back_ranks_of_king = 16;
    let expected: usize = (0..64)
        .map(|king: usize| {
            let on_back_rank = matches!(king / 8, 0 | 7);
            10 + 2 * if on_back_rank { back_ranks_of_king - 1 } else { back_ranks_of_king }
        })
        .sum();
    assert_eq!(set("halfkp").dead().len(), expected);
    assert!(set("halfkp").dead().len() < set("halfkp_stockfish").dead().len());
    assert!(set("half(live(pairs(first.square * second.square)))").dead().is_empty());
}

/// The numbering of Stockfish 12 and 13, written down from its description: rotation, 641 rows a king square.
fn stockfish_halfkp(position: &Position, side: Color) -> Vec<u32> {
    let orient = |square: Square| if side == Color::White { square.index() } else { square.index() ^ 63 };
    let king = orient(position.king(side));
    let index = |(square, piece): (Square, kiebitz_chess::Piece)| {
        let enemy = usize::from(piece.color != side);
        (orient(square) + 1 + 64 * (2 * piece.kind.index() + enemy) + 641 * king) as u32
    };
    position.board().iter().filter(|(_, piece)| piece.kind != PieceKind::King).map(index).collect()
}

/// The numbering of Stockfish since version 15: the king on e to h, kings of both sides in one plane.
fn stockfish_halfka(position: &Position, side: Color) -> Vec<u32> {
    let flip = if side == Color::White { 0 } else { 56 };
    let king = position.king(side).index() ^ flip;
    let mirror = if king % 8 < 4 { 7 } else { 0 };
    let king = king ^ mirror;
    let bucket = 28 - 4 * (king / 8) + (7 - king % 8);
    let index = |(square, piece): (Square, kiebitz_chess::Piece)| {
        let enemy = usize::from(piece.color != side);
        let plane = if piece.kind == PieceKind::King { 10 } else { 2 * piece.kind.index() + enemy };
        ((square.index() ^ flip ^ mirror) + 64 * plane + 704 * bucket) as u32
    };
    position.board().iter().map(index).collect()
}

#[test]
fn stockfish_numberings_are_met() {
    let (halfkp, halfka) = (set("halfkp_stockfish"), set("halfkav2_hm"));
    walk(11, 20, 100, |position, _, _| {
        for side in SIDES {
            let mut found = Vec::new();
            halfkp.active(position, side, &mut found);
            assert_eq!(sorted(found.clone()), sorted(stockfish_halfkp(position, side)), "{position}");
            halfka.active(position, side, &mut found);
            assert_eq!(sorted(found), sorted(stockfish_halfka(position, side)), "{position}");
        }
    });
}

#[test]
fn threats_are_the_attacks_on_the_board() {
    let threats = set("half(live(pairs(pair_squares, attacks)))");
    walk(12, 6, 80, |position, _, _| {
        let occupied = position.occupied();
        let attacks = position
            .board()
            .iter()
            .map(|(square, piece)| (attacks::piece(piece.kind, piece.color, square, occupied) & occupied).len());
        let expected: usize = attacks.sum();
        let mut found = Vec::new();
        threats.active(position, Color::White, &mut found);
        assert_eq!(found.len(), expected, "{position}");
    });
    // Every square a piece reaches on an empty board, times what may stand there; kings never touch each other, no
    // pawn stands on an outer rank, and only one king of a color exists.
    let mut expected = 0;
    for attacker in PieceKind::ALL {
        for from in Square::ALL {
            if attacker == PieceKind::Pawn && matches!(from.index() / 8, 0 | 7) {
                continue;
            }
            for to in attacks::piece(attacker, Color::White, from, kiebitz_chess::Bitboard::EMPTY) {
                let pawns = if matches!(to.index() / 8, 0 | 7) { 0 } else { 2 };
                let kings = if attacker == PieceKind::King { 0 } else { 2 };
                expected += 2 * (pawns + kings + 2 * 4);
            }
        }
    }
    assert_eq!(threats.count(), expected);
}

#[test]
fn pawn_pairs_are_counted_once() {
    let pairs = set("half(pairs(first.square * second.square, pawns, adjacent))");
    let mut found = Vec::new();
    pairs.active(&Position::default(), Color::White, &mut found);
    // Seven neighbours on either second rank, and between the sides eight on the same and fourteen on next files.
    assert_eq!(found.len(), 7 + 7 + 8 + 14);
}

#[test]
fn names_tell_what_a_feature_is() {
    let name = |text: &str, index: u32| set(text).name(index).expect("an index of the set");
    assert_eq!(name("halfkp", 4 * 640 + 27 * 10 + 2 + 1), "king e1, enemy knight d4");
    assert_eq!(name("halfkp_stockfish", 641), "unused 641");
    assert_eq!(name("compact192", 3 * 12 + 1), "enemy pawn file d");
    assert_eq!(name("compact192", 96 + 3 * 12), "own pawn rank 4");
    assert_eq!(name("piece_move", 768 + 12 * 64 + 28), "move e2 to e4");
    assert_eq!(name("half_relative_hv", 0), "own pawn king's file -7 king's rank -7");
    let threats = set("half(live(pairs(pair_squares, attacks)))");
    assert_eq!(threats.name(0).expect("an index"), "own knight a1 attacks own pawn c2");
}
