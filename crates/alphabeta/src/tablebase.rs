//! What endgame tablebases say: at the root they choose among moves, inside the tree they end lines.
//!
//! **Idea:** a position with few pieces is known exactly. **Condition:** right after a capture or pawn move, when no
//! castling is left and the position is small enough; at the limit itself only from a certain depth on. **Formula:** a win
//! is worth more than any evaluation and less than any mate; wins that the fifty-move rule spoils are draws with a sign.

#[cfg(not(target_arch = "wasm32"))]
pub use native::EndgameTables;
#[cfg(target_arch = "wasm32")]
pub use none::EndgameTables;

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::sync::Arc;

    use kiebitz_chess::{GameHistory, Move, Position};
    use kiebitz_tablebase::{FiftyMoveRule, TableResult, Tablebase};

    use crate::root_moves::{RootMove, TableVerdict};
    use crate::value::{DRAW, TABLEBASE_WIN, Value};

    /// Tables, and when to ask them.
    #[derive(Clone)]
    pub struct EndgameTables {
        /// The tables.
        pub tables: Arc<dyn Tablebase>,
        /// Positions with the most pieces are asked about from this depth on.
        pub probe_depth: u32,
        /// The most pieces that are asked about.
        pub probe_limit: usize,
        /// Whether wins that take too long are draws.
        pub rule: FiftyMoveRule,
    }

    impl EndgameTables {
        /// The value of a position inside the tree.
        #[inline]
        pub(crate) fn probe(&self, position: &Position, ply: usize, depth: i32) -> Option<Value> {
            let pieces = position.occupied().len();
            let limit = self.probe_limit.min(self.tables.largest());
            if pieces > limit
                || pieces == limit && depth < self.probe_depth as i32
                || position.halfmove_clock() != 0
                || position.castling_rooks().any()
            {
                return None;
            }
            let result = self.tables.wdl(position)?.under(self.rule);
            Some(value(result, ply))
        }

        /// The best of these moves of the root, at least so many if there are as many: those that keep most, then those that keep
        /// most of what is left, each with its worth. Nothing when the tables do not know the root.
        pub(crate) fn rank_root(&self, game: &GameHistory, moves: &[Move], lines: usize) -> Option<Vec<RootMove>> {
            if game.position().occupied().len() > self.probe_limit {
                return None;
            }
            let ranking = self.tables.rank_root(game, self.rule)?.among(|mv| moves.contains(&mv));
            let mut best = Vec::new();
            for (number, group) in ranking.groups().enumerate() {
                if best.len() >= lines {
                    break;
                }
                // Within a group the search decides, and it is told nothing of their order.
                let members = moves.iter().filter(|&&mv| group.iter().any(|root| root.mv == mv));
                let worth = TableVerdict { group: number, value: value(group[0].result, 0) };
                best.extend(members.map(|&mv| RootMove { tables: Some(worth), ..RootMove::new(mv) }));
            }
            (!best.is_empty()).then_some(best)
        }
    }

    fn value(result: TableResult, ply: usize) -> Value {
        let ply = ply as Value;
        match result {
            TableResult::Win => TABLEBASE_WIN - ply,
            TableResult::CursedWin => DRAW + 1,
            TableResult::Draw => DRAW,
            TableResult::BlessedLoss => DRAW - 1,
            TableResult::Loss => ply - TABLEBASE_WIN,
        }
    }
}

/// In a browser there are no tables.
#[cfg(target_arch = "wasm32")]
mod none {
    use kiebitz_chess::{GameHistory, Move, Position};

    use crate::root_moves::RootMove;
    use crate::value::Value;

    /// Tables cannot be read here.
    #[derive(Clone)]
    pub enum EndgameTables {}

    impl EndgameTables {
        pub(crate) fn probe(&self, _: &Position, _: usize, _: i32) -> Option<Value> {
            match *self {}
        }

        pub(crate) fn rank_root(&self, _: &GameHistory, _: &[Move], _: usize) -> Option<Vec<RootMove>> {
            match *self {}
        }
    }
}

use crate::value::Value;
use crate::worker::Worker;

impl Worker<'_> {
    /// The value of a position that tablebases know.
    #[inline]
    pub(crate) fn probe_tablebase(&mut self, ply: usize, depth: i32) -> Option<Value> {
        let tables = self.shared.tables?;
        let value = tables.probe(&self.frame(ply).position, ply, depth)?;
        self.tablebase_hits += 1;
        Some(value)
    }
}
