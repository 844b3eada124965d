//! What holds for a network over any feature set, named or random: its file comes back, and colors change nothing for the mover.

#[path = "../../features/tests/support/expressions.rs"]
mod expressions;
mod support;
#[path = "../../features/tests/support/swapped.rs"]
mod swapped;

use std::collections::BTreeSet;

use kiebitz_chess::Position;
use kiebitz_features::{FeatureSet, NAMED_SETS, Turn};
use kiebitz_network::{Certificate, NetworkFile, NetworkSpec, reference};
use support::random_games::{self, SplitMix};
use support::{SPECS, positions, random_weights};
use swapped::swapped;

/// Larger sets are left out: their weights would take longer to draw than the laws to try.
const LARGEST_RANDOM_SET: u32 = 100_000;

/// How many random sets are tried.
const RANDOM_SETS: usize = 60;

/// A narrow network over a set; the number chooses what follows the accumulator.
fn over(set: &str, number: usize) -> String {
    let trunks = [
        "accumulate 6 clipped shortcut -> dense 4 clipped heads = value",
        "accumulate 6 pairwise shortcut -> dense 4 clipped+folded skip -> dense 3 squared buckets = 2 of (pieces - 1) / 16 heads = value",
        "accumulate 5 squared buckets = 4 of (pieces - 1) / 8 heads = value
         numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1",
    ];
    format!("inputs = {set} trunk = {}", trunks[number % trunks.len()])
}

/// Descriptions of every kind, and narrow ones over every named set and over random ones.
fn descriptions() -> Vec<String> {
    let mut all: Vec<String> = SPECS.iter().map(|&text| text.to_owned()).collect();
    all.extend(NAMED_SETS.iter().enumerate().map(|(number, named)| over(named.name, number)));
    let mut random = SplitMix(2_027);
    let mut drawn = 0;
    while drawn < RANDOM_SETS {
        let text = expressions::random_expression(&mut random);
        if FeatureSet::parse(&text).is_ok_and(|set| set.count() <= LARGEST_RANDOM_SET) {
            all.push(over(&text, drawn));
            drawn += 1;
        }
    }
    all
}

#[test]
fn every_description_survives_its_text_and_its_file() {
    for (number, text) in descriptions().iter().enumerate() {
        let spec = NetworkSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(NetworkSpec::parse(&spec.to_string()).as_ref(), Ok(&spec), "{text}");
        let weights = random_weights(&spec, number as u64);
        let mut file = NetworkFile::new(spec, weights);
        file.header.description = "two\nlines and an é".to_owned();
        file.header.licence = "CC0-1.0".to_owned();
        file.header.manifest = serde_json::json!({ "seed": 7, "data": ["a", "b"] });
        file.header.certificate = Some(Certificate::new(file.spec(), &file.weights));
        let bytes = file.to_bytes().expect("a file");
        let again = NetworkFile::from_bytes(&bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(again, file, "{text}");
        assert!(again.to_bytes().expect("a file") == bytes, "{text}");
    }
}

#[test]
fn swapping_colors_changes_nothing_for_the_mover() {
    let mut tried = 0;
    for (number, text) in descriptions().iter().enumerate() {
        let spec = NetworkSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let Some(half) = spec.features().half() else { continue };
        let mask = if half.turn == Turn::Rotated { 63 } else { 56 };
        let weights = random_weights(&spec, number as u64);
        let value = |position: &Position| reference::evaluate_integers(&spec, &weights, position);
        let mut values = BTreeSet::new();
        for position in positions(50, 40) {
            let Some(other) = swapped(&position, mask) else { continue };
            let here = value(&position);
            assert_eq!(here, value(&other), "{text}: {position}");
            values.insert(here.units);
        }
        // Else the law would hold for want of anything to see. A set of kings alone has few values.
        assert!(values.len() > 1, "{text}: {values:?}");
        tried += 1;
    }
    assert_eq!(tried, SPECS.len() - 1 + NAMED_SETS.len() + RANDOM_SETS, "all but the one without views");
}
