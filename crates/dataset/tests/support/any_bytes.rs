//! What holds for any bytes that are read as chains; shared with the fuzz target.

use kiebitz_chess::Position;
use kiebitz_dataset::{Chain, ChainDecoder, ChainEncoder};

/// The most positions that are looked at: short bytes can say that chains are long.
const ENOUGH: usize = 20_000;

/// Decodes without panic; whatever comes out is legal, and survives encoding.
pub(crate) fn chains(bytes: &[u8]) {
    let mut decoder = ChainDecoder::new(bytes);
    let mut chain = Chain::default();
    let mut positions = 0;
    while positions < ENOUGH && decoder.next_chain(&mut chain).unwrap_or(false) {
        positions += chain.links.len();
        chain.visit(|position, link| {
            assert_eq!(Position::try_from(position.to_setup()).as_ref(), Ok(position));
            assert!(link.mv.is_none_or(|mv| position.is_legal(mv)), "{:?} in {position}", link.mv);
        });
        let mut encoder = ChainEncoder::default();
        let again = encoder.encode(&chain).expect("what was decoded can be encoded");
        let mut second = Chain::default();
        assert_eq!(ChainDecoder::new(again).next_chain(&mut second), Ok(true));
        assert_eq!(second, chain);
    }
}
