//! Tuning numbers by playing games: simultaneous perturbation stochastic approximation (Spall, 1992).
//!
//! Every iteration moves *all* numbers at once, each up or down by the toss of a coin, and lets the engine with these moves
//! play the engine with the opposite ones. Whoever wins was moved in a better direction on the whole, so every number goes a
//! little that way. Two sets of values tell something about fifty numbers at a time; what they tell is mostly noise, and
//! thousands of game pairs average it out.
//!
//! With `n` game pairs played so far out of `N`, and `A` = a tenth of `N`:
//!
//! ```text
//! how far a number is moved    c(n) = step · (N / (n + 1))^γ                             γ = 0.101
//! how far it then follows      a(n) = r · step² · ((A + N) / (A + n + 1))^α              α = 0.602
//! values that play             θ ± c(n)·s          s = +1 or -1 for every number
//! what is learned              θ ← θ + a(n) / c(n) · (wins - losses of θ + c·s) · s
//! ```
//!
//! So `step` is how far a number is moved at the end of the run, and `r` how much of its step a lead of one game moves
//! it then: the conventions of the field, in which numbers for a testing framework mean the same here. Engines take
//! integers, so values are rounded by chance, up as often as their fraction says, and with the same luck for both sides.
//!
//! | part | question |
//! |---|---|
//! | [`Spsa`] | which values play next, and what follows from their games? (pure) |
//! | [`SpsaParameter`] | what is a number called, and what may it be? |
//! | [`Tuning`], [`TuningFolder`] | how do the games get played, and survive an interruption? |
//!
//! **Invariants:** all chance comes from the seed and the number of the iteration, so a run that is broken off and resumed
//! takes the same path as one that is not, as far as the games allow. Values never leave their ranges.

mod folder;
mod parameter;
mod tuning;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Random;

pub use folder::{FolderError, Step, TuningFolder};
pub use parameter::{ParameterError, SpsaParameter, read_parameters};
pub use tuning::{Trouble, Tuning, TuningError, TuningEvent, TuningSettings};

/// How fast steps of learning shrink.
const ALPHA: f64 = 0.602;
/// How fast perturbations shrink.
const GAMMA: f64 = 0.101;
/// The part of all pairs during which steps hardly shrink.
const STABILITY: f64 = 0.1;

/// How a run goes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// Tosses the coins.
    pub seed: u64,
    /// Game pairs of the whole run.
    pub pairs: u64,
    /// Game pairs of one iteration.
    pub pairs_per_iteration: u64,
    /// How much of its last step a number follows a lead of one game at the end.
    pub learning_rate: f64,
}

impl SpsaSettings {
    /// A learning rate that has proved itself in other engines' runs.
    pub const USUAL_LEARNING_RATE: f64 = 0.002;
}

/// Why there is no such run.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SpsaError {
    /// Nothing to tune.
    #[error("there is no number to tune")]
    NoParameters,
    /// No games.
    #[error("a run needs at least one game pair in every iteration, and one iteration")]
    NoPairs,
    /// A rate that teaches nothing, or nonsense.
    #[error("a learning rate of {0} is not a positive number")]
    LearningRate(f64),
    /// A state that belongs to other numbers.
    #[error("{found} values do not fit {expected} numbers")]
    Values {
        /// How many values there are.
        found: usize,
        /// How many numbers there are.
        expected: usize,
    },
}

/// Two sets of values that shall play each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// The iteration, from 0.
    pub iteration: u64,
    /// Game pairs to be played.
    pub pairs: u64,
    /// Which way every number is moved: +1 or -1.
    pub signs: Vec<f64>,
    /// The values after that move.
    pub plus: Vec<i32>,
    /// The values after the opposite move.
    pub minus: Vec<i32>,
}

/// A run: numbers, their values now, and how many pairs were played.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    settings: SpsaSettings,
    parameters: Vec<SpsaParameter>,
    values: Vec<f64>,
    played: u64,
}

