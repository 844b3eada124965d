//! Mock engines, and limits that are short for them and long for a busy machine.

use std::time::Duration;

use kiebitz_uci::{Engine, EngineCommand, EngineError, EngineProblem, Limits};

/// What a healthy step may take on a machine that does ten other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// What we wait for something that never comes.
pub(crate) const BRIEF: Duration = Duration::from_millis(120);

pub(crate) fn mock(vice: &str) -> EngineCommand {
    EngineCommand::new(env!("CARGO_BIN_EXE_uci-mock-engine")).argument(vice)
}

pub(crate) fn patient() -> Limits {
    Limits { start: PATIENCE, ready: PATIENCE, stop: PATIENCE, quit: PATIENCE, write: PATIENCE, ..Limits::default() }
}

pub(crate) fn start(vice: &str, limits: Limits) -> Result<Engine, EngineError> {
    Engine::start(mock(vice), limits)
}

/// What went wrong.
pub(crate) fn problem<T>(result: Result<T, EngineError>) -> EngineProblem {
    match result {
        Ok(_) => panic!("an error was expected"),
        Err(error) => *error.problem,
    }
}
