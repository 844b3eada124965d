//! A stream of bits, lowest bit of the lowest byte first.
//!
//! **Invariant:** reading never fails and never leaves the slice: behind the end there are zeros, and
//! [`BitReader::is_overrun`] tells afterwards.

/// Appends bits to bytes.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet, and how many they are.
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// The whole bytes so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.pending = 0;
        self.count = 0;
    }

    /// Appends the lowest `count` (at most 32) bits of a value.
    pub(crate) fn put(&mut self, value: u64, count: u32) {
        debug_assert!(count <= 32 && value >> count == 0, "{value} in {count} bits");
        self.pending |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Appends one of `choices` (at least one) values, in as few bits as a fixed code can: some values take one less.
    pub(crate) fn put_choice(&mut self, value: u32, choices: u32) {
        let (short, bits) = choice_code(choices);
        if value < short {
            self.put(u64::from(value), bits);
        } else {
            let above = value - short;
            self.put(u64::from(short + above / 2), bits);
            self.put(u64::from(above % 2), 1);
        }
    }

    /// Appends a number of any size, seven bits at a time.
    pub(crate) fn put_varying(&mut self, mut value: u32) {
        while value >= 128 {
            self.put(u64::from(value % 128 + 128), 8);
            value /= 128;
        }
        self.put(u64::from(value), 8);
    }

    /// Fills up the last byte with zeros.
    pub(crate) fn align(&mut self) {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
    }
}

/// How `choices` values are coded: so many of them in so many bits, the others in one more.
#[inline(always)]
fn choice_code(choices: u32) -> (u32, u32) {
    let bits = choices.max(1).ilog2();
    ((2 << bits) - choices.max(1), bits)
}

/// Reads bits from bytes.
#[derive(Clone, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next bit.
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the bit `at` of some bytes.
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Whether everything was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len() * 8
    }

    /// Whether more was read than there is.
    pub(crate) fn is_overrun(&self) -> bool {
        self.at > self.bytes.len() * 8
    }

    /// The next bits, for those who take several numbers one after the other.
    #[inline(always)]
    pub(crate) fn window(&self) -> BitWindow {
        BitWindow { bits: self.next_bits(), taken: 0 }
    }

    /// Passes over what was taken from a window.
    #[inline(always)]
    pub(crate) fn leave(&mut self, window: BitWindow) {
        self.at += window.taken as usize;
    }

    /// Passes over what was taken from a window, and gives the next one.
    #[inline(always)]
    pub(crate) fn renew(&mut self, window: BitWindow) -> BitWindow {
        self.leave(window);
        self.window()
    }

    /// The next bits, at least 57 of them, without taking them.
    #[inline(always)]
    fn next_bits(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8).and_then(<[u8]>::first_chunk::<8>) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => self.last_word(byte),
        };
        word >> (self.at % 8)
    }

    #[cold]
    fn last_word(&self, byte: usize) -> u64 {
        let mut word = [0; 8];
        let rest = self.bytes.get(byte..).unwrap_or_default();
        for (to, from) in word.iter_mut().zip(rest) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    }

    /// Takes at most 32 bits.
    #[inline(always)]
    pub(crate) fn take(&mut self, count: u32) -> u32 {
        let mut window = self.window();
        let value = window.take(count);
        self.leave(window);
        value
    }

    /// Takes a number of any size; `None` when it is larger than it can be.
    pub(crate) fn take_varying(&mut self) -> Option<u32> {
        let mut value = 0_u32;
        for shift in (0..35).step_by(7) {
            let byte = self.take(8);
            let part = (byte % 128).checked_shl(shift).filter(|part| part >> shift == byte % 128)?;
            value |= part;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// Goes on to the next whole byte.
    pub(crate) fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }
}

/// The next bits of a reader as a number: what follows does not wait for memory again.
///
/// There are at least [`BitWindow::BITS`] of them; who may have taken more asks for a new window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitWindow {
    bits: u64,
    taken: u32,
}

impl BitWindow {
    /// A word, less the bits of its first byte that may have been taken before.
    pub(crate) const BITS: u32 = 57;

    /// Whether so many bits are left for certain.
    #[inline(always)]
    pub(crate) fn has(self, count: u32) -> bool {
        self.taken + count <= Self::BITS
    }

    /// The bits that are left, the next one lowest.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        self.bits
    }

    /// Passes over fewer than 64 bits.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: u32) {
        debug_assert!(self.taken + count <= Self::BITS, "{count} bits after {}", self.taken);
        self.bits >>= count;
        self.taken += count;
    }

    /// Takes at most 32 bits.
    #[inline(always)]
    pub(crate) fn take(&mut self, count: u32) -> u32 {
        let value = self.bits & ((1 << count) - 1);
        self.skip(count);
        value as u32
    }

    /// Takes one of `choices` values; the counterpart of [`BitWriter::put_choice`].
    #[inline(always)]
    pub(crate) fn take_choice(&mut self, choices: u32) -> u32 {
        let (short, bits) = choice_code(choices);
        let value = (self.bits & ((1 << bits) - 1)) as u32;
        // Without a branch: which of the two lengths it is cannot be predicted.
        let long = u32::from(value >= short);
        let last = (self.bits >> bits & 1) as u32;
        self.skip(bits + long);
        value.wrapping_add(value.wrapping_sub(short).wrapping_add(last).wrapping_mul(long))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_back() {
        let mut writer = BitWriter::default();
        let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 31, u32::MAX];
        for choices in 1..70 {
            for value in 0..choices {
                writer.put_choice(value, choices);
            }
        }
        for number in numbers {
            writer.put_varying(number);
        }
        writer.put(5, 3);
        writer.align();
        let bytes = writer.bytes().to_vec();
        let mut reader = BitReader::new(&bytes, 0);
        for choices in 1..70 {
            for value in 0..choices {
                let mut window = reader.window();
                assert_eq!(window.take_choice(choices), value, "of {choices}");
                reader.leave(window);
            }
        }
        assert_eq!(numbers.map(|_| reader.take_varying().unwrap()), numbers);
        assert_eq!(reader.take(3), 5);
        reader.align();
        assert!(reader.is_at_end());
        assert!(!reader.is_overrun());
        assert_eq!(reader.take(8), 0);
        assert!(reader.is_overrun());
    }

    #[test]
    fn choices_cost_what_they_must() {
        let cost = |value, choices| {
            let mut writer = BitWriter::default();
            writer.put_choice(value, choices);
            writer.bytes().len() * 8 + writer.count as usize
        };
        assert_eq!([cost(0, 1), cost(0, 2), cost(1, 2)], [0, 1, 1]);
        assert_eq!([cost(0, 3), cost(1, 3), cost(2, 3)], [1, 2, 2]);
        assert_eq!([cost(3, 12), cost(4, 12), cost(15, 16)], [3, 4, 4]);
    }

    #[test]
    fn endless_numbers_are_refused() {
        assert_eq!(BitReader::new(&[255; 16], 0).take_varying(), None);
        assert_eq!(BitReader::new(&[255, 255, 255, 255, 31, 0, 0, 0], 0).take_varying(), None);
    }
}
