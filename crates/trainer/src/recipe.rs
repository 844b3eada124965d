//! The recipe of a run: everything that decides its result, as a TOML file.

use std::path::PathBuf;

use kiebitz_dataset::Filter;
use kiebitz_network::{NetworkSpec, SpecError};
use serde::{Deserialize, Serialize};

/// Why a recipe is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecipeError {
    /// Not TOML, or not these keys.
    #[error("the recipe cannot be read: {0}")]
    Syntax(String),
    /// The network is not understood.
    #[error("the recipe's network: {0}")]
    Network(#[from] SpecError),
    /// A number makes no sense.
    #[error("the recipe's {key}: {what}")]
    Value {
        /// Which one.
        key: &'static str,
        /// What is wrong.
        what: String,
    },
}

/// Everything that decides a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// A short name, also that of the folder.
    pub name: String,
    /// A sentence about what is tried.
    #[serde(default)]
    pub description: String,
    /// Decides initial weights and order of samples.
    #[serde(default = "one")]
    pub seed: u64,
    /// The network, as `NetworkSpec` reads it.
    pub network: NetworkSpec,
    /// The samples.
    pub data: DataRecipe,
    /// How long, and how many at a time.
    pub training: TrainingRecipe,
    /// What is made small.
    #[serde(default)]
    pub loss: LossRecipe,
    /// How.
    #[serde(default)]
    pub optimiser: OptimiserRecipe,
}

/// The samples of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecipe {
    /// Shards, or folders of shards, to learn from.
    pub train: Vec<PathBuf>,
    /// Shards, or folders of shards, to be judged by; never learned from.
    #[serde(default)]
    pub validation: Vec<PathBuf>,
    /// Which samples are used for learning.
    #[serde(default)]
    pub filter: Filter,
    /// How many blocks of a hundred thousand samples are mixed at a time.
    #[serde(default = "mixed_blocks")]
    pub mixed_blocks: usize,
    /// Whose evaluations the scores are, for the network's card.
    #[serde(default)]
    pub teacher: String,
}

/// How long a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecipe {
    /// Positions in all.
    pub positions: u64,
    /// Positions of a step.
    #[serde(default = "batch")]
    pub batch: usize,
    /// Positions between two looks at the validation samples, each followed by a checkpoint.
    #[serde(default = "epoch")]
    pub epoch: u64,
    /// Validation samples that are looked at, at most.
    #[serde(default = "validation")]
    pub validation: u64,
    /// From this share of the run on weights are rounded as in the played network while they are used; 1 means never.
    #[serde(default = "whole")]
    pub round_from: f64,
    /// Where this run begins, instead of chance: a folder of checkpoints of another run of the same network, whose last weights are
    /// taken, or a network file of the same description, whose integers are. Virtual features of a file's network begin at zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
}

/// What kind of thing is learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossKind {
    /// Scores and results of positions.
    #[default]
    Value,
    /// Triplets: a position, the next one, and one that could have been; files of `kiebitz-lab data pqr`.
    Pqr,
}

/// What is made small. For values: |s(value) − target|^power, where the target blends score and result. For triplets P, Q, R:
/// −log s(R − Q) + consistency · (s(P) − s(−Q))², all values as their movers see them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossRecipe {
    /// Values or triplets.
    pub kind: LossKind,
    /// How much it counts that a position is as good for its mover as the next one is bad for the opponent; triplets only.
    pub consistency: f64,
    /// Centipawns that make a sigmoid's unit: s(x) = 1 / (1 + exp(−x / scale)).
    pub score_scale: f64,
    /// The power of the difference.
    pub power: f64,
    /// The share of the result in the target at the start.
    pub result_start: f64,
    /// And at the end.
    pub result_end: f64,
}

/// How weights are changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimiserRecipe {
    /// Which method.
    pub method: Optimiser,
    /// The largest learning rate.
    pub rate: f64,
    /// The learning rate at the end, as a share of the largest.
    pub final_share: f64,
    /// The way from one to the other.
    pub shape: RateShape,
    /// Share of the run over which the rate grows from nothing.
    pub warm_up: f64,
    /// How much momentum stays from step to step.
    pub beta1: f64,
    /// How much of the variance stays.
    pub beta2: f64,
    /// What keeps the division safe.
    pub epsilon: f64,
    /// Decoupled weight decay.
    pub decay: f64,
}

/// Methods of changing weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// Adam with decoupled weight decay.
    AdamW,
    /// The same, whose first steps wait until the variance is known (rectified).
    RAdam,
}

/// How the learning rate falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RateShape {
    /// Half a cosine.
    Cosine,
    /// A straight line.
    Linear,
    /// By the same factor in every step.
    Exponential,
    /// Not at all.
    Constant,
}

const fn one() -> u64 {
    1
}

const fn mixed_blocks() -> usize {
    16
}

const fn batch() -> usize {
    16_384
}

const fn epoch() -> u64 {
    10_000_000
}

const fn validation() -> u64 {
    500_000
}

const fn whole() -> f64 {
    1.0
}

