//! Any bytes read as PGN: no panic, what is accepted reads back as written, and chunks of any size change nothing.

#![no_main]

#[path = "../../crates/pgn/tests/support/round_trips.rs"]
mod round_trips;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| round_trips::pgn(bytes));
