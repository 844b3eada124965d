//! Any text read as a feature set: no panic, and what is accepted prints to something equal.

#![no_main]

use kiebitz_features::FeatureSet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(set) = FeatureSet::parse(text) {
        let again = FeatureSet::parse(&set.to_string()).expect("canonical text is readable");
        assert_eq!(again, set);
        assert!(set.name(set.count() - 1).is_some());
    }
});
