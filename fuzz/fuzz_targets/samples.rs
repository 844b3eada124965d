//! Any bytes read as a file of samples, in every format that we read ourselves: no panic, and every move that comes out is
//! legal. The first byte chooses the format, and whether the bytes are the file or change a valid one; of our own shards the checksums
//! are put right then, which would stop nearly all changes.

#![no_main]

#[path = "../overlay.rs"]
mod overlay;

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use kiebitz_chess::{Outcome, Position};
use kiebitz_dataset::{Chain, ChainHead, Description, Format, Link, ShardIndex};
use libfuzzer_sys::fuzz_target;

/// A folder for each fuzzing process, in memory where there is such a place.
static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let place = parent.join(format!("kiebitz-fuzz-samples-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a folder for files");
    place
});

/// Parquet is read by the crate of others, for which we cannot speak.
fn formats() -> Vec<Format> {
    Format::ALL.into_iter().filter(|&format| format != Format::Parquet).collect()
}

/// The files of a format: one, or two that stand behind one name.
fn paths(format: Format) -> Vec<PathBuf> {
    match format {
        Format::Npy => ["samples_input.npy", "samples_output.npy"].map(|name| PLACE.join(name)).to_vec(),
        _ => vec![PLACE.join("samples").with_extension(format.endings()[0])],
    }
}

/// A few games with everything that any format can say, in every format.
static VALID: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    let play = |moves: &[&str]| {
        let (mut position, mut links) = (Position::default(), Vec::new());
        for (number, text) in moves.iter().enumerate() {
            let mv = position.parse_san(text).expect("a legal move");
            links.push(Link { score: Some(20 - 15 * number as i16), ..Link::new(Some(mv)) });
            position.play(mv);
        }
        let head = ChainHead { start: Position::default(), result: Some(Outcome::Draw), ratings: [None; 2] };
        Chain { head, links }
    };
    let games = [
        play(&["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "f6"]),
        play(&["e4", "a6", "e5", "d5", "exd6", "Bf5", "dxc7", "Nc6", "cxd8=N", "Rxd8"]),
    ];
    let write = |format: Format| {
        let path = PLACE.join("samples").with_extension(format.endings()[0]);
        let mut sink = format.create(&path, &Description::default()).expect("a file");
        games.iter().for_each(|game| sink.write(game).expect("what every format can say"));
        sink.finish().expect("a complete file");
        paths(format).iter().map(|path| fs::read(path).expect("a file")).collect()
    };
    formats().into_iter().map(write).collect()
});

/// Where the checksum of a valid shard's file header stands; its only block begins behind.
fn header_end(shard: &[u8]) -> usize {
    12 + u32::from_le_bytes([shard[8], shard[9], shard[10], shard[11]]) as usize
}

/// Puts right the checksums of a shard that has kept the places of its headers, and the length of its block.
fn repair(shard: &mut [u8], header_end: usize) {
    let block = header_end + 4;
    if shard.len() < block + 24 {
        return;
    }
    let checksum = crc32fast::hash(&shard[..header_end]);
    shard[header_end..block].copy_from_slice(&checksum.to_le_bytes());
    let payload = (shard.len() - block - 24) as u32;
    shard[block + 4..block + 8].copy_from_slice(&payload.to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&shard[block..block + 20]);
    hasher.update(&shard[block + 24..]);
    shard[block + 20..block + 24].copy_from_slice(&hasher.finalize().to_le_bytes());
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, changes)) = input.split_first() else { return };
    let (formats, valid) = (formats(), &*VALID);
    let number = usize::from(choice >> 1) % formats.len();
    let format = formats[number];
    let mut files: Vec<Vec<u8>> = if choice & 1 == 0 {
        changes.chunks(changes.len().div_ceil(paths(format).len()).max(1)).map(<[u8]>::to_vec).collect()
    } else {
        valid[number].iter().map(|valid| overlay::overlay(valid, changes)).collect()
    };
    if let (Format::Kiebitz, [shard], true) = (format, &mut files[..], choice & 1 == 1) {
        repair(shard, header_end(&valid[number][0]));
    }
    files.resize(paths(format).len(), Vec::new());
    for (path, bytes) in paths(format).iter().zip(&files) {
        fs::write(path, bytes).expect("a file can be written");
    }
    let path = PLACE.join("samples").with_extension(format.endings()[0]);
    if format == Format::Kiebitz {
        // Headers alone must not be believed more than they say.
        let _ = ShardIndex::read(&path);
    }
    let Ok(mut source) = format.open(&path) else { return };
    let mut chain = Chain::default();
    while let Ok(true) = source.next_chain(&mut chain) {
        chain.visit(|position, link| assert!(link.mv.is_none_or(|mv| position.is_legal(mv))));
    }
});
