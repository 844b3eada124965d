//! Chance from a seed, the same on every machine.

/// Random numbers (SplitMix64).
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    /// Evenly spread over ± a size.
    pub(crate) fn spread(&mut self, size: f32) -> f32 {
        let share = (self.next() >> 40) as f32 / (1_u32 << 24) as f32;
        (2.0 * share - 1.0) * size
    }
}
