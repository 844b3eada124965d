//! The loss of a network as it plays, in integers, on validation samples.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use kiebitz_chess::Color;
use kiebitz_dataset::Batch;
use kiebitz_inference::{FeatureEvaluator, Features, Network};
use kiebitz_network::NetworkFile;
use serde::Serialize;

use crate::error::TrainError;
use crate::recipe::{LossKind, Recipe};
use crate::source::Source;
use crate::targets::target_of;

/// A mean loss and what it is the mean of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayedLoss {
    /// The mean.
    pub loss: f64,
    /// Positions looked at, those of triplets counted singly.
    pub samples: u64,
}

/// The mean loss of a quantised network on shards, or triplets: the samples, targets and formula of a run's validation, but the
/// values are those of the engine's own integers. The recipe's network is not looked at.
///
/// # Errors
///
/// When the samples cannot be read or the network cannot be played.
pub fn played_loss(
    recipe: &Recipe,
    file: &NetworkFile,
    samples: &[PathBuf],
    threads: NonZeroUsize,
) -> Result<PlayedLoss, TrainError> {
    let mut recipe = recipe.clone();
    recipe.network = file.spec().clone();
    recipe.check()?;
    let network = Network::new(file)?;
    let mut source = Source::open(&recipe, samples, threads, 0)?;
    let steps = source.validation_steps(&recipe);
    let mut sum = 0.0;
    for _ in 0..steps {
        let batch = source.next()?.positions(&recipe)?;
        let values = values_of(&network, &batch, threads).ok_or(TrainError::OtherFeatures)?;
        sum += mean_loss(&recipe, &batch, &values);
    }
    Ok(PlayedLoss { loss: sum / steps as f64, samples: steps * recipe.training.batch as u64 })
}

/// Centipawns, unrounded, for the side to move; nothing if the batch was made for another network.
fn values_of(network: &Network, batch: &Batch, threads: NonZeroUsize) -> Option<Vec<f64>> {
    let scale = network.spec().centipawns;
    let centipawns = |units: i32| f64::from(units) * f64::from(scale.times) / f64::from(scale.per.max(1));
    let mut values = vec![0.0; batch.len()];
    let part = batch.len().div_ceil(threads.get()).max(1);
    let known = thread::scope(|scope| {
        let parts: Vec<_> = values
            .chunks_mut(part)
            .enumerate()
            .map(|(number, values)| {
                scope.spawn(move || {
                    let mut evaluator = FeatureEvaluator::new(network);
                    values.iter_mut().zip(number * part..).all(|(value, sample)| {
                        let units = evaluator.units(features_of(batch, sample));
                        *value = units.map_or(0.0, centipawns);
                        units.is_some()
                    })
                })
            })
            .collect();
        parts.into_iter().all(|part| part.join().unwrap_or(false))
    });
    known.then_some(values)
}

fn features_of(batch: &Batch, sample: usize) -> Features<'_> {
    let (own, other) = (batch.own.row(sample), batch.other.row(sample));
    let mover = batch.movers[sample];
    let (white, black) = if mover == Color::White { (own, other) } else { (other, own) };
    Features { white, black, pieces: usize::from(batch.pieces[sample]), mover }
}

/// The mean over a batch, added up in its order, so that threads do not show.
fn mean_loss(recipe: &Recipe, batch: &Batch, centipawns: &[f64]) -> f64 {
    let loss = &recipe.loss;
    let sigmoid = |value: f64| 1.0 / (1.0 + (-value).exp());
    let value = |sample: usize| centipawns[sample] / loss.score_scale;
    let sum: f64 = match loss.kind {
        LossKind::Value => (0..batch.len())
            .map(|sample| {
                let target = target_of(batch, sample, loss.score_scale as f32, loss.result_end as f32);
                (sigmoid(value(sample)) - f64::from(target)).abs().powf(loss.power)
            })
            .sum(),
        LossKind::Pqr => (0..batch.len() / 3)
            .map(|triplet| {
                let [p, q, r] = [0, 1, 2].map(|place| value(3 * triplet + place));
                let apart = sigmoid(p) - sigmoid(-q);
                // -log s(r - q), without overflow.
                let log = (q - r).max(0.0) + (-(r - q).abs()).exp().ln_1p();
                log + loss.consistency * apart * apart
            })
            .sum(),
    };
    sum / recipe.things() as f64
}
