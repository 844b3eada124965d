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
//! | [`game`] | how does one game between two engines go? |
//! | [`runner`] | how does a whole match go, with many games at a time? |
//! | [`spsa`] | which numbers make an engine stronger? |
//! | [`compliance`], [`suite`] | does an engine keep to the protocol, and what does it solve? |
//!
//! **Invariants:** all parts but the last four lines are pure: they read no clock, start no process, and give the same
//! answer to the same question on every machine; only books are read from files. Randomness comes from a seed ([`Random`]).
//! Nothing prints.

mod adjudication;
pub mod compliance;
pub mod game;
mod game_clock;
mod mate_line;
pub mod opening;
pub mod pairing;
pub mod racing;
mod random;
pub mod rating;
pub mod runner;
pub mod sprt;
pub mod spsa;
pub mod statistics;
pub mod suite;
mod time_control;

pub use adjudication::{Adjudication, AdjudicationRules, Adjudicator, DrawRule, ResignRule, ResignSides};
pub use game_clock::{ClockVerdict, GameClock};
pub use random::Random;
pub use time_control::{ClockControl, TimeControl, TimeControlError};
