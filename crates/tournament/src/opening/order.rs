//! Which opening comes when.

use super::{Book, Opening};
use crate::Random;

/// An order of a book's openings: as they stand in the file, or shuffled by a seed.
///
/// The order goes on from the beginning once the book is used up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningOrder {
    /// The openings in the order of their use; empty if that is the order of the file.
    shuffled: Vec<u32>,
    len: usize,
    start: usize,
}

impl OpeningOrder {
    /// An order of `len` openings. `seed` shuffles them, `None` leaves them as they are; `start` passes over so many at
    /// the beginning of the order, for matches that go on where another one has stopped.
    #[must_use]
    pub fn new(len: usize, seed: Option<u64>, start: usize) -> Self {
        let shuffled = seed.map_or_else(Vec::new, |seed| {
            // Books number their openings with 32 bits.
            let mut order: Vec<u32> = (0..u32::try_from(len).unwrap_or(u32::MAX)).collect();
            Random::new(seed).shuffle(&mut order);
            order
        });
        Self { shuffled, len, start }
    }

    /// The opening for the pair with this number; 0 if there are no openings.
    #[must_use]
    pub fn index(&self, number: u64) -> usize {
        if self.len == 0 {
            return 0;
        }
        let len = self.len as u64;
        let place = ((number % len + self.start as u64 % len) % len) as usize;
        self.shuffled.get(place).map_or(place, |&index| index as usize)
    }
}

/// A book together with an order: what a match takes its openings from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningList {
    book: Option<Book>,
    order: OpeningOrder,
}

impl OpeningList {
    /// The openings of a book in some order.
    #[must_use]
    pub fn new(book: Book, seed: Option<u64>, start: usize) -> Self {
        let order = OpeningOrder::new(book.len(), seed, start);
        Self { book: Some(book), order }
    }

    /// Nothing but the standard start position.
    #[must_use]
    pub fn standard() -> Self {
        Self { book: None, order: OpeningOrder::new(1, None, 0) }
    }

    /// The book, if there is one.
    #[must_use]
    pub const fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }

    /// The opening for the pair with this number.
    #[must_use]
    pub fn opening(&self, number: u64) -> Opening {
        let from_book = self.book.as_ref().and_then(|book| book.opening(self.order.index(number)));
        from_book.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_comes_once_a_round() {
        for seed in [None, Some(0), Some(17)] {
            let order = OpeningOrder::new(50, seed, 13);
            for round in 0..3 {
                let mut seen: Vec<usize> = (0..50).map(|number| order.index(round * 50 + number)).collect();
                assert_eq!(seen[0], OpeningOrder::new(50, seed, 0).index(13));
                seen.sort_unstable();
                assert_eq!(seen, (0..50).collect::<Vec<_>>());
            }
        }
        assert_eq!(OpeningOrder::new(0, Some(1), 5).index(7), 0);
        assert_eq!(OpeningOrder::new(3, None, usize::MAX).index(u64::MAX), OpeningOrder::new(3, None, 0).index(0));
    }

    /// Fixed for ever: a seed in somebody's notes must give the same openings next year. The numbers were computed by
    /// another implementation of the same algorithms.
    #[test]
    fn the_order_of_a_seed_never_changes() {
        let order = OpeningOrder::new(10, Some(2024), 0);
        assert_eq!((0..10).map(|number| order.index(number)).collect::<Vec<_>>(), [7, 1, 4, 9, 5, 0, 6, 8, 2, 3]);
    }

    #[test]
    fn without_a_book_everybody_starts_from_the_start() {
        assert_eq!(OpeningList::standard().opening(99), Opening::default());
    }
}
