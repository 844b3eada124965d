//! Any bytes read as samples: no panic, every position is legal, and what decodes encodes to chains that decode the same.

#![no_main]

#[path = "../../crates/dataset/tests/support/any_bytes.rs"]
mod any_bytes;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| any_bytes::chains(bytes));
