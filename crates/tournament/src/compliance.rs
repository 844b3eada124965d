//! Does an engine keep to the protocol? Numbered checks with clear verdicts.
//!
//! [`examine`] runs them against a program; [`CHECKS`] lists them. They break the protocol's order where a match never
//! would, so they speak to the [`EngineProcess`](kiebitz_uci::EngineProcess) directly.
//!
//! | part | what it asks |
//! |---|---|
//! | `handshake` | does it introduce itself, listen, and ignore what it should? |
//! | `positions` | does it understand what it is to look at? |
//! | `searching` | does it answer every kind of `go`, in time and not before? |
//! | `reports` | are its reports, scores and moves true? (over all searches of all checks) |
//! | `settings` | does it survive its own options, bad positions, and end when told? |
//!
//! **Invariants:** every check begins with an engine that answers `isready` and has the settings of the command; one
//! that failed or changed a setting is followed by a new process. No engine can hold a check longer than a few limits
//! of [`Patience`].

mod asked;
mod dialogue;
mod handshake;
mod positions;
mod reports;
mod search;
mod searching;
mod settings;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use kiebitz_uci::{EngineCommand, OptionError};
use thiserror::Error;

use dialogue::Dialogue;

/// How long a checked engine may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From the start of the program to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// From the moment an answer is due to its coming, before we call it missing.
    pub answer: Duration,
    /// From `quit` to the end of the program.
    pub quit: Duration,
    /// How long an engine is watched that should be silent.
    pub silence: Duration,
    /// What pipes and scheduling may add to a move's time before we call it late.
    pub margin: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            answer: Duration::from_secs(5),
            quit: Duration::from_secs(2),
            silence: Duration::from_millis(250),
            margin: Duration::from_millis(100),
        }
    }
}

/// What a check found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Could not be checked, or does not apply.
    Skip,
    /// Allowed or harmless, but users will notice.
    Warn,
    /// Against the protocol.
    Fail,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Pass => "PASS",
            Self::Skip => "SKIP",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
        })
    }
}

/// One thing that is checked.
pub struct Check {
    /// A short name to choose it by, such as `go-depth`.
    pub name: &'static str,
    /// What is tested, in words.
    pub about: &'static str,
    /// What goes wrong in practice with an engine that fails.
    pub why: &'static str,
    run: fn(&mut Dialogue) -> Outcome,
}

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The check's number, from 1, as in [`CHECKS`].
    pub number: usize,
    /// The check's name.
    pub name: &'static str,
    /// What was tested.
    pub about: &'static str,
    /// What a failure leads to.
    pub why: &'static str,
    /// The result.
    pub verdict: Verdict,
    /// For a pass or a skip, what else there is to know; may be empty.
    pub note: String,
    /// What should have happened; empty unless it did not.
    pub expected: String,
    /// What happened instead: `> ` marks lines sent, `< ` lines received, anything else is our remark.
    pub found: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What could be found out about an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Examination {
    /// What the engine calls itself, if it does.
    pub engine: Option<String>,
    /// One report for every check that was asked for.
    pub reports: Vec<Report>,
}

impl Examination {
    /// How many checks ended so.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.reports.iter().filter(|report| report.verdict == verdict).count()
    }
}

/// Why an engine could not be examined at all.
#[derive(Debug, Error)]
pub enum ExaminationError {
    /// The program could not be started.
    #[error("cannot start {}: {error}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The engine has no such option, or the value does not fit.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is no such check.
    #[error("there is no check '{name}'; use a number from 1 to {} or one of: {}", CHECKS.len(), names())]
    UnknownCheck {
        /// What was asked for.
        name: String,
    },
}

fn names() -> String {
    CHECKS.iter().map(|check| check.name).collect::<Vec<_>>().join(", ")
}

/// The note of all checks that are skipped because the engine does not come up any more.
pub const OUT_OF_REACH: &str = "the engine could not be brought to answer uci and isready";

/// The result of one check's code.
type Outcome = Result<Note, Objection>;

/// What a check says when nothing is wrong.
enum Note {
    Fine(String),
    Skipped(String),
}

/// Nothing to add.
fn fine() -> Outcome {
    Ok(Note::Fine(String::new()))
}

fn fine_with(note: impl Into<String>) -> Outcome {
    Ok(Note::Fine(note.into()))
}

fn skipped(reason: impl Into<String>) -> Outcome {
    Ok(Note::Skipped(reason.into()))
}

/// What is wrong.
#[derive(Debug)]
struct Objection {
    verdict: Verdict,
    expected: String,
    found: Vec<String>,
}

impl Objection {
    fn fail(expected: impl Into<String>, found: Vec<String>) -> Self {
        Self { verdict: Verdict::Fail, expected: expected.into(), found }
    }

    fn warn(expected: impl Into<String>, found: Vec<String>) -> Self {
        Self { verdict: Verdict::Warn, expected: expected.into(), found }
    }

    /// The same, but no more than a warning.
    fn softened(self) -> Self {
        Self { verdict: Verdict::Warn, ..self }
    }
}

