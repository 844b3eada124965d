//! Searches: asking, waiting, stopping, and what may go wrong in between.

use std::time::{Duration, Instant};

use kiebitz_chess::{CastlingForm, GameHistory, Position};

use super::Engine;
use crate::answer::Answer;
use crate::error::{Awaited, BestMoveProblem, EngineError, EngineProblem};
use crate::incident::Incident;
use crate::limits::{deadline, deadline_from};
use crate::message::{BestMove, EngineMessage, Go, GuiMessage, Info};
use crate::reader::{Line, is_report, looks_like_main_line};

/// What becomes of reports.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hearing {
    /// Each one is handed over.
    All,
    /// They are counted, and the last one on the first choice is kept.
    Last,
}

/// Who hears every report, and when it arrived.
type Listener<'a> = &'a mut dyn FnMut(&Info, Instant);

/// A search that has not been answered yet.
pub(super) struct Search {
    /// What was asked about.
    position: Position,
    /// When it was asked about: from here on the engine's time is counted.
    begun: Instant,
    /// The engine has said that it has read the question. What it said before answers something earlier.
    is_read: bool,
    /// When it was told that the expected move was played.
    hit: Option<Instant>,
    /// `stop` or `ponderhit` has to come before the answer.
    waits: bool,
    /// When it came.
    released: Option<Instant>,
    /// The last report on the first choice.
    info: Option<Info>,
    /// A later one that has not been read yet.
    unread: Option<Line>,
    infos: u64,
}

impl Engine {
    /// Searches and waits for the answer. After `limit` the search is stopped; the answer to that counts too, and
    /// its [`Answer::elapsed`] tells whether it was late. Every report is handed to `on_info` with the time it
    /// arrived.
    ///
    /// # Errors
    /// If no answer comes, or one that is no legal move.
    pub fn search(
        &mut self,
        game: &GameHistory,
        go: &Go,
        limit: Duration,
        mut on_info: impl FnMut(&Info, Instant),
    ) -> Result<Answer, EngineError> {
        self.go(game, go)?;
        if let Some(answer) = self.wait(limit, &mut on_info)? {
            return Ok(answer);
        }
        self.stop()?;
        let patience = self.limits.stop;
        let answer = self.wait(patience, on_info)?;
        answer.ok_or_else(|| self.no_answer(Awaited::BestMove, limit.saturating_add(patience)))
    }

    /// Begins a search, without waiting for anything. Between position and `go` the engine is asked whether it is ready:
    /// whatever it says before its `readyok` answers something earlier. A game of Chess960 switches it to that.
    ///
    /// # Errors
    /// If it is gone or does not listen, or if an earlier search does not end.
    pub fn go(&mut self, game: &GameHistory, go: &Go) -> Result<(), EngineError> {
        self.settle()?;
        if game.start().is_chess960() {
            self.set_castling_form(CastlingForm::KingTakesRook)?;
        }
        let mut told = std::mem::take(&mut self.told);
        let begun = self.send_together(&[&told.message(game, self.form), &GuiMessage::IsReady, go]);
        self.told = told;
        let begun = begun?;
        // Whatever was reported before belongs to nothing.
        self.reports.collect();
        self.search = Some(Search {
            position: game.position().clone(),
            begun,
            is_read: false,
            hit: None,
            waits: go.waits_for_release(),
            released: None,
            info: None,
            unread: None,
            infos: 0,
        });
        Ok(())
    }

    /// When the engine's time began in the search in progress: with `go`, or with `ponderhit`.
    #[must_use]
    pub fn search_begun(&self) -> Option<Instant> {
        self.search.as_ref().map(|search| search.hit.unwrap_or(search.begun))
    }

