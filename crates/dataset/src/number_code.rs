//! Numbers near a prediction, in few bits.
//!
//! A difference is written as a Rice code: its upper part in unary, its lower bits as they are. How many lower bits are
//! worth it follows from the differences so far, so quiet games cost less than wild ones and nothing has to be
//! announced. Differences that are far too large escape into a fixed width.

use crate::bits::{BitWindow, BitWriter};

/// Unary parts from here on are escapes.
const ESCAPE: u32 = 15;
/// Weight of the past: the average moves by one part in so many.
const MEMORY: u32 = 3;
/// Fraction bits of the average.
const FRACTION: u32 = 4;

/// Codes a sequence of differences; writer and reader keep equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberCode {
    /// The recent average of the folded differences.
    average: u32,
}

impl NumberCode {
    /// A code that expects differences of about this size at first.
    pub(crate) const fn expecting(size: u32) -> Self {
        Self { average: size << FRACTION }
    }

    /// The most bits that a difference takes.
    pub(crate) const LONGEST: u32 = ESCAPE + 1 + 32;

    /// Bits that are written as they are.
    #[inline(always)]
    fn plain_bits(self) -> u32 {
        // An average of 2^k is best served by about k lower bits.
        (((self.average * 3) >> (FRACTION + 2)) | 1).ilog2()
    }

    #[inline(always)]
    fn learn(&mut self, folded: u32) {
        // Held, so that one mate score does not spoil the code for what follows.
        let seen = folded.min(2_047) << FRACTION;
        self.average = self.average - (self.average >> MEMORY) + (seen >> MEMORY);
    }

    /// Writes a difference; all differences of two 31-bit numbers fit.
    pub(crate) fn put(&mut self, writer: &mut BitWriter, difference: i32) {
        let folded = fold(difference);
        let bits = self.plain_bits();
        let upper = folded >> bits;
        if upper < ESCAPE {
            writer.put(1 << upper, upper + 1);
            writer.put(u64::from(folded & ((1 << bits) - 1)), bits);
        } else {
            writer.put(1 << ESCAPE, ESCAPE + 1);
            writer.put(u64::from(folded), 32);
        }
        self.learn(folded);
    }

    /// Reads what [`Self::put`] wrote, at most [`Self::LONGEST`] bits.
    #[inline(always)]
    pub(crate) fn take(&mut self, window: &mut BitWindow) -> i32 {
        let bits = self.plain_bits();
        let upper = (window.bits() | 1 << ESCAPE).trailing_zeros();
        let folded = if upper < ESCAPE {
            window.skip(upper + 1);
            upper << bits | window.take(bits)
        } else {
            window.skip(ESCAPE + 1);
            window.take(32)
        };
        self.learn(folded);
        unfold(folded)
    }
}

/// 0, -1, 1, -2, … as 0, 1, 2, 3, …
fn fold(value: i32) -> u32 {
    (value << 1 ^ value >> 31) as u32
}

#[inline(always)]
fn unfold(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitReader;

    #[test]
    fn differences_come_back() {
        let values = [0, 1, -1, 40, -3, 31_000, -31_000, 2, i32::MAX, i32::MIN, 0, 0, 0, 17, 1_000_000, -5];
        let mut writer = BitWriter::default();
        let mut code = NumberCode::expecting(30);
        for value in values {
            code.put(&mut writer, value);
        }
        writer.align();
        let bytes = writer.bytes().to_vec();
        let mut reader = BitReader::new(&bytes, 0);
        let mut code = NumberCode::expecting(30);
        let taken = values.map(|_| {
            let mut window = reader.window();
            let value = code.take(&mut window);
            reader.leave(window);
            value
        });
        assert_eq!(taken, values);
    }

    #[test]
    fn quiet_sequences_become_cheap() {
        let mut writer = BitWriter::default();
        let mut code = NumberCode::expecting(64);
        for _ in 0..800 {
            code.put(&mut writer, 0);
        }
        assert!(writer.bytes().len() < 110, "{} bytes", writer.bytes().len());
    }
}
