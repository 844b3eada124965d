//! Searches: asking, waiting, stopping, and what may go wrong in between.

use std::time::{Duration, Instant};

use kiebitz_chess::{CastlingForm, GameHistory, Position};

use super::Engine;
use crate::answer::Answer;
use crate::error::{Awaited, BestMoveProblem, EngineError, EngineProblem};
use crate::incident::Incident;
use crate::limits::deadline;
use crate::message::{BestMove, EngineMessage, Go, GuiMessage, Info, PositionMessage};
use crate::process::Written;
use crate::reader::Line;

/// A search that has not been answered yet.
pub(super) struct Search {
    /// What was asked about.
    position: Position,
    /// When the engine's time began.
    clock: Written,
    /// What arrived before this moment cannot be the answer.
    asked: Instant,
    /// `stop` or `ponderhit` has to come before the answer.
    waits: bool,
    /// When it came.
    released: Option<Instant>,
    /// The last report on the first choice.
    info: Option<Info>,
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

    /// Begins a search. The engine is first asked whether it is ready: whatever it says before that answers
    /// something earlier, and reading a long game does not cost it time. A game of Chess960 switches it to that.
    ///
    /// # Errors
    /// If it does not answer in time.
    pub fn go(&mut self, game: &GameHistory, go: &Go) -> Result<(), EngineError> {
        self.settle()?;
        if game.start().is_chess960() {
            self.set_castling_form(CastlingForm::KingTakesRook)?;
        }
        self.send(&GuiMessage::Position(PositionMessage::of(game, self.form)))?;
        self.synchronise()?;
        let clock = self.send(&GuiMessage::Go(Box::new(go.clone())))?;
        self.search = Some(Search {
            position: game.position().clone(),
            clock,
            asked: clock.begun,
            waits: go.waits_for_release(),
            released: None,
            info: None,
            infos: 0,
        });
        Ok(())
    }

    /// Waits for the answer to the search in progress; none if it does not come within `limit`, and the search
    /// goes on. A limit of zero takes what has arrived.
    ///
    /// # Errors
    /// If the engine dies or floods us, if its answer is no legal move, or if there is no search.
    pub fn wait(
        &mut self,
        limit: Duration,
        mut on_info: impl FnMut(&Info, Instant),
    ) -> Result<Option<Answer>, EngineError> {
        if self.search.is_none() {
            return Err(self.error(EngineProblem::NotSearching));
        }
        let deadline = deadline(limit);
        loop {
            let line = match self.aside.pop_front() {
                Some(line) => line,
                None => match self.receive_or_none(deadline, Awaited::BestMove)? {
                    Some(line) => line,
                    None => return Ok(None),
                },
            };
            match self.read(&line) {
                Some(EngineMessage::Info(info)) => {
                    on_info(&info, line.at);
                    self.note_info(*info);
                }
                Some(EngineMessage::BestMove(best)) => {
                    if let Some(answer) = self.answer(best, &line)? {
                        self.forwarding.record(line.at.elapsed());
                        return Ok(Some(answer));
                    }
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
                search.clock = written;
            }
        }
        Ok(())
    }

    /// Whether a search waits for its answer.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    fn release(&mut self, written: Written) {
        if let Some(search) = &mut self.search {
            search.released.get_or_insert(written.begun);
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
        }
    }

    /// Checks an answer; none if it answers nothing that was asked.
    fn answer(&mut self, message: BestMove, line: &Line) -> Result<Option<Answer>, EngineError> {
        let Some(search) = self.search.take_if(|search| line.at >= search.asked) else {
            self.incidents.push(Incident::UnaskedBestMove(message));
            return Ok(None);
        };
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
        Ok(Some(Answer {
            best,
            ponder,
            elapsed: line.at.saturating_duration_since(search.clock.done),
            arrived: line.at,
            info: search.info,
            infos: search.infos,
        }))
    }
}
