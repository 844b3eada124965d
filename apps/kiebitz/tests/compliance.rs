//! Our own checker of the protocol, on our own engine.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::time::Duration;

use kiebitz_tournament::compliance::{Patience, Verdict, examine};
use kiebitz_uci::EngineCommand;

/// Protocol, not speed, is checked here: the machine may be busy with other tests.
fn patient() -> Patience {
    let long = Duration::from_secs(30);
    let (silence, margin) = (Duration::from_millis(100), Duration::from_secs(10));
    Patience { start: long, ready: long, answer: long, quit: long, silence, margin }
}

#[test]
fn the_engine_keeps_to_the_protocol() {
    let command = EngineCommand::new(env!("CARGO_BIN_EXE_kiebitz"));
    let examination = examine(&command, &patient(), &[], |_| {}).unwrap();
    let wrong: Vec<_> = examination.reports.iter().filter(|report| report.verdict > Verdict::Skip).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let passed = examination.count(Verdict::Pass);
    assert!(passed >= 50, "{passed} of {} checks passed", examination.reports.len());
}