/// All checks, in the order they are run.
pub static CHECKS: &[Check] = &[
    handshake::INTRODUCTION,
    handshake::OPTION_LINES,
    handshake::OBLIGATORY_OPTIONS,
    handshake::READY,
    handshake::READY_SEARCHING,
    handshake::UNKNOWN_COMMANDS,
    handshake::WHITE_SPACE,
    handshake::STOP_IDLE,
    handshake::NEW_GAME,
    positions::START,
    positions::FEN,
    positions::MOVES,
    positions::LONG_HISTORY,
    positions::NO_MOVES,
    positions::CASTLING,
    positions::CHESS960,
    positions::CHESS960_FENS,
    searching::DEPTH,
    searching::NODES,
    searching::MOVE_TIME,
    searching::CLOCK,
    searching::MOVES_TO_GO,
    searching::ONE_CLOCK,
    searching::SHORTEST,
    searching::ZERO_INCREMENT,
    searching::INFINITE,
    searching::INFINITE_MATE,
    searching::PONDER_HIT,
    searching::PONDER_STOP,
    searching::MATE,
    searching::SEARCH_MOVES,
    searching::REPEATABLE,
    searching::MULTI_PV,
    reports::SCORE_VIEW,
    reports::MATE_SCORE,
    reports::SCORED,
    reports::INTEGERS,
    reports::READABLE,
    reports::LEGAL_BEST_MOVE,
    reports::LEGAL_PONDER,
    reports::ONE_BEST_MOVE,
    reports::LEGAL_PV,
    reports::MATE_PV,
    settings::SPIN_LIMITS,
    settings::SPIN_BEYOND,
    settings::SPIN_TEXT,
    settings::UNKNOWN_OPTION,
    settings::BAD_FEN,
    settings::END_OF_INPUT,
    settings::QUIT,
    settings::QUIT_SEARCHING,
];

/// The numbers (from 0) of the checks with these names or numbers (from 1); all, if none are given.
fn choose(only: &[String]) -> Result<Vec<usize>, ExaminationError> {
    let find = |name: &String| {
        let by_number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let by_name = || CHECKS.iter().position(|check| check.name.eq_ignore_ascii_case(name));
        let found = by_number.filter(|&index| index < CHECKS.len()).or_else(by_name);
        found.ok_or_else(|| ExaminationError::UnknownCheck { name: name.clone() })
    };
    let mut chosen = if only.is_empty() {
        (0..CHECKS.len()).collect()
    } else {
        only.iter().map(find).collect::<Result<Vec<_>, _>>()?
    };
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Runs the checks with these names or numbers, all if none are given, and hands every report over as it comes.
///
/// # Errors
/// If there is no such check, the program cannot be started, or the command's options do not fit. Everything the
/// engine itself does wrong is a report.
pub fn examine(
    command: &EngineCommand,
    patience: &Patience,
    only: &[String],
    mut on_report: impl FnMut(&Report),
) -> Result<Examination, ExaminationError> {
    let chosen = choose(only)?;
    let mut dialogue = Dialogue::new(command.clone(), patience.clone());
    dialogue.spawn().map_err(|error| ExaminationError::Spawn { program: command.program.clone(), error })?;
    let mut broken = dialogue.introduce().err();
    let mut out_of_reach = false;
    if broken.is_none() {
        dialogue.check_settings()?;
    }
    let mut examination = Examination { engine: dialogue.name(), reports: Vec::new() };
    for index in chosen {
        let check = &CHECKS[index];
        let begun = Instant::now();
        let outcome = match &broken {
            // The first check tells why; the others could only repeat it.
            Some(_) if index > 0 => skipped(OUT_OF_REACH),
            _ => broken.take().map_or_else(|| (check.run)(&mut dialogue), Err),
        };
        let verdict = outcome.as_ref().err().map(|objection| objection.verdict);
        let report = report(index, check, outcome, begun.elapsed());
        out_of_reach |= report.note == OUT_OF_REACH;
        on_report(&report);
        examination.reports.push(report);
        if !out_of_reach {
            let failed = verdict == Some(Verdict::Fail);
            // A second try: it may have been the machine. More would take forever with an engine that hangs.
            broken = dialogue.reset(failed).or_else(|_| dialogue.restart()).err();
        }
    }
    Ok(examination)
}

fn report(index: usize, check: &Check, outcome: Outcome, elapsed: Duration) -> Report {
    let (verdict, note, expected, found) = match outcome {
        Ok(Note::Fine(note)) => (Verdict::Pass, note, String::new(), Vec::new()),
        Ok(Note::Skipped(reason)) => (Verdict::Skip, reason, String::new(), Vec::new()),
        Err(Objection { verdict, expected, found }) => (verdict, String::new(), expected, found),
    };
    let Check { name, about, why, .. } = *check;
    Report { number: index + 1, name, about, why, verdict, note, expected, found, elapsed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_chosen_by_name_or_number() {
        let chosen = |names: &[&str]| choose(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(chosen(&["go-depth", "1", "GO-DEPTH"]).unwrap(), [0, 17]);
        assert_eq!(chosen(&[]).unwrap().len(), CHECKS.len());
        for wrong in ["0", "1000", "go-deep", ""] {
            assert!(chosen(&[wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_unique() {
        for (index, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[..index].iter().all(|earlier| earlier.name != check.name), "{}", check.name);
        }
    }
}
