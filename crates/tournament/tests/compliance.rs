//! Good engines pass; every vice is found by the check that is meant for it.

mod engines;

use std::time::Duration;

use engines::{NO_STOCKFISH, mock, stockfish};
use kiebitz_tournament::compliance::{Examination, ExaminationError, Patience, Report, Verdict, examine};
use kiebitz_uci::EngineCommand;

/// Long for a healthy engine on a machine that does ten other things.
fn patient() -> Patience {
    let long = Duration::from_secs(30);
    let (silence, margin) = (Duration::from_millis(100), Duration::from_secs(10));
    Patience { start: long, ready: long, answer: long, quit: long, silence, margin }
}

/// Short, for what never comes.
fn impatient() -> Patience {
    let brief = Duration::from_millis(400);
    Patience { ready: brief, answer: brief, quit: brief, ..patient() }
}

fn examined(command: &EngineCommand, patience: &Patience, only: &[&str]) -> Examination {
    let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
    examine(command, patience, &only, |_| {}).expect("the mock starts")
}

fn named<'a>(examination: &'a Examination, name: &str) -> &'a Report {
    examination.reports.iter().find(|report| report.name == name).expect("a check of that name")
}

#[test]
fn the_good_mock_fails_only_where_it_is_no_engine() {
    let mut seen = Vec::new();
    let examination = examine(&mock("good"), &patient(), &[], |report| seen.push(report.number)).unwrap();
    assert!(seen.iter().copied().eq(1..=seen.len()), "{seen:?}");
    assert_eq!(examination.engine.as_deref(), Some("Mock"));
    let failed: Vec<_> = examination.reports.iter().filter(|report| report.verdict == Verdict::Fail).collect();
    // It has no threads and sees no difference between a queen more and a queen less.
    assert_eq!(failed.iter().map(|report| report.name).collect::<Vec<_>>(), ["hash-and-threads", "score-view"]);
    assert!(failed.iter().all(|report| !report.expected.is_empty() && !report.found.is_empty()));
    assert_eq!(named(&examination, "multipv").verdict, Verdict::Skip);
    assert_eq!(named(&examination, "go-searchmoves").verdict, Verdict::Warn);
    assert!(examination.count(Verdict::Pass) >= 38, "{examination:#?}");
}

/// The check of that name fails, and shows a line with `evidence`.
#[track_caller]
fn fails(vice: &str, check: &str, patience: &Patience, evidence: &str) {
    let examination = examined(&mock(vice), patience, &[check]);
    let report = &examination.reports[0];
    assert_eq!((report.name, report.verdict), (check, Verdict::Fail), "{vice}: {report:#?}");
    assert!(report.found.iter().any(|line| line.contains(evidence)), "{vice}: {report:#?}");
    // Without the vice the check does not fail.
    let good = examined(&mock("good"), &patient(), &[check]);
    assert_ne!(good.reports[0].verdict, Verdict::Fail, "{:#?}", good.reports[0]);
}

#[test]
fn wrong_answers_are_found() {
    fails("illegal-move", "bestmove-legal", &patient(), "< bestmove a1a1");
    fails("null-move", "bestmove-legal", &patient(), "there are legal moves");
    fails("empty-bestmove", "bestmove-legal", &patient(), "< bestmove");
    fails("garbage", "position-fen", &patient(), "< bestmove O-O!?");
    fails("wrong-castling", "castling", &patient(), "< bestmove e1a1");
    fails("wrong-castling", "chess960-castling", &patient(), "< bestmove e1c1");
    fails("illegal-ponder", "ponder-legal", &patient(), "ponder a1a1");
}

#[test]
fn wrong_reports_are_found() {
    fails("non-integers", "integers", &patient(), "nps 1.5e6");
    fails("illegal-pv", "pv-legal", &patient(), "pv e2e4 e7e5 e4e5");
    fails("invalid-utf8", "info-score", &patient(), "< bestmove");
}

#[test]
fn answers_at_the_wrong_time_are_found() {
    fails("premature-bestmove", "go-infinite", &patient(), "< bestmove");
    fails("premature-bestmove", "isready-searching", &patient(), "< bestmove");
    fails("two-bestmoves", "one-bestmove", &patient(), "< bestmove");
    fails("repeats-bestmove", "one-bestmove", &patient(), "< bestmove");
    fails("unasked-bestmove", "one-bestmove", &patient(), "< bestmove");
    fails("unasked-bestmove", "stop-idle", &patient(), "< bestmove");
}

#[test]
fn silence_is_found() {
    fails("hang-at-go", "go-depth", &impatient(), "> go depth");
    fails("ignores-stop", "go-infinite", &impatient(), "> stop");
    fails("late-bestmove", "go-nodes", &impatient(), "> go nodes");
    fails("ignores-quit", "quit", &impatient(), "it still ran");
    fails("ignores-quit", "end-of-input", &impatient(), "it still ran");
}

#[test]
fn deaths_and_floods_are_found() {
    fails("die-at-go", "go-movetime", &patient(), "exit code 42");
    fails("die-with-stderr", "go-clock", &patient(), "stderr: assertion failed");
    fails("flood", "go-depth", &patient(), "floods");
}

#[test]
fn an_engine_that_never_answers_uci_fails_the_first_check_and_skips_the_rest() {
    let hanging = Patience { start: Duration::from_millis(300), ..impatient() };
    for (vice, patience) in [("die-at-start", &patient()), ("hang-at-uci", &hanging), ("hang-at-isready", &impatient())]
    {
        let examination = examined(&mock(vice), patience, &["uci", "go-depth"]);
        let verdicts: Vec<_> = examination.reports.iter().map(|report| report.verdict).collect();
        assert_eq!(verdicts, [Verdict::Fail, Verdict::Skip], "{vice}");
    }
}

#[test]
fn after_a_death_the_next_check_has_a_living_engine() {
    let examination = examined(&mock("die-at-go"), &patient(), &["go-depth", "isready", "go-nodes", "quit"]);
    let verdicts: Vec<_> = examination.reports.iter().map(|report| (report.name, report.verdict)).collect();
    let (pass, fail) = (Verdict::Pass, Verdict::Fail);
    assert_eq!(verdicts, [("isready", pass), ("go-depth", fail), ("go-nodes", fail), ("quit", pass)]);
}

#[test]
fn what_cannot_be_examined_is_an_error() {
    let error = |command: &EngineCommand, only: &str| {
        let only: Vec<String> = only.split_whitespace().map(str::to_owned).collect();
        examine(command, &patient(), &only, |_| {}).unwrap_err()
    };
    let missing = EngineCommand::new("/no/such/engine");
    assert!(matches!(error(&missing, ""), ExaminationError::Spawn { .. }));
    assert!(matches!(error(&mock("good"), "go-deep"), ExaminationError::UnknownCheck { .. }));
    assert!(matches!(error(&mock("good").option("Hash", "0"), "uci"), ExaminationError::Option(_)));
    assert!(matches!(error(&mock("good").option("Hush", "1"), "uci"), ExaminationError::Option(_)));
}

#[test]
fn stockfish_fails_nothing() {
    let Some(command) = stockfish() else { return println!("{NO_STOCKFISH}") };
    let examination = examined(&command, &patient(), &[]);
    let failed: Vec<_> = examination.reports.iter().filter(|report| report.verdict == Verdict::Fail).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(examination.count(Verdict::Skip), 0);
    for name in ["go-searchmoves", "go-mate", "repeatable", "chess960-castling", "mate-score", "multipv"] {
        assert_eq!(named(&examination, name).verdict, Verdict::Pass, "{name}");
    }
}
