//! The laws of the method, on games that are tossed instead of played.

use proptest::prelude::*;

use super::*;

fn parameter(name: &str, start: i32, low: i32, high: i32, step: f64) -> SpsaParameter {
    SpsaParameter { name: name.into(), start, low, high, step }
}

fn settings(pairs: u64, seed: u64) -> SpsaSettings {
    SpsaSettings { seed, pairs, pairs_per_iteration: 4, learning_rate: 0.01 }
}

/// A game between two sets of values whose strength in Elo falls with the squared distance from `best`, in steps.
fn toss(
    parameters: &[SpsaParameter],
    best: &[f64],
    plus: &[i32],
    minus: &[i32],
    games: u64,
    random: &mut Random,
) -> i64 {
    let elo = |values: &[i32]| -> f64 {
        let distances = values.iter().zip(best).zip(parameters);
        distances.map(|((&value, best), parameter)| -2.0 * ((f64::from(value) - best) / parameter.step).powi(2)).sum()
    };
    let expected = 1.0 / (1.0 + 10f64.powf((elo(minus) - elo(plus)) / 400.0));
    let draws = 0.4;
    (0..games)
        .map(|_| {
            let luck = random.fraction();
            let win = (expected - draws / 2.0).max(0.0);
            i64::from(luck < win) - i64::from(luck > win + draws)
        })
        .sum()
}

fn tuned(seed: u64, pairs: u64, best: &[f64], parameters: &[SpsaParameter]) -> Spsa {
    let mut spsa = Spsa::new(settings(pairs, seed), parameters.to_vec()).unwrap();
    let mut random = Random::new(seed ^ 77);
    while let Some(perturbation) = spsa.perturbation() {
        let (plus, minus) = (&perturbation.plus, &perturbation.minus);
        let lead = toss(parameters, best, plus, minus, 2 * perturbation.pairs, &mut random);
        spsa.learn(&perturbation, lead);
    }
    spsa
}

#[test]
fn the_best_values_are_found_in_the_noise() {
    let parameters = vec![
        parameter("a", 100, 0, 300, 10.0),
        parameter("b", 20, 0, 60, 3.0),
        parameter("c", 500, 0, 2000, 50.0),
        parameter("d", 8, 1, 16, 1.0),
    ];
    let best = [160.0, 35.0, 250.0, 4.0];
    let distance = |values: &[f64]| -> f64 {
        let steps = values.iter().zip(best).zip(&parameters);
        steps.map(|((value, best), parameter)| ((value - best) / parameter.step).powi(2)).sum::<f64>().sqrt()
    };
    let start: Vec<f64> = parameters.iter().map(|parameter| f64::from(parameter.start)).collect();
    for seed in [1, 2, 3] {
        let spsa = tuned(seed, 40_000, &best, &parameters);
        // From ten steps away to a small fraction of that, though every game is mostly luck.
        assert!(distance(&start) > 9.5);
        assert!(distance(spsa.values()) < 2.5, "seed {seed}: {:?}", spsa.values());
    }
}

/// Without any difference in strength, values walk at random and not far.
#[test]
fn noise_alone_leads_nowhere() {
    let parameters = vec![parameter("a", 100, 0, 300, 10.0)];
    for seed in 0..5 {
        let mut spsa =
            Spsa::new(SpsaSettings { learning_rate: 0.002, ..settings(5000, seed) }, parameters.clone()).unwrap();
        let mut random = Random::new(seed);
        while let Some(perturbation) = spsa.perturbation() {
            let lead: i64 = (0..2 * perturbation.pairs).map(|_| random.below(3) as i64 - 1).sum();
            spsa.learn(&perturbation, lead);
        }
        assert!((spsa.values()[0] - 100.0).abs() < 30.0, "{:?}", spsa.values());
    }
}

