//! Training runs.

use serde::{Deserialize, Serialize};

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Its log grew lately.
    Running,
    /// Its log has not grown for a while, and it has not ended.
    Stopped,
    /// Its network was written.
    Finished,
}

/// A run in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RunSummary {
    /// Its name in addresses: the path of its folder inside the folder of runs.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How far it is.
    pub state: RunState,
    /// Steps done.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub step: u64,
    /// Steps in all.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub steps: u64,
    /// The last training loss.
    pub loss: Option<f64>,
    /// The last validation loss.
    pub validation_loss: Option<f64>,
    /// Positions a second, lately.
    pub speed: Option<f64>,
    /// When its log was changed last, in milliseconds since 1970.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub changed_ms: u64,
}

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LossPoint {
    /// Steps done.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub step: u64,
    /// Positions seen.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub positions: u64,
    /// Mean loss.
    pub loss: f64,
    /// The learning rate; nothing for validation points.
    pub rate: Option<f64>,
}

/// A run with its curves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RunDetail {
    /// What the list says.
    pub summary: RunSummary,
    /// The network's description.
    pub network: String,
    /// The device in words.
    pub device: String,
    /// Weights and biases.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub parameters: u64,
    /// Positions of a step.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub batch: u64,
    /// The recipe as it is written.
    pub recipe: String,
    /// Training losses; at most a thousand points, evenly chosen.
    pub training: Vec<LossPoint>,
    /// Validation losses.
    pub validation: Vec<LossPoint>,
    /// The file of the finished network.
    pub result: Option<String>,
}
