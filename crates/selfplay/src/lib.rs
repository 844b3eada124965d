//! Games of the engine against itself, and walks away from games, as samples for training.
//!
//! Sits on `alphabeta`, `inference` and `dataset`; openings and adjudication come from `tournament`.
//!
//! ```text
//! rules, seed ──▶ game 0, 1, 2 … (any thread, any order) ──▶ shards of fixed ranges of games ──▶ manifest
//! ```
//!
//! [`GamePlayer`] plays the game with a number; [`SelfPlay`] has many threads play a range of numbers and writes the shards
//! of a folder. What is finished is what lies in the folder: a run that was killed goes on with the shards that are missing.
//!
//! [`Walker`] takes random walks away from games, [`Wandering`] those of whole files; a network scores them at a glance.
//!
//! **Invariants:** a game is a function of the rules, the player and its number; threads, timing, interruptions and machines
//! never show in a shard's bytes. A shard appears under its name complete. A folder has one set of rules.

mod error;
mod game;
mod production;
mod rules;
#[cfg(test)]
mod test_network;
mod walk;
mod wandering;

pub use error::SelfPlayError;
pub use game::GamePlayer;
pub use kiebitz_alphabeta::Evaluation;
pub use production::{MANIFEST, PlayerRecord, Produced, Progress, SelfPlay};
pub use rules::Rules;
pub use walk::{WalkRules, Walker};
pub use wandering::{Wandering, WanderingProgress};
