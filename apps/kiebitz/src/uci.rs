//! The engine as a UCI program.
//!
//! Two threads: this one reads and never waits for a search, so that `stop`, `isready` and `quit` are answered at any
//! time (only a script waits); the other one owns the engine and works off jobs in the order in which they came. Whatever
//! takes long has a signal that ends it: searches, counts, `bench` and `genfens`.

mod commands;
mod output;
mod player;
mod render;

use std::io::BufRead;
use std::sync::mpsc::{self, Sender};
use std::thread;

use kiebitz_chess::GameHistory;
use kiebitz_engine::Engine;
use kiebitz_search::SearchSignal;
use kiebitz_uci::{EngineMessage, Go, GuiMessage, Id, PositionMessage};

use commands::{Command, Extra};
pub(crate) use output::Output;
use player::{CLOCK, Job, OrderKind, Outstanding, Player};

/// The longest line that is read; a game of ten thousand moves fits.
const LONGEST_LINE_BYTES: u64 = 1 << 20;

/// How long is searched when the limit cannot be read.
const UNREADABLE_LIMIT_MS: u64 = 1000;

/// Whether more lines are to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Line,
    End,
}

/// Who is speaking to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Somebody who may interrupt: `quit` and the end of input end what is going on.
    Conversation,
    /// A list of orders, each of which is done before the next one is read.
    Script,
}

/// The reading side.
struct Session {
    output: Output,
    jobs: Sender<Job>,
    game: GameHistory,
    outstanding: Outstanding,
    pace: Pace,
}

/// Speaks UCI until `quit` or the end of input.
pub(crate) fn run(input: impl BufRead, output: Output) {
    converse(input, output, Pace::Conversation);
}

/// Works off lines that are all known from the start.
pub(crate) fn run_script(input: impl BufRead, output: Output) {
    converse(input, output, Pace::Script);
}

fn converse(input: impl BufRead, output: Output, pace: Pace) {
    let (jobs, received) = mpsc::channel();
    let outstanding = Outstanding::default();
    let mut player = Player::new(output.clone(), outstanding.clone());
    let worker = thread::spawn(move || player.work(&received));
    let mut session = Session { output, jobs, game: GameHistory::default(), outstanding, pace };
    session.read(input);
    session.outstanding.stop();
    drop(session);
    // A worker that panicked has said so on standard error.
    let _ = worker.join();
}

impl Session {
    fn read(&mut self, mut input: impl BufRead) {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut limited = std::io::Read::take(&mut input, LONGEST_LINE_BYTES);
            match limited.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes);
            self.output.log("<", line.trim_end());
            if self.obey(&line) == Next::End {
                return;
            }
            if self.pace == Pace::Script {
                self.wait_until_done();
            }
        }
    }

    fn obey(&mut self, line: &str) -> Next {
        if let Some(extra) = Extra::parse(line) {
            self.obey_extra(extra);
            return Next::Line;
        }
        let parsed = GuiMessage::parse(line);
        for complaint in &parsed.complaints {
            self.output.note(&complaint.to_string());
        }
        match parsed.message {
            None | Some(GuiMessage::Register(_) | GuiMessage::Debug(_)) => {}
            Some(GuiMessage::Uci) => self.introduce(),
            Some(GuiMessage::IsReady) => {
                // During a search the answer is due at once; after it, what was ordered since comes first.
                if self.outstanding.goes_on() {
                    self.output.send(&EngineMessage::ReadyOk);
                } else {
                    self.post(Job::Ready);
                }
            }
            Some(GuiMessage::SetOption { name, value }) => {
                if output::is_log_option(&name) {
                    self.output.set_log(value.as_deref());
                } else {
                    self.post(Job::SetOption { name, value });
                }
            }
            Some(GuiMessage::NewGame) => self.post(Job::NewGame),
            Some(GuiMessage::Position(message)) => self.set_position(&message),
            Some(GuiMessage::Go(mut go)) => {
                if !parsed.complaints.is_empty() && is_unlimited(&go) {
                    // Whoever meant a limit does not wait for a search that only `stop` ends.
                    self.output.note("no limit could be read: searching for a second");
                    go.move_time_ms = Some(UNREADABLE_LIMIT_MS);
                }
                self.go(*go);
            }
            Some(GuiMessage::Stop) => self.outstanding.stop(),
            Some(GuiMessage::PonderHit) => self.outstanding.ponder_hit(),
            Some(GuiMessage::Quit) => return Next::End,
        }
        Next::Line
    }

    fn obey_extra(&mut self, extra: Extra) {
        match extra {
            Extra::Command(command) => self.post(Job::Command { command, game: self.game.clone() }),
            Extra::Task(task) => {
                let signal = SearchSignal::new();
                self.outstanding.add(OrderKind::Task, signal.clone());
                self.post(Job::Task { task, signal });
            }
            Extra::Flip => match commands::flipped(self.game.position()) {
                Some(flipped) => {
                    self.game = GameHistory::new(flipped);
                    self.post(Job::Command { command: Command::Display, game: self.game.clone() });
                }
                None => self.output.note("this position has no mirror image"),
            },
        }
    }

    /// Waits for everything that was ordered.
    fn wait_until_done(&self) {
        let (done, told) = mpsc::channel();
        self.post(Job::Tell(done));
        // An error means that the worker is gone, which `post` has said.
        let _ = told.recv();
    }

    fn introduce(&self) {
        self.output.send(&EngineMessage::Id(Id::Name(format!("Kiebitz {}", env!("CARGO_PKG_VERSION")))));
        self.output.send(&EngineMessage::Id(Id::Author("the Kiebitz authors".into())));
        for option in Engine::options() {
            self.output.send(&EngineMessage::Option(render::declaration(&option)));
        }
        self.output.send(&EngineMessage::Option(output::log_declaration()));
        self.output.send(&EngineMessage::UciOk);
    }

    /// A position that cannot be read leaves the old one standing.
    fn set_position(&mut self, message: &PositionMessage) {
        match message.resolve() {
            Ok(game) => self.game = game,
            Err(error) => self.output.note(&format!("position refused, the last one stands: {error}")),
        }
    }

    fn go(&mut self, go: Go) {
        let asked = CLOCK.now();
        // A search that only `stop` can end would never let this one begin.
        self.outstanding.stop_searches();
        let signal = if go.ponder { SearchSignal::pondering() } else { SearchSignal::new() };
        let kind = if go.perft.is_some() { OrderKind::Task } else { OrderKind::Search };
        self.outstanding.add(kind, signal.clone());
        self.post(Job::Go { go: Box::new(go), game: self.game.clone(), signal, asked });
    }

    fn post(&self, job: Job) {
        if self.jobs.send(job).is_err() {
            self.output.note("the engine has ended unexpectedly");
        }
    }
}

/// Whether nothing was said that would end the search, nor that it shall be endless.
fn is_unlimited(go: &Go) -> bool {
    let bounded = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.move_time_ms.is_some();
    let clocked = go.white_time_ms.is_some() || go.black_time_ms.is_some();
    !bounded && !clocked && go.perft.is_none() && !go.infinite
}

#[cfg(test)]
mod tests;
