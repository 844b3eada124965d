//! Lines to and from an engine: what they mean, what is wrong with them, and why none comes.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::Engine;
use crate::complaint::{Complaint, excerpt};
use crate::error::{Awaited, EngineError, EngineProblem, Exit};
use crate::incident::Incident;
use crate::message::{EngineMessage, GuiMessage, Verdict};
use crate::reader::{Line, Received};

/// How long a program whose output has closed may take to end.
const DYING: Duration = Duration::from_secs(2);

impl Engine {
    /// Sends a message and tells apart why it could not be sent.
    pub(super) fn send(&mut self, message: &GuiMessage) -> Result<Instant, EngineError> {
        self.send_together(&[message])
    }

    /// The same for several messages at once.
    pub(super) fn send_together(&mut self, messages: &[&dyn fmt::Display]) -> Result<Instant, EngineError> {
        self.process.send_together(messages).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => self.death(Awaited::Nothing),
            io::ErrorKind::TimedOut => self.error(EngineProblem::Deaf { limit: self.limits.write }),
            _ => self.error(EngineProblem::Write(error)),
        })
    }

    /// The next line, or why there is none.
    pub(super) fn receive(
        &mut self,
        deadline: Instant,
        awaited: Awaited,
        limit: Duration,
    ) -> Result<Line, EngineError> {
        match self.receive_or_none(deadline, awaited)? {
            Some(line) => Ok(line),
            None => Err(self.no_answer(awaited, limit)),
        }
    }

    /// The next line; none if the time is up.
    pub(super) fn receive_or_none(&mut self, deadline: Instant, awaited: Awaited) -> Result<Option<Line>, EngineError> {
        let received = self.process.receive(deadline);
        self.sort_out(received, deadline, awaited)
    }

    /// The same, but reports are put by for [`Search`](super::search::Search) to look at the last one.
    pub(super) fn receive_but_reports(
        &mut self,
        deadline: Instant,
        awaited: Awaited,
    ) -> Result<Option<Line>, EngineError> {
        let received = self.process.receive_but_reports(deadline, &mut self.reports);
        self.sort_out(received, deadline, awaited)
    }

    fn sort_out(
        &mut self,
        received: Received,
        deadline: Instant,
        awaited: Awaited,
    ) -> Result<Option<Line>, EngineError> {
        match received {
            // An engine that never stops talking must not make us wait longer than one that is silent.
            Received::Line(line) if line.at <= deadline => Ok(Some(line)),
            Received::Line(line) => {
                self.aside.push_back(line);
                Ok(None)
            }
            Received::TimeUp => Ok(None),
            Received::Closed => Err(self.death(awaited)),
            Received::Flood => {
                self.process.kill();
                Err(self.error(EngineProblem::Flood { lines_per_second: self.limits.lines_per_second }))
            }
        }
    }

    /// Reads a line and notes what is wrong with it.
    pub(super) fn read(&mut self, line: &Line) -> Option<EngineMessage> {
        let parsed = EngineMessage::parse(&line.text);
        for complaint in line.complaints.iter().chain(&parsed.complaints) {
            // Before its introduction an engine may greet as it likes.
            let is_greeting = !self.introduced && matches!(complaint, Complaint::UnknownMessage { .. });
            if !is_greeting {
                let incident = Incident::Complaint { line: excerpt(&line.text), complaint: complaint.clone() };
                self.incidents.push(incident);
            }
        }
        parsed.message
    }

    /// Notes a message that nobody waits for, if it is wrong to send it now.
    pub(super) fn pass_over(&mut self, message: EngineMessage) {
        self.incidents.push(match message {
            EngineMessage::BestMove(best) => Incident::UnaskedBestMove(best),
            EngineMessage::ReadyOk => Incident::UnaskedReadyOk,
            EngineMessage::Info(_)
            | EngineMessage::CopyProtection(Verdict::Ok | Verdict::Checking)
            | EngineMessage::Registration(Verdict::Ok | Verdict::Checking) => return,
            other => Incident::OutOfPlace(excerpt(&other.to_string())),
        });
    }

    pub(super) fn error(&self, problem: impl Into<EngineProblem>) -> EngineError {
        EngineError { engine: self.command.label(), problem: Box::new(problem.into()) }
    }

    pub(super) fn no_answer(&self, awaited: Awaited, limit: Duration) -> EngineError {
        self.error(EngineProblem::NoAnswer { awaited, limit, stderr: self.process.stderr() })
    }

    /// Finds out how an engine ended that has closed a pipe. One that has not ended is killed: without its
    /// pipes it is of no use.
    pub(super) fn death(&mut self, awaited: Awaited) -> EngineError {
        let exit = self.process.wait(DYING);
        if exit.is_none() {
            self.process.kill();
        }
        let stderr = self.process.last_stderr();
        self.error(EngineProblem::Died { awaited, exit: exit.unwrap_or(Exit::Unknown), stderr })
    }
}
