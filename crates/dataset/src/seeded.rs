//! Chance that is a function of a seed and of what it is about, so that order and threads do not matter.

use kiebitz_chess::Move;

use crate::{Chain, Link};

/// A sequence of numbers from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct SeededNumbers(u64);

impl SeededNumbers {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below a limit; 0 if that is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        // The upper half of a product spreads evenly enough for any limit that occurs.
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// Brings a list into a random order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Every bit of the result depends on every bit of the value.
pub(crate) const fn mixed(mut value: u64) -> u64 {
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// Plies by which a game is recognised: two games that agree so far are one game for us.
const RECOGNISED_BY: usize = 40;

/// A number that equal games share: start position and the first moves decide it.
pub(crate) fn game_number(chain: &Chain) -> u64 {
    let bits = |link: &Link| link.mv.map_or(0, Move::to_bits);
    let start = mixed(chain.head.start.key().0);
    chain.links.iter().take(RECOGNISED_BY).fold(start, |number, link| mixed(number ^ u64::from(bits(link))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_is_fair_enough_and_repeatable() {
        let mut places = [[0_u32; 5]; 5];
        for seed in 0..20_000 {
            let mut list = [0, 1, 2, 3, 4];
            SeededNumbers::new(seed).shuffle(&mut list);
            for (place, value) in list.into_iter().enumerate() {
                places[place][value] += 1;
            }
            let mut again = [0, 1, 2, 3, 4];
            SeededNumbers::new(seed).shuffle(&mut again);
            assert_eq!(list, again);
        }
        // 4000 expected, a standard deviation of 57.
        assert!(places.iter().flatten().all(|&count| (3_700..4_300).contains(&count)), "{places:?}");
    }
}
