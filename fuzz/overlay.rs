//! Changes of a valid file that are told by the fuzzer's bytes, so that these reach what lies behind magic numbers and checksums.

/// Bytes that tell one change: what is done, where (two of them), and with which byte.
const CHANGE: usize = 4;

/// The valid bytes after all changes: bytes are replaced, flipped, put in or taken out, or everything behind a place is cut off.
pub(crate) fn overlay(valid: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for change in changes.chunks_exact(CHANGE) {
        if bytes.is_empty() {
            break;
        }
        let place = usize::from(u16::from_le_bytes([change[1], change[2]])) % bytes.len();
        match change[0] % 16 {
            0 => bytes.insert(place, change[3]),
            1 => drop(bytes.remove(place)),
            2 => bytes.truncate(place),
            3..8 => bytes[place] ^= 1 << (change[3] % 8),
            _ => bytes[place] = change[3],
        }
    }
    bytes
}
