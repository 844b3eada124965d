//! Any bytes read as a file of samples, in every format that we read ourselves: no panic, and every move that comes out is
//! legal. The first byte chooses the format.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use kiebitz_dataset::{Chain, Format};
use libfuzzer_sys::fuzz_target;

/// A folder for each fuzzing process, in memory where there is such a place.
static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let place = parent.join(format!("kiebitz-fuzz-samples-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder for files");
    place
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    // Parquet is read by the crate of others, for which we cannot speak.
    let formats: Vec<_> = Format::ALL.into_iter().filter(|&format| format != Format::Parquet).collect();
    let format = formats[usize::from(choice) % formats.len()];
    let path = PLACE.join("samples").with_extension(format.endings()[0]);
    let half = bytes.len() / 2;
    let written = match format {
        Format::Npy => std::fs::write(PLACE.join("samples_input.npy"), &bytes[..half])
            .and_then(|()| std::fs::write(PLACE.join("samples_output.npy"), &bytes[half..])),
        _ => std::fs::write(&path, bytes),
    };
    written.expect("a file can be written");
    let Ok(mut source) = format.open(&path) else { return };
    let mut chain = Chain::default();
    while let Ok(true) = source.next_chain(&mut chain) {
        chain.visit(|position, link| assert!(link.mv.is_none_or(|mv| position.is_legal(mv))));
    }
});