    /// Waits until the engine has read what it is asked.
    pub(super) fn await_ready(&mut self, hearing: Hearing) -> Result<(), EngineError> {
        loop {
            let search = self.search.as_ref().ok_or_else(|| self.error(EngineProblem::NotSearching))?;
            if search.is_read {
                return Ok(());
            }
            let (begun, limit) = (search.begun, self.limits.ready);
            let line = self.hear(hearing, deadline_from(begun, limit), Awaited::ReadyOk)?;
            let line = line.ok_or_else(|| self.no_answer(Awaited::ReadyOk, limit))?;
            match self.read(&line) {
                Some(EngineMessage::ReadyOk) if line.at >= begun => {
                    self.round_trips.record(line.at.saturating_duration_since(begun));
                    self.search.iter_mut().for_each(|search| search.is_read = true);
                }
                Some(message) => self.pass_over(message),
                None => {}
            }
        }
    }

    /// The next line; none if the time is up.
    fn hear(&mut self, hearing: Hearing, deadline: Instant, awaited: Awaited) -> Result<Option<Line>, EngineError> {
        match hearing {
            Hearing::All => self.receive_or_none(deadline, awaited),
            Hearing::Last => self.receive_but_reports(deadline, awaited),
        }
    }

    /// Waits for the answer to the search in progress; none if it does not come within `limit`, and the search
    /// goes on. First the engine's `readyok` is awaited, which the limit does not count; one of zero then takes what has
    /// arrived.
    ///
    /// # Errors
    /// If the engine dies or floods us, if its answer is no legal move, or if there is no search.
    pub fn wait(
        &mut self,
        limit: Duration,
        mut on_info: impl FnMut(&Info, Instant),
    ) -> Result<Option<Answer>, EngineError> {
        self.listen(limit, Some(&mut on_info))
    }

    /// The same at little cost, for games: of the reports only the last one on the first choice is read, and only what is
    /// wrong with that one is noted. All other lines are read as ever.
    ///
    /// # Errors
    /// As for [`Self::wait`].
    pub fn wait_for_answer(&mut self, limit: Duration) -> Result<Option<Answer>, EngineError> {
        self.listen(limit, None)
    }

    fn listen(&mut self, limit: Duration, mut on_info: Option<Listener<'_>>) -> Result<Option<Answer>, EngineError> {
        let hearing = if on_info.is_some() { Hearing::All } else { Hearing::Last };
        self.await_ready(hearing)?;
        let deadline = deadline(limit);
        loop {
            let line = match self.aside.pop_front() {
                Some(line) => line,
                None => match self.hear(hearing, deadline, Awaited::BestMove)? {
                    Some(line) => line,
                    None => return Ok(None),
                },
            };
            if on_info.is_none() && line.complaints.is_empty() && is_report(&line.text) {
                self.put_off(line);
                continue;
            }
            match self.read(&line) {
                Some(EngineMessage::Info(info)) => {
                    if let Some(on_info) = &mut on_info {
                        on_info(&info, line.at);
                    }
                    self.note_info(*info);
                }
                Some(EngineMessage::BestMove(best)) => {
                    self.read_put_off();
                    let Some(search) = self.search.take() else { continue };
                    let answer = self.answer(search, best, &line)?;
                    self.forwarding.record(line.at.elapsed());
                    return Ok(Some(answer));
                }
                Some(message) => self.pass_over(message),
                None => {}
            }
        }
    }

    /// Asks for the answer now. Does nothing if there is no search.
    ///
    /// # Errors
    /// If the engine is gone or does not listen.
    pub fn stop(&mut self) -> Result<(), EngineError> {
        if self.search.is_some() {
            let written = self.send(&GuiMessage::Stop)?;
            self.release(written);
        }
        Ok(())
    }

    /// Tells that the opponent played the expected move. From now on the engine's time is counted.
    ///
    /// # Errors
    /// If the engine is gone or does not listen.
    pub fn ponder_hit(&mut self) -> Result<(), EngineError> {
        if self.search.is_some() {
            let written = self.send(&GuiMessage::PonderHit)?;
            self.release(written);
            if let Some(search) = &mut self.search {
                search.hit = Some(written);
            }
        }
        Ok(())
    }

