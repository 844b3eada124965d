//! Moves that are searched more deeply, and the proof that a node has several good moves.
//!
//! **Singular extension.** *Idea:* if every move but the hash move fails clearly, the hash move is the only one, and a
//! mistake in judging it would cost the game: look deeper. *Condition:* depth ≥ 6, the hash value is a lower bound of
//! nearly this depth. *Formula:* the others are searched at half depth against `hash value − margin·depth / 64`; below that
//! one ply, far below two or three. **Multi-cut.** *Idea:* if another move beats beta as well even without the hash move,
//! the node will fail high. **Negative extension.** If the hash move is neither singular nor proof of a cutoff, others
//! deserve the depth. **Check extension.** A check that loses no material forces the reply and is searched a ply deeper
//! near the horizon.
//!
//! **Match:** singular extensions with multi-cut on against off: +10.8 ± 17.2 Elo (1 000 games at 8 000 nodes a move, UHO
//! openings); multi-cut alone: -12.9 ± 17.3 Elo (1 000 games at 4 000 nodes), with a network at 8 000 nodes -6.9 ± 15.5 (1 000 games)
//! and -0.9 ± 11.8 (1 620); check extensions: +3.8 ± 17.8 Elo (1 000 games at 2 000 nodes).

use kiebitz_chess::Move;

use crate::node::Node;
use crate::parameters;
use crate::transposition_table::TableEntry;
use crate::value::{Value, is_decisive};
use crate::worker::Worker;

/// What becomes of a move before it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extension {
    /// So many plies more; fewer if negative.
    Plies(i32),
    /// The node fails high with this value.
    Cutoff(Value),
}

/// Second and third plies of extension that one path may collect.
const MOST_DOUBLE_EXTENSIONS: u32 = 12;

impl Extension {
    /// Whether a move that has just been played, with check, is searched a ply deeper.
    #[inline]
    pub(crate) fn of_check(worker: &Worker<'_>, node: &Node, mv: Move) -> bool {
        parameters::check_extensions()
            && node.depth <= 8
            && node.ply < 2 * worker.root_depth as usize
            && worker.frame(node.ply).position.exchange_reaches(mv, 0)
    }
}

impl Worker<'_> {
    /// Whether the hash move is the only good one.
    pub(crate) fn judge_hash_move(&mut self, node: &Node, entry: &TableEntry, hash_value: Value) -> Extension {
        let Node { ply, depth, beta, .. } = *node;
        if !parameters::singular_extensions()
            || depth < 6 + i32::from(node.on_principal_line)
            || entry.depth < depth - 3
            || !entry.bound.is_lower()
            || is_decisive(hash_value)
            || ply >= 2 * self.root_depth as usize
        {
            return Extension::Plies(0);
        }
        let limit = hash_value - parameters::singular_margin() * depth / 64;
        self.frame_mut(ply).excluded = node.hash_move;
        let value = self.search::<false>(ply, limit - 1, limit, (depth - 1) / 2, node.is_cut);
        self.frame_mut(ply).excluded = Move::NULL;
        if value < limit {
            let may_double = !node.is_open && self.frame(ply).double_extensions < MOST_DOUBLE_EXTENSIONS;
            let double = may_double && value < limit - parameters::double_extension_margin();
            let triple = double && node.hash_move.is_quiet() && value < limit - parameters::triple_extension_margin();
            Extension::Plies(1 + i32::from(double) + i32::from(triple))
        } else if value >= beta && !is_decisive(value) && !node.is_open && parameters::multi_cut() {
            Extension::Cutoff(value)
        } else if hash_value >= beta {
            Extension::Plies(-2 + i32::from(node.is_open))
        } else if node.is_cut {
            Extension::Plies(-2)
        } else {
            Extension::Plies(0)
        }
    }
}
