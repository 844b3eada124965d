//! Any text read as a time control: no panic, and what is accepted comes back the same.

#![no_main]

use kiebitz_tournament::TimeControl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(control) = text.parse::<TimeControl>() {
        assert_eq!(control.to_string().parse(), Ok(control), "{text}");
    }
});
