use super::*;
use crate::statistics::{Pentanomial, Trinomial};

fn test(bounds: [f64; 2], model: EloModel) -> Sprt {
    Sprt::new(0.05, 0.05, bounds, model).unwrap()
}

/// Ratios that fastchess publishes for these counts, to two digits.
#[test]
fn agrees_with_published_ratios() {
    use EloModel::{Logistic, Normalised};
    let games = |wins, draws, losses| ScoreCounts::from(Trinomial::new(wins, draws, losses));
    let pairs = |counts| ScoreCounts::from(Pentanomial::new(counts));
    for (counts, bounds, model, expected) in [
        (games(36433, 68692, 36027), [0.0, 2.0], Normalised, 0.92),
        (games(10871, 20431, 10650), [-1.75, 0.25], Normalised, 2.30),
        (games(21404, 40708, 21184), [0.5, 2.5], Logistic, -1.57),
        (games(57433, 106_593, 57030), [0.0, 2.0], Logistic, -2.59),
        (pairs([365, 16618, 36229, 16974, 390]), [0.0, 2.0], Normalised, 2.25),
        (pairs([127, 4883, 10712, 5150, 104]), [-1.75, 0.25], Normalised, 3.01),
        (pairs([223, 9863, 21279, 10037, 246]), [0.5, 2.5], Logistic, -3.07),
        (pairs([871, 26175, 55983, 26678, 821]), [0.0, 2.0], Logistic, -4.98),
    ] {
        let llr = test(bounds, model).llr(counts);
        assert!((llr - expected).abs() < 0.01 * expected.abs(), "{counts:?} {bounds:?} {model}: {llr}, not {expected}");
    }
}

#[test]
fn limits_are_walds() {
    let test = Sprt::new(0.05, 0.1, [0.0, 2.0], EloModel::Normalised).unwrap();
    assert!((test.upper_limit() - (0.9_f64 / 0.05).ln()).abs() < 1e-12);
    assert!((test.lower_limit() - (0.1_f64 / 0.95).ln()).abs() < 1e-12);
    assert_eq!(test.decide_llr(2.9), Decision::AcceptH1);
    assert_eq!(test.decide_llr(-2.3), Decision::AcceptH0);
    assert_eq!(test.decide_llr(f64::NAN), Decision::Continue);
}

#[test]
fn senseless_tests_are_refused() {
    let new = |alpha, beta, bounds| Sprt::new(alpha, beta, bounds, EloModel::Logistic);
    assert!(matches!(new(0.0, 0.05, [0.0, 5.0]), Err(SprtError::ErrorRate { name: "alpha", .. })));
    assert!(matches!(new(0.05, f64::NAN, [0.0, 5.0]), Err(SprtError::ErrorRate { name: "beta", .. })));
    assert!(matches!(new(0.05, 0.05, [5.0, 0.0]), Err(SprtError::Bounds { .. })));
    assert!(matches!(new(0.05, 0.05, [0.0, f64::INFINITY]), Err(SprtError::Bounds { .. })));
}

#[test]
fn one_sided_results_end_neither_at_once_nor_never() {
    for model in [EloModel::Logistic, EloModel::Normalised] {
        for bounds in [[0.0, 5.0], [0.0, 2.0], [-3.0, 0.0], [0.0, 30.0]] {
            let test = test(bounds, model);
            for category in [0, 4] {
                let decided = (1..=3000).find(|&pairs| {
                    let mut counts = [0; 5];
                    counts[category] = pairs;
                    test.decide(Pentanomial::new(counts)) != Decision::Continue
                });
                let pairs = decided.unwrap_or_else(|| panic!("{test}: never"));
                assert!(pairs > 10, "{test}: after {pairs} pairs");
            }
            // All pairs even: the test ends too, for both models.
            let even = |pairs| test.decide(Pentanomial::new([0, 0, pairs, 0, 0]));
            assert_eq!(even(1), Decision::Continue, "{test}");
            assert_ne!(even(1_000_000), Decision::Continue, "{test}");
        }
    }
}

#[test]
fn nothing_played_says_nothing() {
    let test = test([0.0, 2.0], EloModel::Normalised);
    assert_eq!(test.llr(Pentanomial::default()), 0.0);
    assert_eq!(test.llr_normal(Trinomial::default()).abs(), 0.0);
    assert_eq!(test.decide(Trinomial::default()), Decision::Continue);
}

#[test]
fn the_normal_approximation_is_close_for_many_pairs() {
    let pairs = Pentanomial::new([365, 16618, 36229, 16974, 390]);
    for model in [EloModel::Logistic, EloModel::Normalised] {
        let test = test([0.0, 2.0], model);
        assert!((test.llr(pairs) - test.llr_normal(pairs)).abs() < 0.01);
    }
}

#[test]
fn the_opponents_view_mirrors_the_test() {
    let pairs = Pentanomial::new([3, 40, 101, 55, 9]);
    for model in [EloModel::Logistic, EloModel::Normalised] {
        let ours = test([-1.0, 4.0], model).llr(pairs);
        let theirs = test([-4.0, 1.0], model).llr(pairs.flipped());
        assert!((ours + theirs).abs() < 1e-9);
    }
}
