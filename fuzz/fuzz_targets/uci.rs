//! Any text read as a message to an engine and as one from an engine: no panic, and what is understood comes back
//! the same.

#![no_main]

#[path = "../../crates/uci/tests/support/round_trips.rs"]
mod round_trips;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    // Engines may send any bytes; the reader replaces what is no text.
    let text = String::from_utf8_lossy(input);
    round_trips::gui(&text);
    round_trips::engine(&text);
});
