//! Positions that every network of a study is judged by, and games that its features are followed through.

use std::path::PathBuf;

use kiebitz_chess::Position;
use kiebitz_dataset::{Chain, ChainSource, DatasetError, Filter, Removals, Sample, Triplet, triplets};
use kiebitz_features::BoardDelta;
use kiebitz_trainer::LossRecipe;

use crate::shard_list::ShardList;

/// Positions with what is expected of them.
pub(crate) struct Jury {
    /// A position, and the share of points that its mover should be given.
    pub(crate) values: Vec<(Position, f32)>,
    /// Positions with the move that was played and another one.
    pub(crate) triplets: Vec<Triplet>,
    loss: LossRecipe,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Jury {
    /// About so many positions, spread evenly over the shards and filtered as those for training are.
    pub(crate) fn new(
        shards: &[PathBuf],
        filter: &Filter,
        loss: &LossRecipe,
        most: usize,
        seed: u64,
    ) -> Result<Self, DatasetError> {
        let mut jury = Self { values: Vec::new(), triplets: Vec::new(), loss: loss.clone() };
        let (stride, mut place) = (stride(shards, most)?, 0);
        for_each_chain(shards, filter, |chain| {
            let head = &chain.head;
            chain.visit(|position, link| {
                if link.kept && takes(&mut place, stride) {
                    let sample = Sample { head, position, link };
                    jury.values.push((position.clone(), target(loss, link.score, sample.points())));
                }
            });
            true
        })?;
        let mut place = 0;
        for_each_chain(shards, &filter.for_triplets(), |chain| {
            triplets(chain, seed, |triplet| {
                if takes(&mut place, stride) {
                    jury.triplets.push(triplet);
                }
            });
            true
        })?;
        Ok(jury)
    }

    /// The losses of values, in internal units of which one counts so many centipawns, at the positions of this jury.
    pub(crate) fn losses(&self, centipawns: f64, values: &[f64]) -> Vec<f64> {
        let loss = |((_, target), value): (&(Position, f32), &f64)| {
            let expected = 1.0 / (1.0 + (-value * centipawns / self.loss.score_scale).exp());
            (expected - f64::from(*target)).abs().powf(self.loss.power)
        };
        self.values.iter().zip(values).map(loss).collect()
    }

    /// How many centipawns a unit has to count so that the loss is smallest: for values that were learned without any unit.
    pub(crate) fn fitted_unit(&self, values: &[f64]) -> f64 {
        let candidates = (0..=UNITS_TRIED).map(|number| SMALLEST_UNIT * UNIT_STEP.powi(number));
        let losses = candidates.map(|unit| (unit, mean(self.losses(unit, values).into_iter()).value));
        losses.min_by(|left, right| left.1.total_cmp(&right.1)).map_or(1.0, |best| best.0)
    }
}

/// Units from a hundredth of a centipawn to about ten, each 3 % larger than the one before.
const SMALLEST_UNIT: f64 = 0.01;
const UNIT_STEP: f64 = 1.03;
const UNITS_TRIED: i32 = 234;

pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Mean {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        sum += value;
        squares += value * value;
    }
    let value = sum / f64::max(count, 1.0);
    let variance = (squares / f64::max(count, 1.0) - value * value).max(0.0);
    Mean { value, error: (variance / f64::max(count - 1.0, 1.0)).sqrt() }
}

/// What the trainer aims at, at the end of a run.
fn target(loss: &LossRecipe, score: Option<i16>, points: Option<f32>) -> f32 {
    let expected = score.map(|score| 1.0 / (1.0 + (-f64::from(score) / loss.score_scale).exp()));
    match (expected, points.map(f64::from)) {
        (Some(expected), Some(points)) => (expected + (points - expected) * loss.result_end) as f32,
        (Some(only), None) | (None, Some(only)) => only as f32,
        (None, None) => 0.5,
    }
}

/// One in so many samples gives at most `most`.
fn stride(shards: &[PathBuf], most: usize) -> Result<u64, DatasetError> {
    let (_, counts) = ShardList::size(shards)?;
    Ok(counts.samples.div_ceil(most.max(1) as u64).max(1))
}

/// Whether a sample's turn has come.
fn takes(place: &mut u64, stride: u64) -> bool {
    *place += 1;
    (*place - 1).is_multiple_of(stride)
}

