//! The tuner against the evaluation, against differences, and against weights that were planted.

use kiebitz_chess::Position;

use super::examples::{Example, expected_score};
use super::model::{Forward, Gradient};
use super::*;
use crate::Evaluator;

/// Positions of random games, the same in every run.
fn positions(count: usize) -> Vec<Position> {
    let mut state = 7;
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::default();
        for _ in 0..120 {
            let moves: Vec<_> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            state = split_mix(state);
            position.play(moves[state as usize % moves.len()]);
            if state.is_multiple_of(5) {
                found.push(position.clone());
            }
        }
    }
    found.truncate(count);
    found
}

fn trace(position: &Position, teacher: i32, result: f32) -> Option<Trace> {
    Trace::of(&LabelledPosition { position: position.clone(), teacher, result })
}

#[test]
fn the_model_agrees_with_the_evaluation() {
    let weights = Weights::current();
    let mut evaluator = Evaluator::new();
    for position in positions(2_000) {
        let Some(trace) = trace(&position, 0, 0.5) else { continue };
        let model = Forward::of(&weights, Example::new(&trace.counts, &trace.facts)).value;
        let value = evaluator.evaluate(&position);
        let white = if position.side_to_move() == kiebitz_chess::Color::White { value } else { -value };
        // Dangers are divided and the blend is cut to whole centipawns.
        assert!((model - white as f32).abs() < 4.0 || white.abs() > 9_000, "{position}: {model} {white}");
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let curve = 180.0;
    let mut weights = Weights::current();
    for position in positions(60) {
        let Some(mut trace) = trace(&position, 0, 0.5) else { continue };
        trace.facts.target = 0.8;
        let mut gradient = Gradient::new(weights.len());
        gradient.add(&weights, Example::new(&trace.counts, &trace.facts), curve);
        let touched: Vec<usize> = trace.counts.iter().map(|count| usize::from(count.index)).collect();
        for index in touched {
            for half in 0..2 {
                let before = weights.0[index][half];
                let mut at = |offset: f32| {
                    weights.0[index][half] = before + offset;
                    weights.loss(Example::new(&trace.counts, &trace.facts), curve)
                };
                let (left, middle, right) = (at(-0.25), at(0.0), at(0.25));
                weights.0[index][half] = before;
                let exact = f64::from(gradient.by_weight[index][half]);
                // At a kink of the formula the derivative is that of one side.
                let agrees =
                    [(right - left) / 0.5, (right - middle) / 0.25, (middle - left) / 0.25].map(|difference| {
                        let scale = difference.abs().max(exact.abs()).max(2e-5);
                        (difference - exact).abs() < 0.05 * scale
                    });
                assert!(agrees.contains(&true), "{position} {index}/{half}: {left} {middle} {right} {exact}");
            }
        }
    }
}

#[test]
fn planted_weights_are_found_again() {
    let planted = Weights::current();
    let mut start = planted.clone();
    for weight in &mut start.0[crate::term::Term::Material.first()..crate::term::Term::Material.end()] {
        *weight = [weight[0] * 0.7, weight[1] * 0.7];
    }
    let settings = Settings { result_share: 0.0, epochs: 60, step: 4.0, prior_examples: 0.0, ..Settings::default() };
    let mut tuner = Tuner::new(settings, start);
    for (number, position) in positions(6_000).iter().enumerate() {
        let Some(mut trace) = trace(position, 0, 0.5) else { continue };
        let value = Forward::of(&planted, Example::new(&trace.counts, &trace.facts)).value;
        trace.facts.target = expected_score(f64::from(value), FIRST_CURVE) as f32;
        tuner.add(&trace, number as u64 / 40);
    }
    let before = tuner.losses();
    for _ in 0..settings.epochs {
        tuner.run_epoch();
    }
    let after = tuner.losses();
    // Few examples for many weights: what was learnt by heart must vanish, what was understood must carry over.
    assert!(after.training < before.training / 20.0, "{before:?} {after:?}");
    assert!(after.validation < before.validation / 2.0, "{before:?} {after:?}");
}

#[test]
fn the_same_seed_gives_the_same_weights() {
    let run = |threads: usize| {
        let settings = Settings { epochs: 2, ..Settings::default() };
        let mut tuner = Tuner::new(settings, Weights::current());
        for (number, position) in positions(3_000).iter().enumerate() {
            if let Some(trace) = trace(position, (number % 300) as i32 - 150, (number % 3) as f32 / 2.0) {
                tuner.add(&trace, number as u64 / 50);
            }
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            tuner.fit_curve();
            tuner.run_epoch();
            tuner.run_epoch();
        });
        tuner.weights().clone()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn the_source_names_every_term_once() {
    let provenance = Provenance { lines: vec!["From a test.".to_owned()] };
    let text = Weights::current().to_source(&provenance);
    assert!(text.contains("//! From a test.\n"));
    assert_eq!(text.matches("s(").count(), Weights::current().len());
    for term in crate::term::Term::ALL {
        assert_eq!(text.matches(&format!("// {}\n", term.name())).count(), 1, "{}", term.name());
    }
}
