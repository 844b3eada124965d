//! The positions in which moves are read.

use kiebitz_chess::{FenMode, Position};

/// Few, so that the fuzzer does not lose its way, but with every kind of move.
const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/1PP3PP/8/8/8/8/pp4pp/R3K2R b KQkq - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
    "8/8/8/3k4/2pP4/8/8/4K3 b - d3 0 1",
    "rkr5/p1p1pppp/8/8/8/8/PPPP2PP/5RKR w HFca - 0 1",
    "k7/8/8/2Q1Q1Q1/8/2Q1Q1Q1/8/K7 w - - 0 1",
    "4r1k1/8/8/8/4N3/8/8/2N1K2R w K - 0 1",
];

/// The position that the first byte means, and the rest of the input.
pub(crate) fn choose(input: &[u8]) -> Option<(Position, &[u8])> {
    let (&number, rest) = input.split_first()?;
    let fen = FENS[usize::from(number) % FENS.len()];
    Some((Position::from_fen(fen, FenMode::Strict).expect("a legal position"), rest))
}