/// Shows all chains, filtered, until somebody has seen enough.
fn for_each_chain(
    shards: &[PathBuf],
    filter: &Filter,
    mut visit: impl FnMut(&Chain) -> bool,
) -> Result<(), DatasetError> {
    let (mut source, mut chain, mut removed) = (ShardList::new(shards), Chain::default(), Removals::new());
    while source.next_chain(&mut chain)? {
        filter.apply(&mut chain, &mut removed);
        if !visit(&chain) {
            break;
        }
    }
    Ok(())
}

/// Shows about so many positions, spread evenly over the shards and filtered.
pub(crate) fn for_each_position(
    shards: &[PathBuf],
    filter: &Filter,
    most: usize,
    mut visit: impl FnMut(&Position),
) -> Result<(), DatasetError> {
    let (stride, mut place) = (stride(shards, most)?, 0);
    for_each_chain(shards, filter, |chain| {
        chain.visit(|position, link| {
            if link.kept && takes(&mut place, stride) {
                visit(position);
            }
        });
        true
    })
}

/// Shows every move of the first games: the position before it, that after it, what it did on the board.
pub(crate) fn for_each_move(
    shards: &[PathBuf],
    games: usize,
    mut visit: impl FnMut(&Position, &Position, &BoardDelta),
) -> Result<(), DatasetError> {
    let mut left = games;
    for_each_chain(shards, &Filter::default(), |chain| {
        chain.visit(|position, link| {
            if let Some(mv) = link.mv {
                let (mut next, mut delta) = (position.clone(), BoardDelta::default());
                next.play_observed(mv, &mut delta);
                visit(position, &next, &delta);
            }
        });
        left = left.saturating_sub(1);
        left > 0
    })
}

/// Writes the triplets of shards as lines that the trainer reads, at most so many, spread evenly.
pub(crate) fn triplet_lines(
    shards: &[PathBuf],
    filter: &Filter,
    most: usize,
    seed: u64,
    mut write: impl FnMut(&str) -> std::io::Result<()>,
) -> Result<std::io::Result<u64>, DatasetError> {
    let (stride, mut place) = (stride(shards, most)?, 0);
    let (mut written, mut result) = (0, Ok(()));
    for_each_chain(shards, &filter.for_triplets(), |chain| {
        triplets(chain, seed, |triplet| {
            if result.is_ok() && takes(&mut place, stride) {
                let text = |mv| triplet.position.uci(mv, kiebitz_chess::CastlingForm::KingMove);
                result = write(&format!("{}\t{}\t{}\n", triplet.position, text(triplet.played), text(triplet.random)));
                written += 1;
            }
        });
        result.is_ok()
    })?;
    Ok(result.map(|()| written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_blend_as_in_training_and_means_have_errors() {
        let loss = LossRecipe { score_scale: 100.0, result_end: 0.25, ..LossRecipe::default() };
        assert!((target(&loss, Some(0), Some(1.0)) - 0.625).abs() < 1e-6);
        assert!((target(&loss, None, Some(1.0)) - 1.0).abs() < 1e-6);
        assert!((target(&loss, None, None) - 0.5).abs() < 1e-6);
        let mean = mean([1.0, 3.0].into_iter());
        assert!((mean.value - 2.0).abs() < 1e-12 && (mean.error - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_network_that_says_the_target_has_no_loss() {
        let loss = LossRecipe { score_scale: 200.0, power: 2.0, ..LossRecipe::default() };
        let jury = Jury { values: vec![(Position::default(), 0.5); 2], triplets: Vec::new(), loss };
        assert!(jury.losses(0.5, &[0.0, 0.0]).iter().all(|loss| *loss < 1e-12));
        let wrong = mean(jury.losses(0.5, &[1e9, 0.0]).into_iter());
        assert!((wrong.value - 0.125).abs() < 1e-9, "{wrong:?}");
    }

    #[test]
    fn the_unit_of_values_is_found() {
        let loss = LossRecipe { score_scale: 200.0, power: 2.5, ..LossRecipe::default() };
        let target = |centipawns: f64| (1.0 / (1.0 + (-centipawns / 200.0).exp())) as f32;
        let values = [-500.0, -90.0, 0.0, 40.0, 130.0, 700.0];
        let jury = Jury {
            values: values.map(|value| (Position::default(), target(value * 0.48))).to_vec(),
            triplets: Vec::new(),
            loss,
        };
        assert!((jury.fitted_unit(&values) / 0.48 - 1.0).abs() < 0.02);
    }
}
