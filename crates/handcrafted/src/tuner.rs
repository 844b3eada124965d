//! The gradient tuner: finds the weights that best predict how positions end.
//!
//! Every position is evaluated once, with a ledger that keeps its counts; from then on its value is a formula in the
//! weights (`model.rs`) whose derivative is known, king danger and end-game scales included. The loss of a position is
//! the squared difference between the score that its value predicts, `1 / (1 + exp(-value / K))`, and its target: a
//! blend of the game's result and of the same curve over a teacher's value. `K` is fitted first, so that teacher values
//! predict results best, and then kept: our values end up on the teacher's scale. Adam (`adam.rs`) does the steps.
//!
//! *Invariants:* the same examples, settings and seed give the same weights on any number of threads; positions of one
//! game are either all learnt from or all held back; the model's value equals the evaluation's up to rounding.

mod adam;
mod examples;
mod model;
mod source;

#[cfg(test)]
mod tests;

pub use examples::{LabelledPosition, Trace};
pub use model::Weights;
pub use source::Provenance;

use rayon::prelude::*;

use adam::Adam;
use examples::Examples;
use model::Gradient;

/// How the tuner learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Decides the order of examples and which games are held back.
    pub seed: u64,
    /// The share of the game's result in the target; the rest is the teacher's.
    pub result_share: f64,
    /// Passes over all examples.
    pub epochs: u32,
    /// The first step size in centipawns; it falls along a half cosine to a fiftieth.
    pub step: f64,
    /// One game in so many is held back for validation.
    pub held_back_every: u64,
    /// Every weight is drawn to zero as if so many made-up examples had asked for it; keeps rare ones from learning noise.
    pub prior_examples: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, result_share: 0.3, epochs: 30, step: 1.0, held_back_every: 20, prior_examples: 100.0 }
    }
}

/// Mean squared differences between prediction and target, a number between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// Over the examples that are learnt from.
    pub training: f64,
    /// Over the games held back.
    pub validation: f64,
}

/// Examples and the weights being fitted to them.
pub struct Tuner {
    settings: Settings,
    training: Examples,
    validation: Examples,
    weights: Weights,
    adam: Adam,
    curve: f64,
    epoch: u32,
}

/// Examples whose gradients are summed one after the other; the unit of parallel work.
const CHUNK: usize = 1024;
/// Examples per step.
const BATCH: usize = 16 * CHUNK;
/// The curve before it is fitted: about right for values in centipawns.
const FIRST_CURVE: f64 = 200.0;

impl Tuner {
    /// A tuner without examples that starts from the given weights.
    #[must_use]
    pub fn new(settings: Settings, weights: Weights) -> Self {
        let adam = Adam::new(weights.len());
        let (training, validation) = (Examples::default(), Examples::default());
        Self { settings, training, validation, weights, adam, curve: FIRST_CURVE, epoch: 0 }
    }

    /// Adds an example; `game` tells which examples belong together.
    pub fn add(&mut self, trace: &Trace, game: u64) {
        // Mixed so that neighbouring numbers of games fall on either side as chance has it.
        let mixed = split_mix(self.settings.seed ^ split_mix(game));
        let held_back = mixed.is_multiple_of(self.settings.held_back_every.max(2));
        let examples = if held_back { &mut self.validation } else { &mut self.training };
        examples.push(trace);
    }

    /// How many examples are learnt from, and how many held back.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.training.len(), self.validation.len())
    }

    /// Fits the curve to teacher values and results, fixes every target, and returns `K` in centipawns.
    pub fn fit_curve(&mut self) -> f64 {
        self.curve = self.training.fit_curve();
        for examples in [&mut self.training, &mut self.validation] {
            examples.set_targets(self.curve, self.settings.result_share);
        }
        self.curve
    }

    /// The losses of the present weights.
    #[must_use]
    pub fn losses(&self) -> Losses {
        Losses { training: self.loss(&self.training), validation: self.loss(&self.validation) }
    }

    /// The weights as they are now.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// One pass over all examples; returns the mean loss met on the way.
    pub fn run_epoch(&mut self) -> f64 {
        let order = self.order();
        let batches = order.len().div_ceil(BATCH).max(1);
        let pull = self.pull();
        let mut loss = 0.0;
        for (number, batch) in order.chunks(BATCH).enumerate() {
            let progress = (f64::from(self.epoch) + number as f64 / batches as f64) / f64::from(self.settings.epochs);
            let half_cosine = (1.0 + (std::f64::consts::PI * progress.min(1.0)).cos()) / 2.0;
            let step = self.settings.step * (0.02 + 0.98 * half_cosine);
            let parts: Vec<Gradient> = batch.par_chunks(CHUNK).map(|chunk| self.gradient(chunk)).collect();
            // Summed in order, so that threads do not change the result.
            let sum = parts.into_iter().reduce(Gradient::plus);
            if let Some(sum) = sum {
                loss += sum.loss;
                self.adam.step(&mut self.weights, &sum, batch.len(), step, pull);
            }
        }
        self.epoch += 1;
        loss / order.len().max(1) as f64
    }

    /// The pull of the prior, in the unit of an example's curvature in an even position.
    fn pull(&self) -> f64 {
        let curvature = 2.0 * (0.25 / self.curve).powi(2);
        self.settings.prior_examples * curvature / self.training.len().max(1) as f64
    }

    fn gradient(&self, chunk: &[u32]) -> Gradient {
        let mut gradient = Gradient::new(self.weights.len());
        for &index in chunk {
            gradient.add(&self.weights, self.training.get(index as usize), self.curve);
        }
        gradient
    }

    /// All training examples in the order of this epoch.
    fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        let mut state = split_mix(self.settings.seed ^ u64::from(self.epoch) << 32);
        for last in (1..order.len()).rev() {
            state = split_mix(state);
            let chosen = ((u128::from(state) * (last as u128 + 1)) >> 64) as usize;
            order.swap(last, chosen);
        }
        order
    }

    fn loss(&self, examples: &Examples) -> f64 {
        let order: Vec<u32> = (0..examples.len() as u32).collect();
        let parts: Vec<f64> = order
            .par_chunks(CHUNK)
            .map(|chunk| chunk.iter().map(|&at| self.weights.loss(examples.get(at as usize), self.curve)).sum())
            .collect();
        parts.iter().sum::<f64>() / order.len().max(1) as f64
    }
}

/// One step of SplitMix64: turns any number into one that looks random.
const fn split_mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
