//! The answer to a search.

use std::time::{Duration, Instant};

use kiebitz_chess::Move;

use crate::message::Info;

/// A checked answer: what it says is legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move; none only where there is no legal move.
    pub best: Option<Move>,
    /// The answer the engine would like to ponder on, if it named a legal one.
    pub ponder: Option<Move>,
    /// From the engine's `readyok` before it searched, or from `ponderhit`, to the arrival of the answer: what the clock
    /// should show.
    pub elapsed: Duration,
    /// When the answer arrived.
    pub arrived: Instant,
    /// The last report on the first choice with a score; none if the engine never gave one.
    pub info: Option<Info>,
    /// How many reports there were.
    pub infos: u64,
}
