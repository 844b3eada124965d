//! Signed LEB128, the variable-length integers of Stockfish's compressed blocks: seven bits a byte, the lowest first,
//! the eighth bit says that more follow, the sign is that of the last byte's bit 6.
//!
//! **Invariant:** what is decoded and encoded again has the same bytes; integers that are longer than they need to be are refused.

use crate::FileError;

/// What a compressed block starts with.
pub const MAGIC: &[u8] = b"COMPRESSED_LEB128";

/// Reads exactly `count` integers of at most `bits` bits (1 to 32) from all of `bytes`; `what` names the block in errors.
pub fn decode(bytes: &[u8], count: usize, bits: u32, what: &'static str) -> Result<Vec<i32>, FileError> {
    let malformed = |at: usize| FileError::Compression { what, at };
    // Every integer takes at least one byte, so a short block cannot ask for much memory.
    if bytes.len() < count {
        return Err(malformed(bytes.len()));
    }
    let largest = (1_i64 << (bits.clamp(1, 32) - 1)) - 1;
    let mut values = Vec::with_capacity(count);
    let mut at = 0;
    while values.len() < count {
        let (mut value, mut shift) = (0_i64, 0);
        let mut before = None;
        loop {
            let byte = *bytes.get(at).ok_or_else(|| malformed(at))?;
            at += 1;
            // A last byte that only repeats the sign of the one before it.
            if before.is_some_and(|before: u8| byte == if before & 0x40 == 0 { 0 } else { 0x7f }) {
                return Err(malformed(at));
            }
            before = Some(byte);
            value |= i64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0 {
                    value |= -1 << shift;
                }
                break;
            }
            if shift > 28 {
                return Err(malformed(at));
            }
        }
        if value < -largest - 1 || value > largest {
            return Err(malformed(at));
        }
        values.push(value as i32);
    }
    if at == bytes.len() { Ok(values) } else { Err(malformed(at)) }
}

/// Writes integers, each as short as possible.
pub fn encode(values: impl Iterator<Item = i32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for mut value in values {
        loop {
            let byte = (value & 0x7f) as u8;
            value >>= 7;
            let done = if byte & 0x40 == 0 { value == 0 } else { value == -1 };
            bytes.push(if done { byte } else { byte | 0x80 });
            if done {
                break;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let values = [0, 1, -1, 63, 64, -64, -65, 8191, -8192, 32767, -32768, i32::MAX, i32::MIN];
        let bytes = encode(values.iter().copied());
        assert_eq!(decode(&bytes, values.len(), 32, "a test").unwrap(), values);
        // The two examples of the DWARF standard.
        assert_eq!(encode([-129].into_iter()), [0xff, 0x7e]);
        assert_eq!(encode([128].into_iter()), [0x80, 0x01]);
    }

    #[test]
    fn malformed_blocks_are_refused() {
        assert!(decode(&[0x80], 1, 16, "cut off").is_err());
        assert!(decode(&[0x00, 0x00], 1, 16, "too long").is_err());
        assert!(decode(&[0x80, 0x80, 0x02], 1, 16, "does not fit 16 bits").is_err());
        assert!(decode(&[0x80; 12], 1, 32, "endless").is_err());
        assert!(decode(&[0], usize::MAX, 16, "a count beyond all memory").is_err());
        assert!(decode(&[0x81, 0x00], 1, 16, "a one with a zero too many").is_err());
        assert!(decode(&[0xff, 0x7f], 1, 16, "a minus one that is too long").is_err());
        assert_eq!(decode(&[0xc0, 0x00, 0xbf, 0x7f], 2, 16, "signs that need their byte").unwrap(), [64, -65]);
    }
}
