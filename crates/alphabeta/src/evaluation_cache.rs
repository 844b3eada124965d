//! Evaluations of positions that this thread has met before.
//!
//! The transposition table keeps evaluations too, but only of nodes that were worth an entry, and until a better one takes the place.
//! One evaluation in seven is of a position that was evaluated shortly before.
//!
//! ```text
//! entry, one word:  key, its lower 48 bits | evaluation 16
//! ```
//! The place says the other 16 bits of the key. *Invariant:* it never changes a value, only how soon it is there.

use kiebitz_chess::Key;
use kiebitz_kernels::prefetch;

use crate::value::{EVALUATION_LIMIT, Value};

/// Bits of an entry that hold the evaluation; the key's lower bits have the rest.
const VALUE_BITS: u32 = i16::BITS;
/// The upper bits of the key are the place; those that an entry has no room for must be among them.
const PLACE_BITS: u32 = 16;
const ENTRIES: usize = 1 << PLACE_BITS;
const _: () = assert!(EVALUATION_LIMIT <= i16::MAX as Value && PLACE_BITS >= VALUE_BITS);

/// The cache of one thread.
#[derive(Debug)]
pub(crate) struct EvaluationCache {
    entries: Box<[u64; ENTRIES]>,
}

impl Default for EvaluationCache {
    fn default() -> Self {
        let entries = vec![0; ENTRIES].into_boxed_slice().try_into();
        Self { entries: entries.unwrap_or_else(|_| unreachable!("as long as it was made")) }
    }
}

impl EvaluationCache {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline]
    fn place(key: Key) -> usize {
        (key.0 >> (u64::BITS - PLACE_BITS)) as usize
    }

    /// Starts to bring a position's entry near.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(&self.entries[Self::place(key)]);
    }

    /// The evaluation that was kept, if it is still there.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Value> {
        let entry = self.entries[Self::place(key)];
        // No entry is a zero word, so that one position in 2^48 is evaluated every time.
        (entry != 0 && entry >> VALUE_BITS == key.0 << VALUE_BITS >> VALUE_BITS).then_some(Value::from(entry as i16))
    }

    /// Keeps an evaluation.
    #[inline]
    pub(crate) fn keep(&mut self, key: Key, evaluation: Value) {
        self.entries[Self::place(key)] = key.0 << VALUE_BITS | u64::from(evaluation as i16 as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_found_and_nothing_else(
            keys in proptest::collection::vec(1_u64.., 1..50),
            evaluation in -EVALUATION_LIMIT..=EVALUATION_LIMIT,
        ) {
            let mut cache = EvaluationCache::default();
            for key in keys {
                prop_assert_eq!(cache.get(Key(key)), None);
                cache.keep(Key(key), evaluation);
                prop_assert_eq!(cache.get(Key(key)), Some(evaluation));
                // Every single bit of the key counts.
                for bit in 0..u64::BITS {
                    prop_assert_eq!(cache.get(Key(key ^ 1 << bit)), None);
                }
                cache.clear();
            }
        }
    }
}
