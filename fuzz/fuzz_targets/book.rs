//! Any bytes read as an opening book, the first one says of which kind: no panic, and every opening can be played.

#![no_main]

use kiebitz_tournament::opening::{Book, Polyglot};
use kiebitz_pgn::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((kind, bytes)) = input.split_first() else { return };
    let book = match kind % 3 {
        0 => Book::from_position_lines("fuzz.epd", bytes),
        1 => match Source::detect("fuzz.pgn", bytes, None) {
            Ok(source) => Book::from_pgn(source, Some(16)),
            Err(_) => return,
        },
        _ => Polyglot::from_reader("fuzz.bin", bytes).and_then(|book| book.book(4)),
    };
    let Ok(book) = book else { return };
    for number in 0..book.len() {
        let opening = book.opening(number).expect("a number below the length");
        assert!(opening.position().ending().is_none());
    }
});
