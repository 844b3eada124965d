//! The step in which an entry is proved and measured.

use kiebitz_chess::Position;
use kiebitz_dataset::WrittenFile;
use kiebitz_features::FeatureSurvey;
use kiebitz_inference::{Evaluator, Network};
use kiebitz_network::{NetworkFile, reference};
use serde_json::json;

use super::event::StudyStep;
use super::findings::Measurement;
use super::jury::for_each_move;
use super::run::{Course, Finished};
use super::training::in_parts;
use crate::error::ForgeError;
use crate::proof::prove;

pub(super) fn run(course: &mut Course<'_>, name: &str, trained: &Finished) -> Result<Finished, ForgeError> {
    let plan = course.plan();
    let inputs = json!({
        "network": trained.record.outputs,
        "validation": course.checksums[1],
        "filter": plan.data.filter,
        "measuring": plan.measuring,
        "seed": plan.seed,
    });
    let path = trained.network();
    course.step(name, StudyStep::Measure, inputs, |course, _| {
        let file = NetworkFile::read(&path).map_err(ForgeError::network(&path))?;
        let proved = prove(&file)?;
        let network = Network::new(&file)?;
        let features = file.spec().features();
        let mut survey = FeatureSurvey::new(features);
        for_each_move(&course.validation, plan.measuring.games, |before, after, delta| {
            survey.observe(before, after, delta);
        })?;
        let dead_features = features.dead().len();
        let neurons = neurons(course, &file)?;
        let (triplets, ranked_right) = ranked_right(course, &network)?;
        let findings = Measurement {
            features: features.count(),
            dead_features,
            unseen_features: survey.unseen().saturating_sub(dead_features),
            moves: survey.moves(),
            mean_active: survey.mean_active(),
            largest_active: survey.largest_active(),
            active_share: survey.mean_active() / f64::from(features.count()),
            updates_per_move: survey.updates_per_move(),
            refreshes_per_move: survey.refreshes_per_move(),
            neurons: neurons.all,
            dead_neurons: neurons.dead,
            full_neurons: neurons.full,
            active_neurons: neurons.active,
            triplets,
            ranked_right,
            proved_steps: proved["proved_steps"].as_u64().unwrap_or(0),
            rounding: serde_json::from_value(proved["rounding"].clone()).ok().flatten(),
        };
        Ok((Vec::<WrittenFile>::new(), json!(findings)))
    })
}

/// Outputs of the accumulator in the views of the jury's positions.
struct Neurons {
    all: usize,
    /// Never above zero.
    dead: usize,
    /// Always at the largest value that any of them has.
    full: usize,
    /// The share above zero, on average.
    active: f64,
}

fn neurons(course: &mut Course<'_>, file: &NetworkFile) -> Result<Neurons, ForgeError> {
    let threads = course.settings.threads;
    let jury = course.jury()?;
    let width = file.spec().activated_width();
    let parts = in_parts(threads, &jury.values, |part: &[(Position, f32)]| {
        let (mut above, mut least, mut most, mut views) = (vec![0_u64; width], vec![i32::MAX; width], i32::MIN, 0_u64);
        for (position, _) in part {
            for view in reference::trace_integers(file.spec(), &file.weights, position).views {
                views += 1;
                for ((&active, above), least) in view.activations.iter().zip(&mut above).zip(&mut least) {
                    *above += u64::from(active > 0);
                    *least = active.min(*least);
                    most = active.max(most);
                }
            }
        }
        (above, least, most, views)
    });
    let sum = |neuron: usize| parts.iter().map(|part| part.0[neuron]).sum::<u64>();
    let least = |neuron: usize| parts.iter().map(|part| part.1[neuron]).min();
    let most = parts.iter().map(|part| part.2).max();
    let views: u64 = parts.iter().map(|part| part.3).sum();
    Ok(Neurons {
        all: width,
        dead: (0..width).filter(|&neuron| sum(neuron) == 0).count(),
        full: (0..width).filter(|&neuron| sum(neuron) > 0 && least(neuron) == most).count(),
        active: (0..width).map(sum).sum::<u64>() as f64 / (views.max(1) * width.max(1) as u64) as f64,
    })
}

/// The triplets of the jury, and the share of them that a network ranks as the players did.
fn ranked_right(course: &mut Course<'_>, network: &Network) -> Result<(usize, f64), ForgeError> {
    let threads = course.settings.threads;
    let jury = course.jury()?;
    let right = in_parts(threads, &jury.triplets, |part| {
        let mut evaluator = Evaluator::new(network);
        let mut value = |position: &Position| {
            evaluator.reset(position);
            evaluator.evaluate_parts(position).units
        };
        // Values are those of the opponent, who moves next.
        let points =
            part.iter().map(|triplet| match value(&triplet.after_played()).cmp(&value(&triplet.after_random())) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            });
        points.sum::<f64>()
    });
    Ok((jury.triplets.len(), right.iter().sum::<f64>() / jury.triplets.len().max(1) as f64))
}
