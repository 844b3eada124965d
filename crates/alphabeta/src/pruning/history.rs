//! History pruning.
//!
//! **Idea:** a quiet move that was bad wherever it was tried is bad here. **Condition:** shallow after reduction.
//! **Formula:** history and continuations together below `−margin·depth`.

use crate::node::Node;
use crate::parameters;

const DEEPEST: i32 = 5;

/// Whether a quiet move has too bad a record.
#[inline]
pub(crate) fn skips(node: &Node, reduced_depth: i32, record: i32) -> bool {
    parameters::history_pruning()
        && reduced_depth <= DEEPEST
        && record < -parameters::history_pruning_margin() * node.depth
}
