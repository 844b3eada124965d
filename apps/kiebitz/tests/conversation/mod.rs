//! The built program and a conversation with it.

use std::time::{Duration, Instant};

use kiebitz_uci::{EngineCommand, EngineProcess, Exit, Limits, Received};

/// Long for a healthy engine on a machine that does ten other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The engine as a process.
pub(crate) struct Conversation {
    process: EngineProcess,
}

/// The built program.
pub(crate) fn command() -> EngineCommand {
    EngineCommand::new(env!("CARGO_BIN_EXE_kiebitz"))
}

#[allow(dead_code, reason = "every test uses a part of this module")]
impl Conversation {
    /// Starts the engine and waits until it is ready.
    pub(crate) fn start() -> Self {
        Self::with(&command())
    }

    /// Starts this program, which runs the engine, and waits until it is ready.
    pub(crate) fn with(command: &EngineCommand) -> Self {
        let process = EngineProcess::spawn(command, &Limits::default()).expect("the program starts");
        let mut conversation = Self { process };
        conversation.send("uci");
        conversation.until("uciok");
        conversation
    }

    pub(crate) fn send(&mut self, line: &str) -> Instant {
        self.process.send(line).expect("the engine reads")
    }

    /// All lines up to the one that begins with these words, and when that one came.
    #[track_caller]
    pub(crate) fn until(&mut self, beginning: &str) -> (Vec<String>, Instant) {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.process.receive(deadline) {
                Received::Line(line) => {
                    let found = line.text.starts_with(beginning);
                    lines.push(line.text);
                    if found {
                        return (lines, line.at);
                    }
                }
                other => {
                    let last = lines.iter().rev().take(10).rev().cloned().collect::<Vec<_>>().join("\n");
                    panic!("{other:?} instead of '{beginning}' after\n{last}\n{}", self.process.stderr().join("\n"))
                }
            }
        }
    }

    /// Asks whether it is ready, and waits for the answer.
    #[track_caller]
    pub(crate) fn ready(&mut self) {
        self.send("isready");
        self.until("readyok");
    }

    /// Searches the position that is set, and gives all lines of the answer.
    #[track_caller]
    pub(crate) fn go(&mut self, order: &str) -> Vec<String> {
        self.send(order);
        self.until("bestmove").0
    }

    /// How the program ends, by itself.
    pub(crate) fn exit(&mut self) -> Option<Exit> {
        self.process.wait(PATIENCE)
    }

    /// Closes its input and waits for its end.
    pub(crate) fn close(&mut self) -> Option<Exit> {
        self.process.close(PATIENCE)
    }
}
