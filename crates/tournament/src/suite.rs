//! Test suites: positions with known best moves, moves to avoid, or known mates, put to an engine.
//!
//! [`read`] turns EPD text into [`Task`]s, as a person would read it; [`solve`] has engines work on them; [`Totals`]
//! sums up.
//!
//! **Invariants:** no text makes the reading fail, what cannot be used is listed with its place; every task gets exactly
//! one [`Trial`], also if the engine dies over it.

mod solver;
mod task;
mod trial;

pub use solver::{Effort, Workers, solve};
pub use task::{Task, Tasks, Unusable, read};
pub use trial::{LineFault, MateClaim, Totals, Trial};
