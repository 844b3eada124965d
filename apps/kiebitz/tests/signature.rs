//! The bench as a checksum: the same node count on every run and by all instructions.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

use std::process::{Command, Output};

use kiebitz_engine::InstructionSet;

/// The node count of `kiebitz bench` with the networks that ship: the only place besides the commits that has it. A functional
/// change of the search writes the new count here and into its commit.
const SIGNATURE: u64 = 2_500_545;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kiebitz")).arg("bench").args(arguments).output().unwrap()
}

#[track_caller]
fn nodes(arguments: &[&str]) -> u64 {
    let output = bench(arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("Nodes searched"));
    let count = line.and_then(|line| line.rsplit(' ').next()?.parse().ok());
    count.unwrap_or_else(|| panic!("no node count: {output:?}"))
}

/// The instructions that this CPU has, plain code among them.
fn instructions() -> impl Iterator<Item = &'static str> {
    InstructionSet::ALL.into_iter().filter(|set| set.is_available()).map(InstructionSet::word)
}

#[test]
fn all_instructions_visit_the_same_nodes() {
    let usual = nodes(&["5"]);
    for set in instructions() {
        assert_eq!(nodes(&["5", "--instructions", set]), usual, "{set}");
    }
    let refused = bench(&["5", "--instructions", "abacus"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("scalar"), "{refused:?}");
}

#[test]
#[ignore = "takes a minute"]
fn the_whole_bench_has_its_signature_on_every_run_and_by_all_instructions() {
    let (first, second) = (nodes(&[]), nodes(&[]));
    assert_eq!(first, second, "two runs");
    for set in instructions() {
        assert_eq!(nodes(&["--instructions", set]), first, "{set}");
    }
    assert_eq!(first, SIGNATURE, "a functional change? Then its count belongs into this file and into the commit");
}
