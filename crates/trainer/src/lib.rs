//! Training: from samples to a network file.
//!
//! A [`Recipe`] says everything that decides the result: the network, the data, the loss, the optimiser, the seed. A [`Run`]
//! follows it on a device of `kiebitz-compute`, writes a log and checkpoints, and ends with a network file that has its
//! certificate. Whoever shows a run to people reads its [`Event`]s, live or from the log.
//!
//! ```text
//! Recipe ──▶ Run: Feed ──▶ Samples ──▶ Model (forward, backward, step) ──▶ Checkpoint ──▶ export ──▶ NetworkFile
//!                                         └▶ Event ──▶ log.jsonl, dashboard, report
//! ```
//!
//! **Invariants:** recipe and data decide the network file bit for bit on one kind of device, whatever the number of threads
//! and however often the run was killed and resumed. Files appear under their names complete.

mod chance;
mod checkpoint;
mod data_record;
mod error;
mod export;
mod feed;
mod initial;
mod model;
mod parameter;
mod played_loss;
mod recipe;
mod run;
mod run_log;
mod schedule;
mod source;
mod start;
mod targets;
mod triplet_reader;
mod whole_file;

pub use checkpoint::Checkpoint;
pub use data_record::{DataFile, DataRecord};
pub use error::TrainError;
pub use export::{SAMPLE_POSITIONS, export};
pub use feed::Feed;
pub use initial::initial_weights;
pub use model::{LossPlace, Model, Objective};
pub use played_loss::{PlayedLoss, played_loss};
pub use recipe::{
    DataRecipe, LossKind, LossRecipe, Optimiser, OptimiserRecipe, RateShape, Recipe, RecipeError, TrainingRecipe,
};
pub use run::{Run, RunFiles};
pub use run_log::{Event, RunLog};
pub use schedule::Schedule;
pub use source::data_files;
pub use start::fingerprint_of_start;
pub use targets::samples_of;
