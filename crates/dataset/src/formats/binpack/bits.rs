//! Bits as Stockfish's data has them: the highest bit of a byte first.

/// Appends bits.
#[derive(Debug, Default)]
pub(super) struct HighBitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are used; 0 when it is full.
    used: u32,
}

impl HighBitWriter {
    /// Appends the lowest `count` bits of a value, the highest of them first.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        for bit in (0..count).rev() {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << (7 - self.used);
            }
            self.used = (self.used + 1) % 8;
        }
    }

    /// The bytes, the last filled up with zeros; the writer is empty after that.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.used = 0;
        std::mem::take(&mut self.bytes)
    }
}

/// Reads bits; behind the end there are zeros.
#[derive(Debug)]
pub(super) struct HighBitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> HighBitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Takes at most 16 bits.
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let byte = self.at / 8;
        let window = match self.bytes.get(byte..).and_then(<[u8]>::first_chunk::<4>) {
            Some(bytes) => u32::from_be_bytes(*bytes),
            None => (0..4)
                .fold(0, |window, next| window << 8 | u32::from(self.bytes.get(byte + next).copied().unwrap_or(0))),
        };
        let value = u64::from(window) << (32 + self.at % 8) >> 32;
        self.at += count as usize;
        (value & 0xffff_ffff) as u32 >> (32 - count).min(31) & ((1 << count) - 1)
    }

    /// Bytes that have been touched.
    pub(super) fn whole_bytes(&self) -> usize {
        self.at.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        let mut writer = HighBitWriter::default();
        for count in 0..=16 {
            for value in [0, 1, 0x5555, 0xffff] {
                writer.put(value & ((1 << count) - 1), count);
            }
        }
        let bytes = writer.finish();
        let mut reader = HighBitReader::new(&bytes);
        for count in 0..=16 {
            for value in [0, 1, 0x5555, 0xffff] {
                assert_eq!(reader.take(count), value & ((1 << count) - 1), "{value} in {count}");
            }
        }
        assert_eq!(reader.whole_bytes(), bytes.len());
        assert_eq!(reader.take(9), 0);
    }
}
