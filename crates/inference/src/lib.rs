//! Fast evaluation for play.
//!
//! [`Network`] packs a network file for the instructions of the CPU at hand and is shared by all threads;
//! an [`Evaluator`] belongs to one thread and follows its search: moves are recorded as they are played, sums are formed
//! when a value is asked for, kings that change their context are refreshed from a cache. Two views for people show what
//! every piece is worth: [`removal_effects`], which do not sum up, and the [`additive_split`], which does.
//!
//! ```text
//! NetworkFile ──pack──▶ Network ──▶ Evaluator: AccumulatorStack ──▶ bytes ──▶ layers ──▶ value
//!                                              └▶ RefreshCache
//! ```
//!
//! **Invariants:** values equal those of the integer reference in `kiebitz-network`, bit for bit, on every instruction set and
//! after every sequence of moves. Any description that can be read can be played.

mod accumulator_stack;
mod additive_split;
mod evaluator;
mod feature_evaluator;
mod network;
mod packed_layer;
mod refresh_cache;
mod removal_effects;
mod smooth_layers;
mod sums;

pub use additive_split::{AdditiveSplit, FeatureShare, NeuronShare, PieceShare, additive_split};
pub use evaluator::Evaluator;
pub use feature_evaluator::{FeatureEvaluator, Features};
pub use kiebitz_features::BoardDelta;
pub use kiebitz_kernels::InstructionSet;
pub use network::{Network, NetworkError};
pub use removal_effects::{RemovalEffect, removal_effects};
