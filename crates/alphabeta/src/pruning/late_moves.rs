//! Late move pruning.
//!
//! **Idea:** near the horizon, when enough moves were tried in good order, the remaining quiet ones will not help either.
//! **Condition:** not in check; something was found that does not lose by force. **Formula:** more than `(base + depth²) / (2 −
//! improving)` moves.

use crate::node::Node;
use crate::parameters;

/// Whether the quiet moves that are left need not be tried.
#[inline]
pub(crate) fn skips_the_rest(node: &Node, count: usize) -> bool {
    let enough = (parameters::late_move_base() + node.depth * node.depth) / if node.improving { 1 } else { 2 };
    parameters::late_move_pruning() && !node.is_check && count as i32 >= enough
}
