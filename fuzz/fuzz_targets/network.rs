//! Any bytes read as a network file: no panic, and what is accepted is written back byte for byte.
//!
//! A checksum would stop nearly all inputs at the door, so it is put right first.

#![no_main]

use kiebitz_network::{NetworkFile, checksum, stockfish};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    if bytes.len() > 64 {
        let digits = checksum(&bytes[64..]);
        for (place, byte) in bytes[32..64].iter_mut().enumerate() {
            *byte = u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).expect("hexadecimal digits");
        }
    }
    if let Ok(file) = NetworkFile::from_bytes(&bytes) {
        let again = NetworkFile::from_bytes(&file.to_bytes().expect("a readable network can be written"));
        assert_eq!(again.expect("what was written is readable"), file);
    }
    if let Ok(file) = stockfish::read(&bytes) {
        assert!(stockfish::write(&file).expect("the same format") == bytes);
    }
});