#[test]
fn the_same_seed_takes_the_same_path() {
    let parameters = vec![parameter("a", 50, 0, 100, 5.0), parameter("b", 50, 0, 100, 5.0)];
    let best = [30.0, 80.0];
    assert_eq!(tuned(4, 400, &best, &parameters), tuned(4, 400, &best, &parameters));
    assert_ne!(tuned(4, 400, &best, &parameters).values(), tuned(5, 400, &best, &parameters).values());
    // A run that is taken up in the middle goes on as if nothing had happened.
    let mut whole = Spsa::new(settings(400, 4), parameters.clone()).unwrap();
    for _ in 0..10 {
        let perturbation = whole.perturbation().unwrap();
        whole.learn(&perturbation, 2);
    }
    let again = Spsa::at(settings(400, 4), parameters, whole.values().to_vec(), whole.played()).unwrap();
    assert_eq!(again.perturbation(), whole.perturbation());
}

/// The conventions: at the end a number is moved by its step, and one game more moves it by `r` of that.
#[test]
fn the_end_of_a_run_is_as_agreed() {
    let parameters = vec![parameter("a", 500, 0, 1000, 20.0)];
    let agreed = SpsaSettings { seed: 0, pairs: 10_000, pairs_per_iteration: 1, learning_rate: 0.002 };
    let mut spsa = Spsa::at(agreed, parameters, vec![500.0], 9_999).unwrap();
    let perturbation = spsa.perturbation().unwrap();
    let (plus, minus) = (perturbation.plus[0], perturbation.minus[0]);
    assert_eq!((plus - minus).abs(), 40);
    spsa.learn(&perturbation, 1);
    let moved = (spsa.values()[0] - 500.0) * perturbation.signs[0];
    assert!((moved - 0.002 * 20.0).abs() < 1e-9, "{moved}");
    assert!(spsa.is_finished() && spsa.perturbation().is_none());
}

/// The gains of the first iteration, worked out by hand for N = 1000: c = 20 · 1000^0.101, and
/// a / c = 0.002 · 20² · (1100 / 101)^0.602 / c.
#[test]
fn the_beginning_of_a_run_is_as_agreed() {
    let parameters = vec![parameter("a", 500, 0, 1000, 20.0)];
    let agreed = SpsaSettings { seed: 0, pairs: 1000, pairs_per_iteration: 1, learning_rate: 0.002 };
    let mut spsa = Spsa::new(agreed, parameters).unwrap();
    let perturbation = spsa.perturbation().unwrap();
    assert!(((perturbation.plus[0] - perturbation.minus[0]).abs() - 80).abs() <= 1, "{perturbation:?}");
    spsa.learn(&perturbation, 1);
    let moved = (spsa.values()[0] - 500.0).abs();
    let expected = 0.8 * (1100.0_f64 / 101.0).powf(0.602) / (20.0 * 1000.0_f64.powf(0.101));
    assert!((moved - expected).abs() < 1e-9, "{moved} {expected}");
}

#[test]
fn nonsense_is_refused() {
    let parameters = vec![parameter("a", 5, 0, 10, 1.0)];
    assert_eq!(Spsa::new(settings(10, 0), Vec::new()), Err(SpsaError::NoParameters));
    assert_eq!(Spsa::new(settings(0, 0), parameters.clone()), Err(SpsaError::NoPairs));
    let still = SpsaSettings { learning_rate: 0.0, ..settings(10, 0) };
    assert_eq!(Spsa::new(still, parameters.clone()), Err(SpsaError::LearningRate(0.0)));
    assert!(Spsa::at(settings(10, 0), parameters, vec![1.0, 2.0], 3).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Values and perturbations stay in range whatever happens, both sides move opposite ways, and rounding is fair.
    #[test]
    fn values_stay_in_range(
        seed: u64,
        (low, width, place) in (-1000..1000_i32, 0..500_i32, 0.0..1.0_f64),
        step in 0.1..100.0_f64,
        leads in prop::collection::vec(-8..=8_i64, 1..20),
    ) {
        let start = low + (f64::from(width) * place) as i32;
        let parameter = parameter("a", start, low, low + width, step);
        let mut spsa = Spsa::new(settings(80, seed), vec![parameter]).unwrap();
        for lead in leads {
            let Some(perturbation) = spsa.perturbation() else { break };
            for value in [perturbation.plus[0], perturbation.minus[0], spsa.rounded()[0]] {
                prop_assert!((low..=low + width).contains(&value));
            }
            prop_assert!(f64::from(perturbation.plus[0] - perturbation.minus[0]) * perturbation.signs[0] >= 0.0);
            spsa.learn(&perturbation, lead);
        }
    }
}
