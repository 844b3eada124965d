//! A conversation with a foreign engine, in the protocol's order.

mod search;
mod told_game;
mod traffic;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use kiebitz_chess::CastlingForm;

use crate::affinity::Pinning;
use crate::command::EngineCommand;
use crate::error::{Awaited, EngineError, EngineProblem, Exit};
use crate::incident::Incidents;
use crate::latency::Latency;
use crate::limits::{Limits, deadline};
use crate::message::{
    EngineMessage, GuiMessage, Id, OptionDeclaration, OptionError, OptionKind, find_option, same_name,
};
use crate::process::{Direction, EngineProcess};
use crate::reader::{Line, Reports};
use search::{Hearing, Search};
use told_game::ToldGame;

/// The option that switches to Chess960.
const CHESS960: &str = "UCI_Chess960";
/// Lines set aside while `readyok` is awaited during a search; further reports are dropped, answers never.
const ASIDE: usize = 4096;

/// An engine that has introduced itself.
///
/// Whatever it does, no call takes longer than its limit. Errors that end the conversation
/// ([`EngineError::is_fatal`]) leave an engine that can be [restarted](Self::restart); everything else it does
/// wrong is collected as [`Incident`](crate::Incident)s.
///
/// ```no_run
/// use std::time::Duration;
///
/// use kiebitz_chess::GameHistory;
/// use kiebitz_uci::{Engine, EngineCommand, Go, Limits};
///
/// let command = EngineCommand::new("stockfish").option("Hash", "32");
/// let mut engine = Engine::start(command, Limits::default())?;
/// engine.new_game()?;
/// let answer = engine.search(&GameHistory::default(), &Go::nodes(1000), Duration::from_secs(10), |_, _| {})?;
/// assert!(answer.best.is_some());
/// engine.quit()?;
/// # Ok::<(), kiebitz_uci::EngineError>(())
/// ```
pub struct Engine {
    command: EngineCommand,
    limits: Limits,
    process: EngineProcess,
    introduced: bool,
    name: Option<String>,
    author: Option<String>,
    options: Vec<OptionDeclaration>,
    /// What has been set, to be set again after a restart.
    settings: Vec<(String, Option<String>)>,
    form: CastlingForm,
    search: Option<Search>,
    /// The game of the last search.
    told: ToldGame,
    /// Reports of the search in progress that nobody has looked at.
    reports: Reports,
    /// Lines that came during a search while `readyok` was awaited.
    aside: VecDeque<Line>,
    incidents: Incidents,
    round_trips: Latency,
    forwarding: Latency,
    restarts: u32,
}

impl Engine {
    /// Starts an engine, lets it introduce itself, sets the command's options and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started, does not answer in time, or has no such options.
    pub fn start(command: EngineCommand, limits: Limits) -> Result<Self, EngineError> {
        let process = spawn(&command, &limits)?;
        Self::converse(command, limits, process)
    }

    /// The same with an observer that sees every line in either direction from the first one on, for a log. It
    /// stays through restarts.
    ///
    /// # Errors
    /// As for [`Self::start`].
    pub fn start_observed(
        command: EngineCommand,
        limits: Limits,
        observer: impl FnMut(Direction, Instant, &str) + Send + 'static,
    ) -> Result<Self, EngineError> {
        let mut process = spawn(&command, &limits)?;
        process.observe(observer);
        Self::converse(command, limits, process)
    }

    fn converse(command: EngineCommand, limits: Limits, process: EngineProcess) -> Result<Self, EngineError> {
        let settings = command.options.clone();
        let mut engine = Self {
            command,
            limits,
            process,
            introduced: false,
            name: None,
            author: None,
            options: Vec::new(),
            settings,
            form: CastlingForm::KingMove,
            search: None,
            told: ToldGame::default(),
            reports: Reports::default(),
            aside: VecDeque::new(),
            incidents: Incidents::default(),
            round_trips: Latency::default(),
            forwarding: Latency::default(),
            restarts: 0,
        };
        engine.introduce()?;
        Ok(engine)
    }

