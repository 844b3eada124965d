//! Texts that describe no network, and what is said about them.

use kiebitz_network::NetworkSpec;
use proptest::prelude::*;

#[test]
fn wrong_descriptions_are_answered() {
    let expected = [
        ("", "the description has no line 'inputs = …'"),
        ("inputs = piece768", "the description has no line 'trunk = …'"),
        ("inputs = piece768 inputs = halfkp", "the description says 'inputs = …' twice"),
        (
            "input = piece768",
            "'input = …' is unknown; known are: inputs, trunk, buckets, heads, numbers, centipawns, search",
        ),
        (
            "inputs = half(piece.shade) trunk = accumulate 8 clipped heads = value",
            "inputs: at character 12: 'shade' is unknown here; known are: square, file, rank, diagonal, antidiagonal, role, color, relative_file, relative_rank, target, bucket",
        ),
        (
            "inputs = piece768 trunk = accumulate 8 clippd heads = value",
            "trunk: found 'clippd', expected clipped, squared or pairwise",
        ),
        (
            "inputs = piece768 trunk = accumulate 0 clipped heads = value",
            "trunk: a width of 0 is not between 1 and 16384",
        ),
        (
            "inputs = piece768 trunk = accumulate 9 pairwise heads = value",
            "trunk: a pairwise product needs an even width, not 9",
        ),
        ("inputs = piece768 trunk = accumulate 8 clipped heads = policy", "heads: found 'policy', expected value"),
        (
            "inputs = piece768 trunk = accumulate 8 clipped heads = value numbers = accumulator i16*127, dense i8*60, output i8*9600/16",
            "numbers: a dense scale of 60 is not a power of two up to 128",
        ),
        (
            "inputs = piece768 trunk = accumulate 8 clipped -> dense 8 clipped heads = value numbers = accumulator i16*127, dense i8*64, output i16*64 units 400",
            "numbers: output i16 stands directly behind the accumulator, without dense layers or a shortcut; write output i8*9600/16",
        ),
        (
            "inputs = any.square trunk = accumulate 8 clipped shortcut heads = value",
            "trunk: a shortcut compares two views, but the inputs have one; write half(…)",
        ),
        (
            "inputs = piece768 trunk = accumulate 8 clipped heads = value centipawns = 1/0",
            "centipawns: nothing can be divided by 0",
        ),
        (
            "inputs = piece768 trunk = accumulate 8 clipped heads = value search = 620 + 8",
            "search: found '620', expected (",
        ),
    ];
    for (text, message) in expected {
        match NetworkSpec::parse(text) {
            Ok(spec) => panic!("{text} was read as {spec}"),
            Err(error) => assert_eq!(error.to_string(), message, "{text}"),
        }
    }
}

#[test]
fn a_search_may_scale_values_by_material() {
    let text = "inputs = piece768 trunk = accumulate 8 clipped heads = value";
    let plain = NetworkSpec::parse(text).expect("a description");
    let scaled = NetworkSpec::parse(&format!("{text} search = (620 + 8*material)/1024")).expect("a description");
    let position = |fen: &str| fen.parse().expect("a position");
    let (start, kings) = (kiebitz_chess::Position::default(), position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    assert_eq!((plain.search.of(1024, &start), plain.search.of(-1024, &kings)), (1024, -1024));
    assert_eq!((scaled.search.of(1024, &start), scaled.search.of(-1024, &kings)), (620 + 8 * 78, -620));
    assert!(!plain.to_string().contains("search"));
    assert_eq!(NetworkSpec::parse(&scaled.to_string()), Ok(scaled));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: proptest::test_runner::RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
        "inputs = piece768", "trunk =", "accumulate", "8", "clipped", "-> dense 4", "folded+clipped", "skip", "heads = value", "buckets =",
        "8 of (pieces - 1) / 4", "numbers =", "accumulator i16*127", "dense i8*64", "output i8*9600/16", "output i16*64 units 400", "=", "#", "\n",
    ]), 0..16)) {
        if let Ok(spec) = NetworkSpec::parse(&words.join(" ")) {
            let again = NetworkSpec::parse(&spec.to_string());
            prop_assert_eq!(again.as_ref(), Ok(&spec));
        }
    }
}
