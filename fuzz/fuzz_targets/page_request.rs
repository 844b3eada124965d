//! Whatever a page sends is understood or refused, and what is understood can be prepared.
#![no_main]

use kiebitz_messages::Request;
use kiebitz_onlooker::{Limits, Mind, Task};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits { threads: 1, hash_mebibytes: 1, lines: 5, review_nodes: 100 };

fuzz_target!(|text: &str| {
    if let Ok(request) = serde_json::from_str::<Request>(text) {
        let _ = Task::new(&request, Mind::Handcrafted, &LIMITS);
        let again = serde_json::to_string(&request).expect("a request can be written");
        assert_eq!(serde_json::from_str::<Request>(&again).expect("and read"), request);
    }
});
