//! A limit of nodes that several threads share.
//!
//! **Idea:** threads draw small blocks from what is left, as fast as each of them is, so that together they visit exactly as
//! many nodes as are allowed; a single thread draws everything at once and pays nothing. What a thread has drawn it visits,
//! or hands back when its search ends by itself. **Invariant:** never are more nodes handed out than the limit.

use std::sync::atomic::{AtomicU64, Ordering};

/// Small enough that the last blocks are gone at once, large enough that drawing them costs nothing.
const BLOCK: u64 = 64;

/// What is left of the limit.
#[derive(Debug)]
pub(crate) struct NodeBudget {
    left: AtomicU64,
    block: u64,
}

impl NodeBudget {
    /// A budget for so many threads; without a limit it lasts for ever. At least one node is allowed.
    pub(crate) fn new(limit: Option<u64>, threads: usize) -> Self {
        let left = limit.map_or(u64::MAX, |nodes| nodes.max(1));
        let block = if threads == 1 || limit.is_none() { u64::MAX } else { BLOCK };
        Self { left: AtomicU64::new(left), block }
    }

    /// How many nodes a thread may visit beyond those it has drawn before: 0 if nothing is left.
    pub(crate) fn draw(&self) -> u64 {
        if self.block == u64::MAX {
            // Without a limit every thread may visit everything; a single thread draws all of its limit, once.
            let left = self.left.load(Ordering::Relaxed);
            return if left == u64::MAX { left } else { self.left.swap(0, Ordering::Relaxed) };
        }
        let taken = |left: u64| (left > 0).then(|| left.saturating_sub(self.block));
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).map_or(0, |left| left.min(self.block))
    }

    /// Takes back what a thread has drawn and will not use.
    pub(crate) fn give_back(&self, nodes: u64) {
        if self.block != u64::MAX {
            self.left.fetch_add(nodes, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_is_handed_out() {
        for (limit, threads) in [(1, 1), (0, 1), (5000, 1), (1, 4), (100, 4), (5000, 2), (64, 3)] {
            let budget = NodeBudget::new(Some(limit), threads);
            let draw_all = || std::iter::repeat_with(|| budget.draw()).take_while(|&nodes| nodes > 0).sum::<u64>();
            let sum: u64 = std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(draw_all)).collect();
                draw_all() + others.into_iter().map(|thread| thread.join().expect("a sum")).sum::<u64>()
            });
            assert_eq!(sum, limit.max(1), "{limit} nodes, {threads} threads");
        }
    }

    #[test]
    fn what_is_handed_back_can_be_drawn_again() {
        let budget = NodeBudget::new(Some(64), 2);
        assert_eq!(budget.draw(), 64);
        budget.give_back(10);
        assert_eq!((budget.draw(), budget.draw()), (10, 0));
    }

    #[test]
    fn without_a_limit_everybody_has_everything() {
        let budget = NodeBudget::new(None, 3);
        assert_eq!((budget.draw(), budget.draw()), (u64::MAX, u64::MAX));
    }
}
