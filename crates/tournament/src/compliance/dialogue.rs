//! The examiner's side of a conversation: it keeps what was said, and may break the order.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use kiebitz_chess::CastlingForm;
use kiebitz_uci::{
    BestMove, Complaint, EngineCommand, EngineMessage, EngineProcess, GuiMessage, Id, Info, Limits, OptionDeclaration,
    OptionError, OptionKind, Received, find_option,
};

use super::asked::Asked;
use super::search::{Search, shown};
use super::{Objection, Patience};

/// Lines that are shown with a failure.
const SHOWN: usize = 8;

/// A search that goes on.
struct Current {
    asked: Asked,
    go: String,
    begun: Instant,
    infos: Vec<(Info, String)>,
    complaints: Vec<(Complaint, String)>,
}

/// A conversation, through several processes if need be.
pub(super) struct Dialogue {
    command: EngineCommand,
    pub(super) patience: Patience,
    process: Option<EngineProcess>,
    /// What came between `uci` and `uciok`.
    pub(super) introduction: Vec<String>,
    pub(super) options: Vec<OptionDeclaration>,
    form: CastlingForm,
    current: Option<Current>,
    transcript: VecDeque<String>,
    /// A setting was changed, or the process is used up.
    altered: bool,
    /// All searches that were answered, of all processes.
    pub(super) searches: Vec<Search>,
    /// Answers nobody had asked for, with what was said before.
    pub(super) strays: Vec<Vec<String>>,
}

impl Dialogue {
    pub(super) fn new(command: EngineCommand, patience: Patience) -> Self {
        Self {
            command,
            patience,
            process: None,
            introduction: Vec::new(),
            options: Vec::new(),
            form: CastlingForm::KingMove,
            current: None,
            transcript: VecDeque::new(),
            altered: false,
            searches: Vec::new(),
            strays: Vec::new(),
        }
    }

    pub(super) fn spawn(&mut self) -> io::Result<()> {
        let limits = Limits {
            start: self.patience.start,
            ready: self.patience.ready,
            quit: self.patience.quit,
            ..Limits::default()
        };
        // The old process goes first: two at once could be too much for small machines.
        self.process = None;
        self.process = Some(EngineProcess::spawn(&self.command, &limits)?);
        self.current = None;
        self.form = CastlingForm::KingMove;
        self.altered = false;
        self.transcript.clear();
        Ok(())
    }

    /// The handshake, the command's settings, and the first `isready`.
    pub(super) fn introduce(&mut self) -> Result<(), Objection> {
        self.introduction.clear();
        self.options.clear();
        self.send("uci")?;
        let limit = self.patience.start;
        let deadline = Instant::now() + limit;
        loop {
            let Some(line) = self.line(deadline)? else {
                return Err(self.objection(format!("uciok within {limit:?} of uci")));
            };
            let message = EngineMessage::parse(&line).message;
            self.introduction.push(line);
            match message {
                Some(EngineMessage::UciOk) => break,
                Some(EngineMessage::Option(option)) => self.options.push(option),
                _ => {}
            }
        }
        for (name, value) in self.command.options.clone() {
            // Misfits are told before the first check.
            if let Ok(message) = self.setting(&name, value.as_deref()) {
                self.note_form(&message);
                self.send(message)?;
            }
        }
        self.ready().map(|_| ())
    }

    /// Whether the command's settings fit the engine.
    pub(super) fn check_settings(&self) -> Result<(), OptionError> {
        self.command.options.iter().try_for_each(|(name, value)| self.setting(name, value.as_deref()).map(|_| ()))
    }

    fn setting(&self, name: &str, value: Option<&str>) -> Result<GuiMessage, OptionError> {
        let offered = || self.options.iter().map(|option| option.name.clone()).collect();
        let option = find_option(&self.options, name)
            .ok_or_else(|| OptionError::Unknown { name: name.to_owned(), offered: offered() })?;
        option.set(value)
    }

    fn note_form(&mut self, message: &GuiMessage) {
        if let GuiMessage::SetOption { name, value } = message
            && name.eq_ignore_ascii_case("UCI_Chess960")
        {
            let on = value.as_deref() == Some("true");
            self.form = if on { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
        }
    }

    /// Sets an option the engine has, for the rest of the check.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), Objection> {
        self.altered = true;
        let message = GuiMessage::SetOption { name: name.to_owned(), value: Some(value.to_owned()) };
        self.note_form(&message);
        self.send(message)
    }