    /// Whether a search waits for its answer.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    fn release(&mut self, written: Instant) {
        if let Some(search) = &mut self.search {
            search.released.get_or_insert(written);
        }
    }

    /// Ends a search that nobody waits for any more, so that its answer is not taken for the next one's.
    pub(super) fn settle(&mut self) -> Result<(), EngineError> {
        if self.search.is_none() {
            // Nothing is asked: what has arrived meanwhile is noted, not answered.
            while let Some(line) = self.aside.pop_front() {
                if let Some(message) = self.read(&line) {
                    self.pass_over(message);
                }
            }
            return Ok(());
        }
        self.stop()?;
        self.await_ready(Hearing::All)?;
        let limit = self.limits.ready;
        let deadline = deadline(limit);
        loop {
            let line = match self.aside.pop_front() {
                Some(line) => line,
                None => self.receive(deadline, Awaited::BestMove, limit)?,
            };
            match self.read(&line) {
                Some(EngineMessage::BestMove(best)) => {
                    self.incidents.push(Incident::StaleBestMove(best));
                    self.search = None;
                    return self.settle();
                }
                Some(message) => self.pass_over(message),
                None => {}
            }
        }
    }

    fn note_info(&mut self, info: Info) {
        let Some(search) = &mut self.search else { return };
        search.infos += 1;
        if info.is_main_line() {
            search.info = Some(info);
            search.unread = None;
        }
    }

    /// Keeps a report that may turn out to be the last one.
    fn put_off(&mut self, line: Line) {
        let Some(search) = &mut self.search else { return };
        search.infos += 1;
        if looks_like_main_line(&line.text) {
            search.unread = Some(line);
        }
    }

    /// Reads the report that has turned out to be the last one.
    fn read_put_off(&mut self) {
        let (count, last) = self.reports.collect();
        if let Some(search) = &mut self.search {
            search.infos += count;
            // Those that were put off one by one came before the others, or nobody would have listened for these.
            search.unread = last.or(search.unread.take());
        }
        let unread = self.search.as_mut().and_then(|search| search.unread.take());
        let Some(EngineMessage::Info(info)) = unread.and_then(|line| self.read(&line)) else { return };
        if let Some(search) = self.search.as_mut().filter(|_| info.is_main_line()) {
            search.info = Some(*info);
        }
    }

    /// Checks the answer to a search.
    fn answer(&mut self, search: Search, message: BestMove, line: &Line) -> Result<Answer, EngineError> {
        if search.waits && search.released.is_none_or(|released| line.at < released) {
            self.incidents.push(Incident::PrematureBestMove(message.clone()));
        }
        let position = &search.position;
        let best = match &message.best {
            None if position.has_legal_moves() => {
                return Err(self.error(BestMoveProblem::NoMove { fen: position.to_string() }));
            }
            None => None,
            Some(text) => {
                let Ok(mv) = text.resolve(position) else {
                    let (fen, is_readable) = (position.to_string(), text.is_readable());
                    let text = text.to_string();
                    return Err(self.error(if is_readable {
                        BestMoveProblem::Illegal { text, fen }
                    } else {
                        BestMoveProblem::Unreadable { text, fen }
                    }));
                };
                if !text.is_written_as(position, mv, self.form) {
                    self.incidents.push(Incident::CastlingForm(text.clone()));
                }
                Some(mv)
            }
        };
        let after = best.map_or_else(|| position.clone(), |mv| position.after(mv));
        let ponder = message.ponder.and_then(|text| match text.resolve(&after) {
            Ok(mv) => Some(mv),
            Err(_) => {
                self.incidents.push(Incident::IllegalPonder(text));
                None
            }
        });
        let elapsed = line.at.saturating_duration_since(search.hit.unwrap_or(search.begun));
        Ok(Answer { best, ponder, elapsed, arrived: line.at, info: search.info, infos: search.infos })
    }
}
