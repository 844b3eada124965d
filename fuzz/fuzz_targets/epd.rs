//! Any text read as an EPD: no panic, and what is accepted comes back the same.

#![no_main]

#[allow(dead_code, reason = "every target uses a part of it")]
#[path = "../../crates/chess/tests/support/round_trips.rs"]
mod round_trips;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| round_trips::epd(text));
