//! The hand-crafted evaluation: what a position is worth, term by term, with numbers that a tuner found.
//!
//! Two evaluations live here. [`Evaluator`] is the full one, with material, squares, mobility, pawns, kings, threats,
//! space and endings; it is what a trained network has to beat. [`material_and_tables`] is the smallest one that plays
//! chess, a baseline for first networks. [`explain`] shows the full one as a table.
//!
//! ```
//! use kiebitz_chess::Position;
//! use kiebitz_handcrafted::{Evaluator, explain};
//!
//! let position = Position::default();
//! let value = Evaluator::new().evaluate(&position);
//! assert_eq!(explain(&position).value(), value);
//! ```
//!
//! **How it is built.** The evaluation is one piece of code, generic over a ledger that may listen to every use of a
//! weight; the searcher's ledger is empty and compiles to nothing, that of [`explain`] and of the tuner keeps counts.
//! All weights are in `parameters.rs`, which the tuner writes; `term.rs` says what they mean. Kings apart, the value is
//! linear in the weights, so the tuner needs each position's counts once and never evaluates again.
//!
//! **Invariants:** no position makes this crate panic; values are bounded by [`VALUE_LIMIT`], deterministic, and equal
//! for the mover under swapped colors and under mirrored files; the explanation adds up to the value; nothing remembered
//! changes a value.

mod baseline;
mod ending;
mod evaluation;
mod evaluator;
mod explanation;
mod geometry;
mod king;
mod ledger;
mod material;
mod parameters;
mod passed;
mod pawns;
mod pieces;
mod survey;
mod tapered;
mod term;
mod threats;
#[cfg(feature = "tuner")]
pub mod tuner;

pub use baseline::material_and_tables;
pub use evaluation::VALUE_LIMIT;
pub use evaluator::Evaluator;
pub use explanation::{Explanation, GroupValue, SideValue, TermValue, Unit, explain};
pub use term::Group;
