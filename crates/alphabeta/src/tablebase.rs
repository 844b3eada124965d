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

        /// The moves of the root that keep what the position is worth, and that worth.
        pub(crate) fn rank_root(&self, game: &GameHistory) -> Option<(Vec<Move>, Value)> {
            if game.position().occupied().len() > self.probe_limit {
                return None;
            }
            let ranking = self.tables.rank_root(game, self.rule)?;
            let best = ranking.best()?;
            Some((ranking.keeping_the_result().iter().map(|root| root.mv).collect(), value(best.result, 0)))
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

    use crate::value::Value;

    /// Tables cannot be read here.
    #[derive(Clone)]
    pub enum EndgameTables {}

    impl EndgameTables {
        pub(crate) fn probe(&self, _: &Position, _: usize, _: i32) -> Option<Value> {
            match *self {}
        }

        pub(crate) fn rank_root(&self, _: &GameHistory) -> Option<(Vec<Move>, Value)> {
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
