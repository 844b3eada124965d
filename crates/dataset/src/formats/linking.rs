//! Linking single positions that follow each other in a file.

use std::collections::VecDeque;

use kiebitz_chess::Position;

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
    /// Takes the next position of a file: the start of a chain, unless it continues the last one.
    pub(crate) fn add(&mut self, head: ChainHead, link: Link) {
        let continues = self.expected.as_ref() == Some(&head.start)
            && self.current.head.result == head.result
            && self.current.head.ratings == head.ratings
            && self.current.links.len() < MAX_LINKS;
        self.expected = link.mv.map(|mv| head.start.after(mv));
        if !continues {
            let expected = self.expected.take();
            self.end();
            self.expected = expected;
            self.current.head = head;
        }
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
