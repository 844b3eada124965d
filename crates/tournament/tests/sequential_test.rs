//! The sequential test against brute force and against its own promises.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly and say what they found")]

use kiebitz_tournament::Random;
use kiebitz_tournament::sprt::{Decision, Sprt};
use kiebitz_tournament::statistics::{EloModel, Estimate, ScoreCounts, games_for_error, score_of_elo};

/// Runs with every hypothesis in the everyday test.
const QUICK_RUNS: u32 = 1_000;
/// Runs with every hypothesis in the long test.
const MANY_RUNS: u32 = 10_000;

#[test]
fn ratios_agree_with_brute_force() {
    let table = include_str!("llr.csv");
    let (mut rows, mut worst) = (0, 0.0_f64);
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        let counts: Vec<f64> = fields[0].split(' ').map(|count| count.parse().unwrap()).collect();
        let counts = match counts[..] {
            [losses, draws, wins] => ScoreCounts::of_games(wins, draws, losses),
            [a, b, c, d, e] => ScoreCounts::of_pairs([a, b, c, d, e]),
            _ => panic!("{line}"),
        };
        let model = if fields[3] == "logistic" { EloModel::Logistic } else { EloModel::Normalised };
        let bounds = [fields[1].parse().unwrap(), fields[2].parse().unwrap()];
        let expected: f64 = fields[4].parse().unwrap();
        let llr = Sprt::new(0.05, 0.05, bounds, model).unwrap().llr(counts);
        let error = (llr - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-6, "{line}: {llr}");
        worst = worst.max(error);
        rows += 1;
    }
    assert_eq!(rows, 228);
    println!("{rows} ratios, largest relative difference {worst:.1e}");
}

/// Draws results of units with these probabilities.
fn draw(random: &mut Random, probabilities: &[f64]) -> usize {
    let mut rest = random.fraction();
    for (category, probability) in probabilities.iter().enumerate() {
        rest -= probability;
        if rest < 0.0 {
            return category;
        }
    }
    probabilities.len() - 1
}

fn counts_of(numbers: [f64; 5], categories: usize) -> ScoreCounts {
    match categories {
        3 => ScoreCounts::of_games(numbers[2], numbers[1], numbers[0]),
        _ => ScoreCounts::of_pairs(numbers),
    }
}

/// Shares of a pair's results with exactly this expected score.
fn pairs_with_score(score: f64) -> [f64; 5] {
    // Moving a pair from ½ point to 1½ points raises its score by a half.
    let shift = 2.0 * (score - 0.5);
    [0.02, 0.22 - shift, 0.52, 0.22 + shift, 0.02]
}

/// Shares of a game's results with exactly this expected score.
fn games_with_score(score: f64) -> [f64; 5] {
    let shift = score - 0.5;
    [0.25 - shift, 0.5, 0.25 + shift, 0.0, 0.0]
}

struct Runs {
    passed: f64,
    units: Vec<f64>,
}

fn run(test: &Sprt, probabilities: [f64; 5], categories: usize, runs: u32, seed: u64) -> Runs {
    let mut random = Random::new(seed);
    let (mut passed, mut units) = (0, Vec::new());
    for _ in 0..runs {
        let mut numbers = [0.0; 5];
        let mut played = 0.0;
        let decision = loop {
            numbers[draw(&mut random, &probabilities[..categories])] += 1.0;
            played += 1.0;
            let decision = test.decide(counts_of(numbers, categories));
            if decision != Decision::Continue {
                break decision;
            }
        };
        passed += u32::from(decision == Decision::AcceptH1);
        units.push(played);
    }
    units.sort_by(f64::total_cmp);
    Runs { passed: f64::from(passed) / f64::from(runs), units }
}

