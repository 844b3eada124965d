//! The step in which an entry is proved and measured.

use std::time::Duration;

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
use crate::pace::{Pace, nodes_per_second};
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
        let (neurons, dead_neurons, active_neurons) = neurons(course, &file)?;
        let (triplets, ranked_right) = ranked_right(course, &network)?;
        let time = Duration::from_millis(plan.measuring.milliseconds);
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
            neurons,
            dead_neurons,
            active_neurons,
            triplets,
            ranked_right,
            pace: Pace::of(&network, time),
            nodes_per_second: nodes_per_second(&network, time),
            proved_steps: proved["proved_steps"].as_u64().unwrap_or(0),
            rounding: serde_json::from_value(proved["rounding"].clone()).ok().flatten(),
        };
        Ok((Vec::<WrittenFile>::new(), json!(findings)))
    })
}

/// Outputs of the accumulator, those of them that are never above zero, and the share that is on average.
fn neurons(course: &mut Course<'_>, file: &NetworkFile) -> Result<(usize, usize, f64), ForgeError> {
    let threads = course.settings.threads;
    let jury = course.jury()?;
    let counts = in_parts(threads, &jury.values, |part: &[(Position, f32)]| {
        let mut counts = vec![0_u64; file.spec().activated_width()];
        let mut views = 0_u64;
        for (position, _) in part {
            for view in reference::trace_integers(file.spec(), &file.weights, position).views {
                views += 1;
                counts.iter_mut().zip(&view.activations).for_each(|(count, &active)| *count += u64::from(active > 0));
            }
        }
        (counts, views)
    });
    let mut total = vec![0_u64; file.spec().activated_width()];
    let views: u64 = counts.iter().map(|(_, views)| views).sum();
    for (part, _) in &counts {
        total.iter_mut().zip(part).for_each(|(total, count)| *total += count);
    }
    let dead = total.iter().filter(|count| **count == 0).count();
    let share = total.iter().sum::<u64>() as f64 / (views.max(1) * total.len().max(1) as u64) as f64;
    Ok((total.len(), dead, share))
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
