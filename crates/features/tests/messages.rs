//! Texts that describe no feature set, and what is said about them.

use kiebitz_features::FeatureSet;
use proptest::prelude::*;

#[test]
fn wrong_texts_are_answered_with_their_place() {
    let expected = [
        ("", "at character 1: found the end, expected a thing such as king or piece, or one of ( dead live pairs top"),
        (
            "half(king.square * )",
            "at character 20: found ')', expected a thing such as king or piece, or one of ( dead live pairs top",
        ),
        ("half(any.square", "at character 16: found the end, expected ')'"),
        ("any.square any", "at character 12: found 'a', expected the end, or one of + * ^"),
        (
            "half(king.square) + any.square",
            "at character 19: found '+', expected the end: everything that belongs to the set stands inside of half(…)",
        ),
        (
            "half(any.square, king_on_efgh, king_on_abcd)",
            "at character 32: found 'king_on_abcd' once more, expected each option once, and one of king_on_efgh and king_on_abcd at most",
        ),
        (
            " halfkpp ",
            "no set is called 'halfkpp'; known are: piece768, compact192, halfkp, halfkp_stockfish, halfkav2_hm, piece_move, half_relative_h, half_relative_v, half_relative_hv, half_top_pp, bullet768, bucketed768, threats, pawn_pairs; or write an expression such as half(king_square * piece_square)",
        ),
        (
            "half(any.square, upside_down)",
            "at character 18: 'upside_down' is unknown here; known are: rotated, king_on_efgh, king_on_abcd",
        ),
        (
            "half(kingg.square)",
            "at character 6: 'kingg' is unknown here; known are: king, enemy_king, kings, pawn, piece, any, move, first, second, dead, live, pairs, top, king_square, piece_square, any_square, pair_squares",
        ),
        ("half(king.role)", "at character 6: king.role makes no sense: it is always the same kind of piece"),
        (
            "half(any.square * piece.role)",
            "the product any.square * piece.role ranges over any and over piece; a product may range over one thing (besides the own king), pairs are written pairs(first.… * second.…)",
        ),
        ("half(first.square)", "first cannot stand outside pairs(…)"),
        ("half(pairs(any.square))", "any cannot stand inside pairs(…)"),
        (
            "half(king.square * live(any.square))",
            "live(…) cannot be a factor of a product: put the product inside of it",
        ),
        ("king.square * piece.square", "king.square needs a view: write half(…) around the whole set"),
        ("half(top(any.file, [9]))", "entry 9 of the table is wrong: the inner set has 8 features only"),
        ("half(top(any.file, [3 3]))", "entry 3 of the table is wrong: it is listed twice"),
        ("half(king.bucket[0 1 2])", "entry 3 of the table is wrong: a rank of a table has four or eight numbers"),
        ("half(dead(5))", "the feature set is empty: no index could ever be active"),
        (
            "half(any.square ^ any.role)",
            "any.role behind '^' cannot be read off any product before it: it may only leave out attributes",
        ),
        (
            "half(any.square * any.square * any.square * any.square * any.square)",
            "the feature set is too large: the number of features is 1073741824, at most 67108864 are allowed",
        ),
        (
            "half(live(any.square + dead(4000000)) + live(live(any.file + dead(5000000))))",
            "the feature set is too large: the number of features that live(…) and top(…) number anew is 9000080, at most 8388608 are allowed",
        ),
    ];
    for (text, message) in expected {
        match FeatureSet::parse(text) {
            Ok(set) => panic!("{text} was read as {set}"),
            Err(error) => assert_eq!(error.to_string(), message, "{text}"),
        }
    }
}

#[test]
fn hostile_depth_and_width_are_refused() {
    let deep = "(".repeat(100_000) + "any.square" + &")".repeat(100_000);
    assert!(FeatureSet::parse(&deep).is_err());
    let wide = format!("half({})", vec!["(any.file + any.rank)"; 40].join(" * "));
    assert!(FeatureSet::parse(&wide).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: proptest::test_runner::RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() })]

    /// Shuffled words of the language: no panic, and what is accepted prints to something equal.
    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
        "half(", "(", ")", "any.square", "piece.role", "king.bucket[0 1 2 3]", "king.file", "+", "*", "^", ",", "dead(2)",
        "live(", "pairs(", "first.square", "second.color", "attacks", "top(", "[1 2]", "rotated", "piece_square", "move.target",
    ]), 0..14)) {
        if let Ok(set) = FeatureSet::parse(&words.join(" ")) {
            let again = FeatureSet::parse(&set.to_string());
            prop_assert_eq!(again.as_ref(), Ok(&set));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,40}") {
        let _ = FeatureSet::parse(&text);
    }
}
