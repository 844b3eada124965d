//! Bytes as text, two digits each.

/// The digits of bytes.
pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that digits stand for; what are no digits is left out.
pub(crate) fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().as_chunks::<2>().0.iter();
    pairs.filter_map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}
