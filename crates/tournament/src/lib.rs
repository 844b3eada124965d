//! Matches between engines: what is played next, what the results mean, when enough has been played.
//!
//! | module | question |
//! |---|---|
//! | [`pairing`] | who plays whom, with which color and which opening? |
//! | [`opening`] | where does a game begin? |
//! | [`TimeControl`], [`GameClock`] | how long may a player think, and is the flag down? |
//! | [`Adjudicator`] | have the players decided the game between them? |
//! | [`statistics`] | what do the results say, and how surely? |
//! | [`sprt`] | is that enough to decide, and how long will it take? |
//! | [`rating`] | how strong is everybody? |
//! | [`racing`] | which of several candidates is best, with few games? |
//!
//! **Invariants:** these parts are pure: they read no clock, start no process, print nothing, and give the same answer to
//! the same question on every machine; randomness comes from a seed ([`Random`]). Only books are read from files.

mod adjudication;
pub mod compliance;
mod game_clock;
mod mate_line;
pub mod opening;
pub mod pairing;
pub mod racing;
mod random;
pub mod rating;
pub mod sprt;
pub mod statistics;
pub mod suite;
mod time_control;

pub use adjudication::{Adjudication, AdjudicationRules, Adjudicator, DrawRule, ResignRule, ResignSides};
pub use game_clock::{ClockVerdict, GameClock};
pub use random::Random;
pub use time_control::{ClockControl, TimeControl, TimeControlError};
