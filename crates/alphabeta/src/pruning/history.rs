//! History pruning.
//!
//! **Idea:** a quiet move that was bad wherever it was tried is bad here. **Condition:** not in check, shallow after reduction.
//! **Formula:** history and continuations together below `−margin·depth`.
//!
//! **Match:** on against off: -1.0 ± 17.3 Elo (1 000 games at 2 000 nodes a move, UHO openings); with a margin of 3 800 it lost
//! 23.0 ± 17.2, hence a larger one. With a network: +3.1 ± 15.1 (1 000 games at 8 000 nodes).

use crate::node::Node;
use crate::parameters;

const DEEPEST: i32 = 5;

/// Whether a quiet move has too bad a record.
#[inline]
pub(crate) fn skips(node: &Node, reduced_depth: i32, record: i32) -> bool {
    parameters::history_pruning()
        && !node.is_check
        && reduced_depth <= DEEPEST
        && record < -parameters::history_pruning_margin() * node.depth
}
