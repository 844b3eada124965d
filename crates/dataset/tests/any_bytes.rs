//! Bytes that no encoder wrote: changed, cut, and made up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, reason = "tests may fail loudly")]

mod support;

#[path = "support/any_bytes.rs"]
mod any_bytes;

use std::fs;

use kiebitz_dataset::{Chain, ChainEncoder, Format};
use support::{Random, random_chain};

#[test]
fn chains_survive_any_bytes() {
    let mut random = Random(77);
    for seed in 0..3_000 {
        let mut encoder = ChainEncoder::default();
        let mut bytes = encoder.encode(&random_chain(seed, false)).unwrap().to_vec();
        any_bytes::chains(&bytes);
        for _ in 0..1 + random.below(4) {
            let place = random.below(bytes.len());
            bytes[place] = random.below(256) as u8;
        }
        bytes.truncate(1 + random.below(bytes.len() * 2));
        any_bytes::chains(&bytes);
        let noise: Vec<_> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        any_bytes::chains(&noise);
    }
}

/// Files of every format with damage anywhere: errors are fine, panics and endless loops are not.
#[test]
fn foreign_files_survive_any_bytes() {
    let place = tempfile::tempdir().unwrap();
    let mut random = Random(5);
    // Parquet is read by the crate of others, for which we cannot speak.
    for format in Format::ALL.into_iter().filter(|&format| format != Format::Parquet) {
        let path = place.path().join("samples").with_extension(format.endings()[0]);
        let damaged = if format == Format::Npy { place.path().join("samples_input.npy") } else { path.clone() };
        let mut sink = format.create(&path, &Default::default()).unwrap();
        for seed in 0..8 {
            sink.write(&random_chain(seed, true)).unwrap();
        }
        sink.finish().unwrap();
        let whole = fs::read(&damaged).unwrap();
        for _ in 0..200 {
            let mut bytes = whole.clone();
            for _ in 0..1 + random.below(6) {
                let place = random.below(bytes.len());
                bytes[place] = random.below(256) as u8;
            }
            if random.below(3) == 0 {
                bytes.truncate(random.below(bytes.len()));
            }
            fs::write(&damaged, bytes).unwrap();
            let Ok(mut source) = format.open(&path) else { continue };
            let mut chain = Chain::default();
            while let Ok(true) = source.next_chain(&mut chain) {
                chain.visit(|position, link| assert!(link.mv.is_none_or(|mv| position.is_legal(mv))));
            }
        }
    }
}

/// Checksums protect against accidents, not against whoever computes them anew: no room is made for what a block only claims to have.
#[test]
fn counts_that_a_block_does_not_have_cost_no_memory() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("samples.kbz");
    let mut sink = Format::Kiebitz.create(&path, &Default::default()).unwrap();
    let written = random_chain(3, true);
    sink.write(&written).unwrap();
    sink.finish().unwrap();
    let whole = fs::read(&path).unwrap();
    let block = 12 + u32::from_le_bytes(*whole[8..].first_chunk().unwrap()) as usize + 4;
    assert_eq!(&whole[block..block + 4], b"BLCK");
    // Chains, positions and samples.
    for count in [8, 12, 16] {
        let mut bytes = whole.clone();
        bytes[block + count..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let checked = [&bytes[block..block + 20], &bytes[block + 24..]].concat();
        bytes[block + 20..block + 24].copy_from_slice(&crc32fast::hash(&checked).to_le_bytes());
        fs::write(&path, bytes).unwrap();
        let mut source = Format::Kiebitz.open(&path).unwrap();
        let mut chain = Chain::default();
        assert!(source.next_chain(&mut chain).unwrap() && chain == written);
        assert!(!source.next_chain(&mut chain).unwrap(), "what is there is all there is");
    }
}
