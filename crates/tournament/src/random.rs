//! Random numbers that are the same on every machine and in every version of this program.
//!
//! Orders of openings and pairings must be repeatable from a seed years later, so the algorithm is fixed here by name
//! instead of being whatever a library's default is today: xoshiro256++ by Blackman and Vigna (2019), its state filled
//! by SplitMix64. Not for secrets.

/// A seeded stream of random numbers (xoshiro256++).
///
/// ```
/// use kiebitz_tournament::Random;
/// let mut cards = [1, 2, 3, 4, 5];
/// Random::new(7).shuffle(&mut cards);
/// let mut again = [1, 2, 3, 4, 5];
/// Random::new(7).shuffle(&mut again);
/// assert_eq!(cards, again);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

/// One step of SplitMix64.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        let mut filler = seed;
        let state = [split_mix(&mut filler), split_mix(&mut filler), split_mix(&mut filler), split_mix(&mut filler)];
        Self { state }
    }

    /// One of many streams of a seed, each as good as independent of the others: one per game, round or purpose.
    #[must_use]
    pub const fn stream(seed: u64, number: u64) -> Self {
        let mut filler = number;
        Self::new(seed ^ split_mix(&mut filler))
    }

    /// The next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number from 0 up to but not including `limit`, all equally likely; 0 for a limit of 0.
    pub const fn below(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        // Numbers above the largest multiple of the limit are drawn again, or small results would be more frequent.
        let excess = (u64::MAX % limit + 1) % limit;
        loop {
            let bits = self.bits();
            if bits <= u64::MAX - excess {
                return bits % limit;
            }
        }
    }

    /// A number from 0 up to but not including 1, in steps of 2⁻⁵³.
    pub const fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Brings a list into random order, every order equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let chosen = self.below(last as u64 + 1) as usize;
            list.swap(last, chosen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of SplitMix64 for seed 1234567, as widely published.
    #[test]
    fn split_mix_gives_the_published_numbers() {
        let mut state = 1_234_567;
        let numbers: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    /// The numbers of xoshiro256++ from the state 1, 2, 3, 4, as its implementations test it.
    #[test]
    fn xoshiro_gives_the_published_numbers() {
        let mut random = Random { state: [1, 2, 3, 4] };
        let numbers: Vec<u64> = (0..4).map(|_| random.bits()).collect();
        assert_eq!(numbers, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    #[test]
    fn every_number_below_the_limit_is_equally_likely() {
        let mut random = Random::new(1);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn streams_differ() {
        let first = |number| Random::stream(5, number).bits();
        assert_ne!(first(0), first(1));
        assert_ne!(Random::stream(5, 0).bits(), Random::stream(6, 0).bits());
    }
}
