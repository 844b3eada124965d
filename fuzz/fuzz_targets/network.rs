//! Any bytes read as a network file, and small valid files with changes: no panic, what is accepted is written back byte for byte,
//! what is proved keeps its bounds, and what is not evaluates without a panic either: these builds check every overflow.
//!
//! Headers would stop nearly all inputs at the door. So the first byte chooses a valid network to change, and the checksum is put right.

#![no_main]

#[path = "../overlay.rs"]
mod overlay;

use std::sync::LazyLock;

use kiebitz_chess::Position;
use kiebitz_network::{Certificate, FloatWeights, NetworkFile, NetworkSpec, checksum, quantise, reference, stockfish};
use libfuzzer_sys::fuzz_target;

/// Descriptions of few numbers, with every part that a description can have.
const SPECS: [&str; 3] = [
    "inputs = half(any.role * any.color) trunk = accumulate 4 pairwise shortcut -> dense 2 clipped+folded skip -> dense 2 squared
     buckets = 2 of (pieces - 1) / 16 heads = value",
    "inputs = half(piece.file ^ piece.file) trunk = accumulate 2 squared buckets = 2 of (pieces - 1) / 16 heads = value
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    "inputs = any.role * any.color trunk = accumulate 3 clipped -> dense 2 clipped heads = value",
];

static VALID: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| SPECS.map(valid).to_vec());

fn valid(text: &str) -> Vec<u8> {
    let spec = NetworkSpec::parse(text).expect("a description");
    let floats = FloatWeights::zero(&spec).merge(&spec).expect("the sizes of its own description");
    let mut file = NetworkFile::new(spec.clone(), quantise(&spec, &floats).expect("zeros fit"));
    file.header.certificate = Some(Certificate::new(&spec, &file.weights));
    let bytes = file.to_bytes().expect("a valid network");
    assert_eq!(NetworkFile::from_bytes(&bytes).expect("a valid network"), file);
    bytes
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, changes)) = input.split_first() else { return };
    let mut bytes = match VALID.get(usize::from(choice % 4)) {
        Some(valid) => overlay::overlay(valid, changes),
        None => changes.to_vec(),
    };
    if bytes.len() > 64 {
        let digits = checksum(&bytes[64..]);
        for (place, byte) in bytes[32..64].iter_mut().enumerate() {
            *byte = u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).expect("hexadecimal digits");
        }
    }
    if let Ok(file) = NetworkFile::from_bytes(&bytes) {
        let again = NetworkFile::from_bytes(&file.to_bytes().expect("a readable network can be written"));
        assert_eq!(again.expect("what was written is readable"), file);
        let certificate = Certificate::new(file.spec(), &file.weights);
        let value = reference::evaluate_integers(file.spec(), &file.weights, &Position::default());
        if certificate.unproved().count() == 0 {
            let step = format!("bucket {}, the value", value.bucket);
            let bounds = certificate.bounds.iter().find(|bounds| bounds.step == step).expect("a bound of every value");
            assert!((bounds.lowest..=bounds.highest).contains(&value.units.into()), "{value:?} outside {bounds:?}");
        }
    }
    if let Ok(file) = stockfish::read(&bytes) {
        assert!(stockfish::write(&file).expect("the same format") == bytes);
    }
});