    /// The next check gets a new process.
    pub(super) fn use_up(&mut self) {
        self.altered = true;
    }

    /// What the engine calls itself.
    pub(super) fn name(&self) -> Option<String> {
        self.introduction.iter().find_map(|line| match EngineMessage::parse(line).message {
            Some(EngineMessage::Id(Id::Name(name))) => Some(name),
            _ => None,
        })
    }

    /// Brings the engine into the state every check begins with.
    pub(super) fn reset(&mut self, failed: bool) -> Result<(), Objection> {
        if !failed && !self.altered && self.current.is_none() {
            self.transcript.clear();
            let new_game = self.send("ucinewgame").and_then(|()| self.ready());
            if new_game.is_ok() {
                return Ok(());
            }
        }
        self.restart()
    }

    /// A new process.
    pub(super) fn restart(&mut self) -> Result<(), Objection> {
        let spawned = self.spawn();
        spawned.map_err(|error| Objection::fail("a second start", vec![format!("cannot be started: {error}")]))?;
        self.introduce()
    }

    /// Sends a line as it is.
    pub(super) fn send(&mut self, line: impl std::fmt::Display) -> Result<(), Objection> {
        let line = line.to_string();
        let result = self.process.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |process| process.send(&line));
        self.note('>', line.trim_end());
        match result {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.died()),
            Err(error) => {
                let mut objection = self.objection("an engine that reads its input");
                objection.found.push(format!("writing failed: {error}"));
                Err(objection)
            }
        }
    }

    /// The next line; none if none comes before `deadline`.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<Option<String>, Objection> {
        let received = self.process.as_mut().map_or(Received::Closed, |process| process.receive(deadline));
        match received {
            Received::Line(line) => {
                self.note('<', &line.text);
                Ok(Some(line.text))
            }
            Received::TimeUp => Ok(None),
            Received::Flood => {
                let mut objection = self.objection("a bearable number of lines");
                objection.found.push("the engine floods its output and was cut off".into());
                Err(objection)
            }
            Received::Closed => Err(self.died()),
        }
    }

    fn note(&mut self, mark: char, line: &str) {
        if self.transcript.len() == SHOWN {
            // What was asked explains more than the oldest of a thousand reports.
            let report = self.transcript.iter().position(|line| line.starts_with("< info"));
            self.transcript.remove(report.unwrap_or(0));
        }
        self.transcript.push_back(shown(mark, line));
    }

    /// A failure that shows what was said last.
    pub(super) fn objection(&self, expected: impl Into<String>) -> Objection {
        Objection::fail(expected, self.transcript.iter().cloned().collect())
    }

    fn died(&mut self) -> Objection {
        let mut objection = self.objection("an engine that keeps running");
        if let Some(process) = &mut self.process {
            let exit = process.wait(self.patience.quit);
            let exit = exit.map_or_else(|| "it closed its output".to_owned(), |exit| format!("it ended: {exit}"));
            objection.found.push(exit);
            objection
                .found
                .extend(process.last_stderr().iter().rev().take(SHOWN).rev().map(|line| format!("stderr: {line}")));
        }
        self.altered = true;
        objection
    }

    /// Sends `isready` and waits; tells how long it took.
    pub(super) fn ready(&mut self) -> Result<Duration, Objection> {
        self.ready_as("isready")
    }

    /// The same with another spelling of `isready`.
    pub(super) fn ready_as(&mut self, command: &str) -> Result<Duration, Objection> {
        let begun = Instant::now();
        self.send(command)?;
        let limit = self.patience.ready;
        loop {
            let Some(line) = self.line(begun + limit)? else {
                self.altered = true;
                return Err(self.objection(format!("readyok within {limit:?}")));
            };
            match EngineMessage::parse(&line).message {
                Some(EngineMessage::ReadyOk) => return Ok(begun.elapsed()),
                Some(EngineMessage::BestMove(_)) if self.current.is_none() => self.stray(),
                Some(EngineMessage::BestMove(best)) => {
                    self.finish(best, line);
                }
                Some(EngineMessage::Info(info)) => self.report(*info, line),
                _ => {}
            }
        }
    }

    fn stray(&mut self) {
        self.strays.push(self.transcript.iter().cloned().collect());
    }

    fn report(&mut self, info: Info, line: String) {
        if let Some(current) = &mut self.current {
            current.infos.push((info, line));
        }
    }

    fn finish(&mut self, best: BestMove, best_line: String) -> Option<Search> {
        let Current { asked, go, begun, infos, complaints } = self.current.take()?;
        let elapsed = begun.elapsed();
        let search = Search { asked, go, form: self.form, infos, complaints, best, best_line, elapsed };
        self.searches.push(search.clone());
        Some(search)
    }

    /// Begins a search; everything said before counts as said before.
    pub(super) fn go(&mut self, asked: &Asked, go: &str) -> Result<(), Objection> {
        self.send(&asked.command)?;
        self.ready()?;
        let begun = Instant::now();
        self.send(go)?;
        let (asked, go) = (asked.clone(), go.to_owned());
        self.current = Some(Current { asked, go, begun, infos: Vec::new(), complaints: Vec::new() });
        Ok(())
    }

    /// Whether the search has not been answered yet.
    pub(super) fn is_searching(&self) -> bool {
        self.current.is_some()
    }

    /// Waits for the answer; none if it does not come within `limit`.
    pub(super) fn wait(&mut self, limit: Duration) -> Result<Option<Search>, Objection> {
        let deadline = Instant::now() + limit;
        while let Some(line) = self.line(deadline)? {
            let parsed = EngineMessage::parse(&line);
            if let Some(current) = &mut self.current {
                current.complaints.extend(parsed.complaints.into_iter().map(|complaint| (complaint, line.clone())));
            }
            match parsed.message {
                Some(EngineMessage::Info(info)) => self.report(*info, line),
                Some(EngineMessage::BestMove(best)) => match self.finish(best, line) {
                    Some(search) => return Ok(Some(search)),
                    None => self.stray(),
                },
                _ => {}
            }
        }
        Ok(None)
    }

    /// Waits for the answer that is due now.
    pub(super) fn answer(&mut self, due: Duration) -> Result<Search, Objection> {
        let limit = due + self.patience.answer;
        self.wait(limit)?.ok_or_else(|| self.objection(format!("bestmove within {limit:?}")))
    }

    /// A whole search that ends by itself, after `due` at the latest.
    pub(super) fn search(&mut self, asked: &Asked, go: &str, due: Duration) -> Result<Search, Objection> {
        self.go(asked, go)?;
        self.answer(due)
    }

    /// Watches an engine that must not answer yet.
    pub(super) fn stays_silent(&mut self, until: &str) -> Result<(), Objection> {
        let answered = self.wait(self.patience.silence)?;
        match answered {
            Some(_) => Err(self.objection(format!("no bestmove before {until}"))),
            None => Ok(()),
        }
    }

    /// Whether the program ends within the limit, its input still open.
    pub(super) fn ends(&mut self) -> Option<kiebitz_uci::Exit> {
        self.altered = true;
        let deadline = Instant::now() + self.patience.quit;
        let process = self.process.as_mut()?;
        while let Received::Line(_) = process.receive(deadline) {
            if Instant::now() >= deadline {
                break;
            }
        }
        process.wait(deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether the program ends within the limit once its input is closed.
    pub(super) fn ends_without_input(&mut self) -> Option<kiebitz_uci::Exit> {
        self.altered = true;
        self.note('>', "(end of input)");
        let quit = self.patience.quit;
        self.process.as_mut()?.close(quit)
    }

    /// The option's exact name, if the engine has it.
    pub(super) fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        find_option(&self.options, name)
    }

    /// All integer options: name, default, smallest and largest value.
    pub(super) fn spins(&self) -> Vec<(String, i64, i64, i64)> {
        let spin = |option: &OptionDeclaration| match &option.kind {
            OptionKind::Spin { default, range } => Some((option.name.clone(), *default, *range.start(), *range.end())),
            _ => None,
        };
        self.options.iter().filter_map(spin).collect()
    }
}
