//! The n-th square of a set, the way that suits the CPU.
//!
//! Decoding asks twice a move, and a loop over the set would be mispredicted nearly every time.

use kiebitz_chess::{Bitboard, Square};
#[cfg(target_arch = "x86_64")]
use kiebitz_kernels::Bmi2;

/// A way to find the n-th square.
pub(crate) trait Pick: Copy {
    /// The square of a set with `number` others before it; `None` when the set is smaller.
    fn nth(self, set: Bitboard, number: u32) -> Option<Square>;
}

/// Deposits one bit at the right place: a single instruction.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByDeposit(pub(crate) Bmi2);

#[cfg(target_arch = "x86_64")]
impl Pick for ByDeposit {
    #[inline(always)]
    fn nth(self, set: Bitboard, number: u32) -> Option<Square> {
        Bitboard(self.0.pdep(1_u64.checked_shl(number)?, set.0)).first()
    }
}

/// Halves the board three times without branches and looks the rest up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHalving;

impl Pick for ByHalving {
    #[inline(always)]
    fn nth(self, set: Bitboard, number: u32) -> Option<Square> {
        let (mut rest, mut number, mut square) = (set.0, number, 0);
        for width in [32, 16, 8] {
            let below = (rest & ((1 << width) - 1)).count_ones();
            let above = u32::from(number >= below);
            number -= below * above;
            rest >>= width * above;
            square += width * above;
        }
        let bit = NTH_BIT[(rest & 255) as usize].get(number as usize)?;
        Square::ALL.get((square + u32::from(*bit)) as usize).copied()
    }
}

/// For every byte the number of its first set bit, its second, and so on; far outside where there is none.
static NTH_BIT: [[u8; 8]; 256] = {
    let mut table = [[255; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][found] = bit;
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_agree_with_walking() {
        let mut set = 1_u64;
        for _ in 0..2_000 {
            set = set.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let sparse = Bitboard(set & set.rotate_left(23));
            for number in 0..64 {
                let expected = sparse.into_iter().nth(number as usize);
                assert_eq!(ByHalving.nth(sparse, number), expected, "{number} of {sparse:?}");
                #[cfg(target_arch = "x86_64")]
                if let Some(bmi2) = Bmi2::detect() {
                    assert_eq!(ByDeposit(bmi2).nth(sparse, number), expected);
                }
            }
        }
    }
}
