//! What must hold for any bytes; shared by the tests and the fuzz target.

use kiebitz_pgn::{BrokenGame, Chunks, Game, GameReader, Source};

pub(crate) fn read(bytes: &[u8]) -> Vec<Result<Game, BrokenGame>> {
    GameReader::new(Source::from_reader("bytes", bytes)).collect()
}

/// Reading does not panic; every game that is accepted reads back as written; chunks of any size give the same games.
pub(crate) fn pgn(bytes: &[u8]) {
    let games = read(bytes);
    for chunk_bytes in [1, 7, 64] {
        let chunks = Chunks::with_chunk_bytes(Source::from_reader("bytes", bytes), chunk_bytes);
        let chunked: Vec<_> = GameReader::from_chunks(chunks).collect();
        assert_eq!(chunked, games, "in chunks of {chunk_bytes}");
    }
    for game in games.into_iter().flatten() {
        let text = game.to_string();
        assert_eq!(read(text.as_bytes()), [Ok(game)], "written as {text}");
    }
}
