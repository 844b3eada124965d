//! Any bytes read as a move in algebraic notation: the first byte chooses the position, the rest is the move.

#![no_main]

mod positions;
#[allow(dead_code, reason = "every target uses a part of it")]
#[path = "../../crates/chess/tests/support/round_trips.rs"]
mod round_trips;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Some((position, text)) = positions::choose(input) {
        round_trips::san_bytes(&position, text);
    }
});
