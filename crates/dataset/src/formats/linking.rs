//! Linking single positions that follow each other in a file.

use std::collections::VecDeque;

use kiebitz_chess::{Outcome, Position};

use crate::chain_code::MAX_LINKS;
use crate::{Chain, ChainHead, Link};

/// Collects positions into chains: a position that the last one's move leads to, counters and result included,
/// continues its chain.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    current: Chain,
    /// Where the current chain has led.
    expected: Option<Position>,
    complete: VecDeque<Chain>,
}

impl Linker {
    /// Takes the next position of a file.
    pub(crate) fn add(&mut self, position: Position, result: Option<Outcome>, link: Link) {
        let continues = self.expected.as_ref() == Some(&position)
            && self.current.head.result == result
            && self.current.links.len() < MAX_LINKS;
        if !continues {
            self.end();
            self.current.head = ChainHead { start: position.clone(), result, ratings: [None; 2] };
        }
        self.expected = link.mv.map(|mv| position.after(mv));
        self.current.links.push(link);
    }

    /// Nothing follows.
    pub(crate) fn end(&mut self) {
        if !self.current.links.is_empty() {
            self.complete.push_back(std::mem::take(&mut self.current));
        }
        self.expected = None;
    }

    /// The next complete chain.
    pub(crate) fn take(&mut self) -> Option<Chain> {
        self.complete.pop_front()
    }
}
