//! The move generator against published counts of move sequences.

#![allow(clippy::print_stderr, reason = "tests say what they skip and how long they ran")]

mod support;

use std::time::Instant;

use kiebitz_chess::perft::{perft, perft_by_playing};
use support::perft_suite::{self, Case, Suite};

const SUITES: [&str; 5] = ["standard.epd", "fischer.epd", "chess960.perft", "random.perft", "tricky.perft"];

/// Counts this small are worth checking at any depth.
const ALWAYS: u64 = 1000;

/// Its counts include an en-passant capture that [`kiebitz_chess::validity`] rules out: the check on the board cannot
/// come from the double step, so the lenient reading drops the chance.
const IMPOSSIBLE: &str = "align-ep";

/// Compares every count down to a depth, the largest trees first; returns the leaves counted.
fn compare(cases: Vec<Case>, depth_limit: u32) -> u64 {
    let mut jobs: Vec<(Case, u32, u64)> = Vec::new();
    for case in cases {
        for (depth, count) in case.counts.clone() {
            if depth <= depth_limit || count <= ALWAYS {
                jobs.push((case.clone(), depth, count));
            }
        }
    }
    jobs.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
    let results = support::in_parallel(jobs, |(case, depth, expected)| {
        let counted = perft(&case.position, depth);
        let problem = (counted != expected).then(|| {
            let Case { suite, name, position, .. } = &case;
            format!("{suite} {name}, depth {depth}: expected {expected}, got {counted}: {position}")
        });
        (counted, problem)
    });
    let problems: Vec<&String> = results.iter().filter_map(|(_, problem)| problem.as_ref()).collect();
    assert!(
        problems.is_empty(),
        "{} counts are wrong, among them {:#?}",
        problems.len(),
        &problems[..problems.len().min(20)]
    );
    results.iter().map(|(counted, _)| counted).sum()
}

fn read(name: &str) -> Option<Suite> {
    let path = support::data(&format!("suites/perft/{name}"))?;
    let text = std::fs::read_to_string(path).expect("a readable suite");
    Some(perft_suite::parse(name, &text).expect("a well-formed suite"))
}

fn all_suites_to(depth_limit: u32) {
    let begin = Instant::now();
    let mut cases = Vec::new();
    for name in SUITES {
        let Some(suite) = read(name) else { return };
        cases.extend(suite.cases.into_iter().filter(|case| case.name != IMPOSSIBLE));
    }
    let cases = perft_suite::without_twins(cases).expect("suites that agree with each other");
    let positions = cases.len();
    let leaves = compare(cases, depth_limit);
    eprintln!("{positions} positions to depth {depth_limit}: {leaves} leaves in {:.1?}", begin.elapsed());
}

#[test]
fn our_own_suite() {
    let suite = perft_suite::parse("perft.txt", include_str!("../../../testdata/perft.txt")).unwrap();
    assert!(suite.refused.is_empty(), "{:?}", suite.refused);
    for case in &suite.cases {
        assert_eq!(case.complaint, None, "{}", case.name);
        for &(depth, count) in &case.counts {
            assert_eq!(perft_by_playing(&case.position, depth), count, "{}, depth {depth}", case.name);
        }
    }
    compare(suite.cases, 4);
}

#[test]
fn all_suites_to_depth_4() {
    all_suites_to(4);
}

#[test]
#[ignore = "slow: make test-slow"]
fn all_suites_to_depth_5() {
    all_suites_to(5);
}

/// The suites' positions are legal but for a few that were put together to be impossible.
#[test]
fn suites_are_read_whole() {
    let expected = [("standard.epd", 128), ("fischer.epd", 960), ("chess960.perft", 960), ("random.perft", 6838)];
    for (name, count) in expected {
        let Some(suite) = read(name) else { return };
        assert_eq!(suite.cases.len(), count, "{name}");
        assert!(suite.refused.is_empty(), "{name}: {:?}", suite.refused);
        for case in &suite.cases {
            assert_eq!(case.complaint, None, "{name}, {}: {}", case.name, case.position);
        }
    }
    let Some(tricky) = read("tricky.perft") else { return };
    let refused: Vec<&str> = tricky.refused.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(refused, ["max-legals-too-much-material"], "{:?}", tricky.refused);
    let complaints = tricky.cases.iter().filter(|case| case.complaint.is_some());
    let repaired: Vec<&str> = complaints.map(|case| case.name.as_str()).collect();
    assert_eq!(repaired, [IMPOSSIBLE, "align-ep-pinned", "ep-unrelated-check"]);
}