impl Spsa {
    /// A run at its beginning.
    ///
    /// # Errors
    /// If there is nothing to tune or to play.
    pub fn new(settings: SpsaSettings, parameters: Vec<SpsaParameter>) -> Result<Self, SpsaError> {
        let values = parameters.iter().map(|parameter| f64::from(parameter.start)).collect();
        Self::at(settings, parameters, values, 0)
    }

    /// A run after so many pairs, with the values it had then.
    ///
    /// # Errors
    /// If there is nothing to tune or to play, or the values do not fit.
    pub fn at(
        settings: SpsaSettings,
        parameters: Vec<SpsaParameter>,
        values: Vec<f64>,
        played: u64,
    ) -> Result<Self, SpsaError> {
        if parameters.is_empty() {
            return Err(SpsaError::NoParameters);
        }
        if settings.pairs == 0 || settings.pairs_per_iteration == 0 {
            return Err(SpsaError::NoPairs);
        }
        if !(settings.learning_rate.is_finite() && settings.learning_rate > 0.0) {
            return Err(SpsaError::LearningRate(settings.learning_rate));
        }
        if values.len() != parameters.len() {
            return Err(SpsaError::Values { found: values.len(), expected: parameters.len() });
        }
        let values = values.iter().zip(&parameters).map(|(&value, parameter)| parameter.hold(value)).collect();
        Ok(Self { settings, parameters, values, played })
    }

    /// How the run goes.
    #[must_use]
    pub const fn settings(&self) -> &SpsaSettings {
        &self.settings
    }

    /// The numbers.
    #[must_use]
    pub fn parameters(&self) -> &[SpsaParameter] {
        &self.parameters
    }

    /// Their values now, in the same order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Game pairs played so far.
    #[must_use]
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// Whether all pairs are played.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.played >= self.settings.pairs
    }

    /// The values as integers.
    #[must_use]
    pub fn rounded(&self) -> Vec<i32> {
        self.values.iter().zip(&self.parameters).map(|(&value, parameter)| parameter.integer(value.round())).collect()
    }

    /// How far a number with this step is moved now.
    fn reach(&self, step: f64) -> f64 {
        step * (self.settings.pairs as f64 / (self.played + 1) as f64).powf(GAMMA).max(1.0)
    }

    /// How far it follows a lead of one game now.
    fn gain(&self, step: f64) -> f64 {
        let whole = self.settings.pairs as f64;
        let delay = STABILITY * whole;
        let shrinking = ((delay + whole) / (delay + (self.played + 1) as f64)).powf(ALPHA);
        self.settings.learning_rate * step * step * shrinking / self.reach(step)
    }

    /// What plays next; `None` when the run is over.
    #[must_use]
    pub fn perturbation(&self) -> Option<Perturbation> {
        if self.is_finished() {
            return None;
        }
        let iteration = self.played / self.settings.pairs_per_iteration;
        let mut random = Random::stream(self.settings.seed, iteration);
        let (mut signs, mut plus, mut minus) = (Vec::new(), Vec::new(), Vec::new());
        for (&value, parameter) in self.values.iter().zip(&self.parameters) {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let luck = random.fraction();
            let reach = self.reach(parameter.step) * sign;
            plus.push(parameter.integer((value + reach + luck).floor()));
            minus.push(parameter.integer((value - reach + luck).floor()));
            signs.push(sign);
        }
        let pairs = self.settings.pairs_per_iteration.min(self.settings.pairs - self.played);
        Some(Perturbation { iteration, pairs, signs, plus, minus })
    }

    /// Learns from the games of a perturbation: `lead` is how many more of them the `plus` side won than it lost.
    pub fn learn(&mut self, perturbation: &Perturbation, lead: i64) {
        let moved: Vec<f64> = (self.values.iter().zip(&self.parameters).zip(&perturbation.signs))
            .map(|((&value, parameter), &sign)| parameter.hold(value + self.gain(parameter.step) * lead as f64 * sign))
            .collect();
        self.values = moved;
        self.played += perturbation.pairs;
    }
}

#[cfg(test)]
mod tests;
