//! What a search tells of itself; UCI lines and web pages are drawn from it.

use std::time::Duration;

use kiebitz_chess::{Move, Score};

/// On which side of a score the truth lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// This is the score.
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// One of the best lines as far as it is known now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport {
    /// The depth that was searched, in plies.
    pub depth: u32,
    /// The deepest line that was looked at, in plies.
    pub selective_depth: u32,
    /// Which of the best lines this is, from 1.
    pub line: usize,
    /// What it is worth to the side to move.
    pub score: Score,
    /// How exact that is.
    pub bound: ScoreBound,
    /// Nodes visited by all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub hash_full_permille: u32,
    /// Positions found in endgame tablebases.
    pub tablebase_hits: u64,
    /// The line, from the position that was searched.
    pub moves: Vec<Move>,
}

impl SearchReport {
    /// Nodes per second; all of them if no time has passed.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.elapsed.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// What a search ended with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` if there is none.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The last finished depth.
    pub depth: u32,
    /// Nodes visited by all threads.
    pub nodes: u64,
}
