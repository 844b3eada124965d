//! Razoring.
//!
//! **Idea:** a position so bad that only a tactical stroke could save it needs no full search: quiescence finds the stroke
//! or confirms the verdict. **Condition:** no open window, not in check, up to depth 5. **Formula:** `evaluation < alpha − base −
//! margin·depth²`, then the value of quiescence, if it confirms.
//!
//! **Match:** on against off: -0.3 ± 18.0 Elo (1 000 games at 2 000 nodes a move, UHO openings); with a network at 8 000 nodes
//! -11.5 ± 15.0 (1 000 games), -17.3 ± 15.7 (934) and +4.6 ± 11.7 (1 526 games, SPRT between -8 and 4 at 1.33 of 2.94): together
//! -5.5 ± 8.0. A second SPRT between the same bounds ended with -8 after 2 012 games (+554 =835 -623, -11.9 ± 10.8): it costs a little.
//! It is on because everything else was measured with it; without it the bench is another, and so are all figures at fixed nodes.

use crate::node::Node;
use crate::parameters;
use crate::value::{Value, is_decisive};
use crate::worker::Worker;

/// The value of a hopeless node.
#[inline]
pub(crate) fn try_node(worker: &mut Worker<'_>, node: &Node) -> Option<Value> {
    let margin = parameters::razoring_base() + parameters::razoring_margin() * node.depth * node.depth;
    if !parameters::razoring() || node.depth > 5 || node.estimate >= node.alpha - margin || is_decisive(node.alpha) {
        return None;
    }
    let value = worker.quiescence::<false>(node.ply, node.alpha, node.alpha + 1, 0);
    (value <= node.alpha).then_some(value)
}
