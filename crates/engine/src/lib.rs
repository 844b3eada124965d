//! A player as one value: searcher, evaluation, options and strength.
//!
//! UCI, the page, the browser build and self-play are all clients of [`Engine`]; none of them knows what is inside.
//!
//! **Invariants:** every value is checked against the one list of options before it is used; a search with one thread
//! repeats exactly after [`Engine::new_game`].

mod built_in;
mod chance;
mod engine;
mod network_explanation;
mod options;
mod strength;
mod syzygy;

pub use built_in::BuiltIn;
pub use chance::Chance;
pub use engine::{Engine, Presentation};
#[cfg(feature = "tune")]
pub use kiebitz_alphabeta::tunables;
pub use kiebitz_inference::InstructionSet;
pub use options::{EngineOption, OptionKind, SetOptionError};
pub use strength::ELO_RANGE;