/// Both kinds of error stay within the promise, and the planned length is what happens.
fn keeps_its_promise(runs: u32) {
    let (alpha, beta) = (0.05, 0.1);
    let spread = |rate: f64| 3.5 * (rate * (1.0 - rate) / f64::from(runs)).sqrt();
    for categories in [3, 5] {
        let shape = |score| if categories == 3 { games_with_score(score) } else { pairs_with_score(score) };
        let per_game = counts_of(shape(0.5), categories).variance_per_game().unwrap();
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let bounds = [-5.0, 25.0];
            let test = Sprt::new(alpha, beta, bounds, model).unwrap();
            // The variance hardly changes in this range, so a score of the normalised kind is found from the even one.
            let score = |elo: f64| match model {
                EloModel::Logistic => score_of_elo(elo),
                EloModel::Normalised => 0.5 + elo * 10_f64.ln() / 800.0 * per_game.sqrt(),
            };
            for (elo, seed) in [(bounds[0], 11), (bounds[1], 12), (10.0, 13)] {
                let truth = shape(score(elo));
                let found = run(&test, truth, categories, runs, seed);
                let plan = test.planned_length(counts_of(truth, categories), elo).unwrap();
                let games_per_unit = if categories == 3 { 1.0 } else { 2.0 };
                let quantile = |share: f64| found.units[(share * f64::from(runs)) as usize] * games_per_unit;
                let mean = found.units.iter().sum::<f64>() / f64::from(runs) * games_per_unit;
                println!(
                    "{test}, {categories} kinds, true {elo}: passed {:.4} (planned {:.4}); games mean {mean:.0} ({:.0}), \
                     median {:.0} ({:.0}), 90 % {:.0} ({:.0}), 95 % {:.0} ({:.0})",
                    found.passed,
                    plan.pass_probability,
                    plan.expected_games,
                    quantile(0.5),
                    plan.median_games,
                    quantile(0.9),
                    plan.games_90,
                    quantile(0.95),
                    plan.games_95,
                );
                if elo == bounds[0] {
                    assert!(found.passed < alpha + spread(alpha), "seed {seed}: {}", found.passed);
                } else if elo == bounds[1] {
                    assert!(1.0 - found.passed < beta + spread(beta), "seed {seed}: {}", found.passed);
                }
                assert!((found.passed - plan.pass_probability).abs() < 0.01 + spread(0.5), "seed {seed}");
                for (real, planned) in [
                    (mean, plan.expected_games),
                    (quantile(0.5), plan.median_games),
                    (quantile(0.9), plan.games_90),
                    (quantile(0.95), plan.games_95),
                ] {
                    assert!((real / planned - 1.0).abs() < 0.15, "seed {seed}: {real} games, planned {planned}");
                }
            }
        }
    }
}

#[test]
fn error_rates_and_lengths_are_as_promised() {
    keeps_its_promise(QUICK_RUNS);
}

#[test]
#[ignore = "slow: make test-slow"]
fn error_rates_and_lengths_are_as_promised_in_many_runs() {
    keeps_its_promise(MANY_RUNS);
}

#[test]
fn error_bars_hold_the_truth_in_95_percent() {
    let runs = 4_000;
    for (name, truth, categories) in [
        ("even games", games_with_score(0.5), 3),
        ("stronger, games", games_with_score(0.6), 3),
        ("even pairs", pairs_with_score(0.5), 5),
        ("stronger, pairs", pairs_with_score(0.58), 5),
        ("much stronger, pairs", [0.01, 0.04, 0.15, 0.4, 0.4], 5),
    ] {
        for units in [100, 1_000] {
            let exact = Estimate::of(counts_of(truth.map(|share| share * 1e12), categories)).unwrap();
            let mut random = Random::new(units);
            let (mut elo_held, mut normalised_held) = (0, 0);
            for _ in 0..runs {
                let mut numbers = [0.0; 5];
                (0..units).for_each(|_| numbers[draw(&mut random, &truth[..categories])] += 1.0);
                let estimate = Estimate::of(counts_of(numbers, categories)).unwrap();
                elo_held += u32::from(estimate.elo.contains(exact.elo.value));
                normalised_held += u32::from(estimate.normalised_elo.contains(exact.normalised_elo.value));
            }
            let (elo, normalised) = (f64::from(elo_held) / 4e3, f64::from(normalised_held) / 4e3);
            println!("{name}, {units} units: Elo bars hold {elo:.3}, normalised {normalised:.3}");
            assert!((0.93..0.97).contains(&elo), "{name}, {units} units: {elo}");
            assert!((0.92..0.975).contains(&normalised), "{name}, {units} units: {normalised}");
        }
    }
}

#[test]
fn the_asked_number_of_games_gives_the_asked_bars() {
    for elo in [0.0, 30.0] {
        let shape = pairs_with_score(score_of_elo(elo));
        let games = games_for_error(ScoreCounts::of_pairs(shape), elo, 6.0).unwrap();
        let counts = ScoreCounts::of_pairs(shape.map(|share| share * games as f64 / 2.0));
        let error = Estimate::of(counts).unwrap().elo.error();
        assert!((error - 6.0).abs() < 0.05, "{games} games: ±{error}");
    }
    assert_eq!(games_for_error(ScoreCounts::unrelated_pairs(0.5), 0.0, 0.0), None);
    assert_eq!(games_for_error(ScoreCounts::of_pairs([0.0; 5]), 0.0, 5.0), None);
    assert_eq!(games_for_error(ScoreCounts::unrelated_pairs(0.5), f64::INFINITY, 5.0), None);
}
