//! Any text read as a FEN: no panic, and what is accepted comes back the same.

#![no_main]

#[allow(dead_code, reason = "every target uses a part of it")]
#[path = "../../crates/chess/tests/support/round_trips.rs"]
mod round_trips;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| round_trips::fen(text));
