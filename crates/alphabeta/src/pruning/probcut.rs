//! Probcut.
//!
//! **Idea:** if a good capture beats beta by a margin in a shallow search, a deep search will most likely beat beta too
//! (Buro). **Condition:** depth ≥ 4, no open window, not in check, nothing in the table speaks against it. **Formula:** a
//! capture that wins enough material is tried by quiescence, then at depth − 4, against `beta + margin`.
//!
//! **Match:** on against off: +1.4 ± 16.5 Elo (1 000 games at 4 000 nodes a move, UHO openings).

use kiebitz_chess::Move;

use crate::move_picker::MovePicker;
use crate::node::{Node, is_noisy};
use crate::parameters;
use crate::transposition_table::{Bound, TableEntry};
use crate::value::{NONE, Value, is_decisive};
use crate::worker::Worker;

/// How much shallower the test is.
const REDUCTION: i32 = 4;

/// The value of a node with a capture that will beat beta.
#[inline]
pub(crate) fn try_node(
    worker: &mut Worker<'_>,
    node: &Node,
    entry: Option<&TableEntry>,
    hash_value: Value,
    raw: Value,
) -> Option<Value> {
    let Node { ply, depth, beta, .. } = *node;
    if !parameters::probcut() || worker.stopped || depth < REDUCTION || is_decisive(beta) {
        return None;
    }
    let raised = beta + parameters::probcut_margin() - if node.improving { parameters::probcut_improving() } else { 0 };
    if entry.is_some_and(|entry| entry.depth >= depth - 3 && hash_value < raised && hash_value != NONE) {
        return None;
    }
    let hash_move = if is_noisy(node.hash_move) { node.hash_move } else { Move::NULL };
    let threats = worker.threats(ply);
    // Only captures that could lift the evaluation over the bar are of interest.
    let mut picker = MovePicker::noisy(worker, hash_move, raised - node.evaluation, threats);
    let mut found = None;
    while let Some(mv) = picker.next(worker, ply) {
        worker.play(ply, mv);
        let mut value = -worker.quiescence::<false>(ply + 1, -raised, -raised + 1, 0);
        if value >= raised && depth > REDUCTION {
            value = -worker.search::<false>(ply + 1, -raised, -raised + 1, depth - REDUCTION, !node.is_cut);
        }
        worker.take_back();
        if worker.stopped {
            break;
        }
        if value >= raised {
            worker.store(ply, depth - REDUCTION + 1, value, Bound::Lower, raw, mv, node.on_principal_line);
            found = Some(if is_decisive(value) { value } else { value - (raised - beta) });
            break;
        }
    }
    picker.finish(worker);
    found
}