    /// Kills the engine, if it still lives, and starts it again with everything that had been set. A search in
    /// progress is lost.
    ///
    /// # Errors
    /// As for [`Self::start`].
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process.kill();
        let mut process = spawn(&self.command, &self.limits)?;
        process.inherit_observer(&mut self.process);
        self.process = process;
        self.introduced = false;
        self.options.clear();
        self.search = None;
        self.aside.clear();
        self.restarts += 1;
        self.introduce()
    }

    fn introduce(&mut self) -> Result<(), EngineError> {
        self.send(&GuiMessage::Uci)?;
        let deadline = deadline(self.limits.start);
        loop {
            let line = self.receive(deadline, Awaited::UciOk, self.limits.start)?;
            match self.read(&line) {
                Some(EngineMessage::UciOk) => break,
                Some(EngineMessage::Id(Id::Name(name))) => self.name = Some(name),
                Some(EngineMessage::Id(Id::Author(author))) => self.author = Some(author),
                Some(EngineMessage::Option(option)) => self.options.push(option),
                Some(message) => self.pass_over(message),
                None => {}
            }
        }
        self.introduced = true;
        for (name, value) in self.settings.clone() {
            self.set_option(&name, value.as_deref())?;
        }
        self.synchronise()?;
        Ok(())
    }

    /// The name it gave itself, else what the command calls it.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.command.label())
    }

    /// Who wrote it, if it says so.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// What can be set.
    #[must_use]
    pub fn options(&self) -> &[OptionDeclaration] {
        &self.options
    }

    /// How it was started.
    #[must_use]
    pub fn command(&self) -> &EngineCommand {
        &self.command
    }

    /// How often it was restarted.
    #[must_use]
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// How castling is written to and by it.
    #[must_use]
    pub fn castling_form(&self) -> CastlingForm {
        self.form
    }

    /// The process beneath, for logs and for those who must break the protocol's order.
    pub fn process(&mut self) -> &mut EngineProcess {
        &mut self.process
    }

    /// What it did wrong since the last time this was asked.
    pub fn take_incidents(&mut self) -> Incidents {
        std::mem::take(&mut self.incidents)
    }

    /// Times from `isready` to `readyok`: what pipes and scheduling cost, apart from all thinking.
    #[must_use]
    pub fn round_trips(&self) -> &Latency {
        &self.round_trips
    }

    /// Times from the arrival of an answer to its being handed over: our own share of the delay.
    #[must_use]
    pub fn forwarding(&self) -> &Latency {
        &self.forwarding
    }

    /// Sets an option; neither case nor spacing of its name matters. It is set again after a restart.
    ///
    /// # Errors
    /// If there is no such option or the value does not fit, with what there is and what would fit.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let Some(option) = find_option(&self.options, name) else {
            let offered = self.options.iter().map(|option| option.name.clone()).collect();
            return Err(self.error(OptionError::Unknown { name: name.to_owned(), offered }));
        };
        let is_button = option.kind == OptionKind::Button;
        let message = option.set(value).map_err(|problem| self.error(problem))?;
        self.send(&message)?;
        let GuiMessage::SetOption { name, value } = message else { return Ok(()) };
        if name.eq_ignore_ascii_case(CHESS960) {
            let on = value.as_deref() == Some("true");
            self.form = if on { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
        }
        if !is_button {
            match self.settings.iter_mut().find(|(known, _)| same_name(known, &name)) {
                Some(setting) => setting.1 = value,
                None => self.settings.push((name, value)),
            }
        }
        Ok(())
    }

    /// Switches between standard chess and Chess960; does nothing if that is already so.
    ///
    /// # Errors
    /// If the engine does not know Chess960.
    pub fn set_castling_form(&mut self, form: CastlingForm) -> Result<(), EngineError> {
        if form == self.form {
            return Ok(());
        }
        let on = form == CastlingForm::KingTakesRook;
        self.set_option(CHESS960, Some(if on { "true" } else { "false" }))
    }

    /// Holds the engine to some processors from now on, also after a restart.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn pin(&mut self, cpus: &[usize]) -> Result<Pinning, EngineError> {
        let pinning = self.process.pin(cpus).map_err(|error| self.error(EngineProblem::Affinity(error)))?;
        self.command.cpus = cpus.to_vec();
        Ok(pinning)
    }

    /// Takes what the engine says while another one is listened to, so that it is not blocked.
    pub fn attend(&mut self) {
        self.process.attend();
    }

    /// Tells that another game begins and waits until the engine is ready for it.
    ///
    /// # Errors
    /// If it does not answer in time.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.settle()?;
        self.send(&GuiMessage::NewGame)?;
        self.synchronise()?;
        Ok(())
    }

    /// Asks whether the engine is ready, also during a search, and tells how long that took.
    ///
    /// # Errors
    /// If it does not answer in time.
    pub fn synchronise(&mut self) -> Result<Duration, EngineError> {
        if self.search.is_some() {
            // Otherwise it would not be known which of two questions a `readyok` answers.
            self.await_ready(Hearing::All)?;
        }
        let limit = self.limits.ready;
        let asked = self.send(&GuiMessage::IsReady)?;
        let deadline = deadline(limit);
        loop {
            let line = self.receive(deadline, Awaited::ReadyOk, limit)?;
            let message = EngineMessage::parse(&line.text).message;
            let is_answer = matches!(message, Some(EngineMessage::BestMove(_)));
            match message {
                Some(EngineMessage::ReadyOk) if line.at >= asked => {
                    self.read(&line);
                    let round_trip = line.at.saturating_duration_since(asked);
                    self.round_trips.record(round_trip);
                    return Ok(round_trip);
                }
                _ if self.search.is_some() => {
                    if is_answer || self.aside.len() < ASIDE {
                        self.aside.push_back(line);
                    }
                }
                _ => {
                    if let Some(message) = self.read(&line) {
                        self.pass_over(message);
                    }
                }
            }
        }
    }

    /// Asks the engine to end. It is killed if it does not.
    ///
    /// # Errors
    /// If it had to be killed.
    pub fn quit(mut self) -> Result<Exit, EngineError> {
        let limit = self.limits.quit;
        // Whether it still listens shows in whether it ends.
        let _ = self.process.send(GuiMessage::Quit);
        self.process.close(limit).ok_or_else(|| {
            self.process.kill();
            self.error(EngineProblem::NoAnswer { awaited: Awaited::Exit, limit, stderr: self.process.last_stderr() })
        })
    }
}

fn spawn(command: &EngineCommand, limits: &Limits) -> Result<EngineProcess, EngineError> {
    EngineProcess::spawn(command, limits).map_err(|error| EngineError {
        engine: command.label(),
        problem: Box::new(EngineProblem::Spawn { program: command.program.clone(), error }),
    })
}
