//! A few pseudo-random numbers.

/// The xorshift* generator (Marsaglia, Vigna): small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Numbers that follow from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // The generator never leaves zero.
        Self(match seed ^ 0x9e37_79b9_7f4a_7c15 {
            0 => 1,
            state => state,
        })
    }

    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// One of `0..count`; 0 if there is none.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.draw()) * count as u128) >> 64) as usize
    }

    /// About normally distributed with spread 1: the sum of twelve even ones.
    pub fn normal(&mut self) -> f64 {
        let unit = |number: u64| (number >> 11) as f64 / (1u64 << 53) as f64;
        (0..12).map(|_| unit(self.draw())).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_repeat() {
        for seed in [0, 1, 0x9e37_79b9_7f4a_7c15] {
            let (mut one, mut other) = (Chance::new(seed), Chance::new(seed));
            let mut seen = [0; 7];
            for _ in 0..7000 {
                let number = one.below(7);
                assert_eq!(number, other.below(7));
                seen[number] += 1;
            }
            assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        }
        assert_eq!(Chance::new(3).below(0), 0);
    }
}