impl Default for LossRecipe {
    fn default() -> Self {
        Self {
            kind: LossKind::Value,
            consistency: 1.0,
            score_scale: 200.0,
            power: 2.5,
            result_start: 0.0,
            result_end: 0.3,
        }
    }
}

impl Default for OptimiserRecipe {
    fn default() -> Self {
        Self {
            method: Optimiser::AdamW,
            rate: 0.001,
            final_share: 0.01,
            shape: RateShape::Cosine,
            warm_up: 0.01,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 0.01,
        }
    }
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    ///
    /// Says which key is wrong.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        let recipe: Self = toml::from_str(text).map_err(|error| RecipeError::Syntax(sentence(text, &error)))?;
        recipe.check()?;
        Ok(recipe)
    }

    /// The recipe as text.
    ///
    /// # Errors
    ///
    /// When a path cannot be written as text.
    pub fn to_text(&self) -> Result<String, RecipeError> {
        toml::to_string(self).map_err(|error| RecipeError::Syntax(error.to_string()))
    }

    /// The same recipe with nothing but the names of its files of samples: what is told of a network should not depend on where things lay.
    #[must_use]
    pub fn without_folders(&self) -> Self {
        let mut recipe = self.clone();
        for path in recipe.data.train.iter_mut().chain(&mut recipe.data.validation) {
            if let Some(name) = path.file_name() {
                *path = PathBuf::from(name);
            }
        }
        recipe
    }

    /// Steps in all.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.training.positions.div_ceil(self.training.batch as u64).max(1)
    }

    /// What the loss of a step is the mean of: positions, or triplets of them.
    #[must_use]
    pub fn things(&self) -> usize {
        match self.loss.kind {
            LossKind::Value => self.training.batch,
            LossKind::Pqr => self.training.batch / 3,
        }
    }

    /// Steps between two looks at the validation samples.
    #[must_use]
    pub fn steps_of_epoch(&self) -> u64 {
        self.training.epoch.div_ceil(self.training.batch as u64).max(1)
    }

    /// Whether all numbers make sense.
    ///
    /// # Errors
    ///
    /// Says which does not.
    pub fn check(&self) -> Result<(), RecipeError> {
        let wrong = |key, what: &str| Err(RecipeError::Value { key, what: what.to_owned() });
        self.network.check()?;
        if self.name.is_empty() || self.name.contains(['/', '\\']) {
            return wrong("name", "a name without slashes is needed");
        }
        if self.data.train.is_empty() {
            return wrong("data.train", "at least one shard is needed");
        }
        if !(1..=1 << 20).contains(&self.training.batch) {
            return wrong("training.batch", "a batch has 1 to 1048576 samples");
        }
        for (key, value) in [("training.positions", self.training.positions), ("training.epoch", self.training.epoch)] {
            if value == 0 {
                return wrong(key, "at least one position is needed");
            }
        }
        for (key, value) in [
            ("loss.result_start", self.loss.result_start),
            ("loss.result_end", self.loss.result_end),
            ("optimiser.final_share", self.optimiser.final_share),
            ("optimiser.warm_up", self.optimiser.warm_up),
            ("training.round_from", self.training.round_from),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return wrong(key, "a share lies between 0 and 1");
            }
        }
        if self.loss.score_scale <= 0.0 || !self.loss.score_scale.is_finite() {
            return wrong("loss.score_scale", "a positive number is needed");
        }
        if !(1.0..=8.0).contains(&self.loss.power) {
            return wrong("loss.power", "a power between 1 and 8 is needed");
        }
        if self.loss.kind == LossKind::Pqr {
            if !self.training.batch.is_multiple_of(3) {
                return wrong("training.batch", "triplets have three positions each, so a multiple of 3 is needed");
            }
            if self.network.views() != 2 {
                return wrong("network", "triplets need a network that sees the board from both sides");
            }
            if !(0.0..1e6).contains(&self.loss.consistency) {
                return wrong("loss.consistency", "a number that is not negative is needed");
            }
        }
        let optimiser = &self.optimiser;
        for (key, value) in [("optimiser.rate", optimiser.rate), ("optimiser.epsilon", optimiser.epsilon)] {
            if value <= 0.0 || !value.is_finite() {
                return wrong(key, "a positive number is needed");
            }
        }
        for (key, value) in [("optimiser.beta1", optimiser.beta1), ("optimiser.beta2", optimiser.beta2)] {
            if !(0.0..1.0).contains(&value) {
                return wrong(key, "a number from 0 to below 1 is needed");
            }
        }
        if !(0.0..1e6).contains(&optimiser.decay) {
            return wrong("optimiser.decay", "a number that is not negative is needed");
        }
        Ok(())
    }
}

/// Where a recipe is wrong, and why, without repeating its lines: descriptions of networks are long.
fn sentence(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().and_then(|span| text.get(..span.start)).map(|before| before.matches('\n').count() + 1);
    let message = error.message().trim_end().replace('\n', " ");
    line.map_or_else(|| message.clone(), |line| format!("line {line}: {message}"))
}

#[cfg(test)]
mod tests;
