//! What a node takes from the transposition table and leaves in it.

use kiebitz_chess::Move;

use crate::transposition_table::{Bound, TableEntry};
use crate::value::{Value, to_table};
use crate::worker::Worker;

impl Worker<'_> {
    /// The table's move, if it is legal here: two positions may share a key.
    #[inline]
    pub(crate) fn hash_move(&self, ply: usize, entry: Option<&TableEntry>) -> Move {
        if ply == 0 {
            return self.root_moves.leader().map_or(Move::NULL, |root| root.mv);
        }
        let frame = self.frame(ply);
        match entry {
            Some(entry) if entry.best != Move::NULL && frame.position.is_legal_with(entry.best, &frame.legality) => {
                entry.best
            }
            _ => Move::NULL,
        }
    }

    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one argument for each field of an entry")]
    pub(crate) fn store(
        &self,
        ply: usize,
        depth: i32,
        value: Value,
        bound: Bound,
        evaluation: Value,
        best: Move,
        on_principal_line: bool,
    ) {
        let entry =
            TableEntry { best, value: to_table(value, ply), evaluation, depth: depth.max(0), bound, on_principal_line };
        self.shared.table.store(self.frame(ply).key, entry);
    }
}
