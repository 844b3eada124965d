//! How far a search may go.

use std::time::Duration;

use kiebitz_chess::Move;

/// What was asked for. Everything may be left out; what is given holds together: the first limit that is reached
/// ends the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// Search so many plies.
    pub depth: Option<u32>,
    /// Visit so many nodes and not one more.
    pub nodes: Option<u64>,
    /// Begin no new iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Think for so long.
    pub move_time: Option<Duration>,
    /// Think as the clock of the game allows.
    pub game_time: Option<GameTime>,
    /// Go on until told to stop, even when everything is known.
    pub infinite: bool,
    /// Consider only these moves; all, if empty.
    pub moves: Vec<Move>,
    /// How many of the best moves are wanted, each with its line; at least one is given.
    pub lines: usize,
    /// When the question came, by the searcher's clock: time counts from then on. If nothing is said, from the search's beginning.
    pub asked: Option<Duration>,
}

impl SearchLimits {
    /// A search to a depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of exactly so many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// The mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    /// What is left.
    pub left: Duration,
    /// What a move adds.
    pub increment: Duration,
    /// Moves until more time is added; `None` when the time is for all the game.
    pub moves_to_go: Option<u32>,
}
