//! Playing a game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use kiebitz_chess::{CastlingForm, Claims, Color, GameHistory, Move};
use kiebitz_uci::{Answer, Engine, EngineError, EngineProblem, Go};

use super::{EndgameOracle, GameRecord, MoveRecord, Note, Termination};
use crate::opening::Opening;
use crate::pairing::PlannedGame;
use crate::runner::{Heartbeat, LiveSeat};
use crate::{AdjudicationRules, Adjudicator, ClockVerdict, GameClock, TimeControl};

/// Beyond flag and margin an engine is heard out for so long, so that the record can say how late it was.
const GRACE: Duration = Duration::from_millis(500);
/// How often a wait looks whether the whole match is to be stopped.
const GLANCE: Duration = Duration::from_millis(250);
/// Notes that a record keeps of each player.
const MOST_NOTES: usize = 8;

/// Everything a game needs besides its players.
#[derive(Clone, Copy)]
pub struct GamePlan<'a> {
    /// Which game of which tournament.
    pub game: PlannedGame,
    /// Where it begins.
    pub opening: &'a Opening,
    /// What White and Black have, in this order.
    pub controls: [TimeControl; Color::COUNT],
    /// Whether White and Black think on the opponent's time.
    pub ponder: [bool; Color::COUNT],
    /// How castling is told to the engines.
    pub castling: CastlingForm,
    /// When the game ends before the rules end it.
    pub adjudication: AdjudicationRules,
    /// Who knows how endgames end.
    pub oracle: Option<&'a dyn EndgameOracle>,
    /// How long a search without any limit in time may take before the engine counts as hanging.
    pub longest_search: Duration,
    /// Who notices when the machine stands still.
    pub heartbeat: Option<&'a Heartbeat>,
    /// Set when nobody wants the game any more.
    pub stop: Option<&'a AtomicBool>,
    /// Where onlookers see the moves.
    pub live: Option<&'a LiveSeat>,
}

/// A game that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// What is kept of it.
    pub record: GameRecord,
    /// From the arrival of each move to the opponent's `go`: the manager's share of the time.
    pub forwarding: Vec<Duration>,
    /// Whether White and Black have to be restarted before they can be used again.
    pub broken: [bool; Color::COUNT],
}

/// Plays a game between `engines`, White first. `None` if it was stopped from outside.
///
/// # Errors
/// If an engine cannot even begin: it does not take the new game. The color tells which.
pub fn play(plan: &GamePlan<'_>, engines: [&mut Engine; 2]) -> Result<Option<PlayedGame>, (Color, EngineError)> {
    let mut history = GameHistory::new(plan.opening.start.clone());
    plan.opening.moves.iter().for_each(|&mv| history.play(mv));
    let mut table = Table {
        plan,
        engines,
        history,
        clock: GameClock::new(plan.controls[0], plan.controls[1]),
        adjudicator: Adjudicator::new(plan.adjudication),
        moves: Vec::new(),
        forwarding: Vec::new(),
        broken: [false; 2],
        pondering: [None; 2],
    };
    for color in Color::ALL {
        table.sit_down(color).map_err(|error| (color, error))?;
    }
    if let Some(live) = plan.live {
        live.begin(plan.game, plan.opening);
    }
    let (begun, clock) = (SystemTime::now(), Instant::now());
    let termination = table.play();
    table.rise();
    if let Some(live) = plan.live {
        live.clear();
    }
    let notes = table.notes();
    Ok(termination.map(|termination| PlayedGame {
        record: GameRecord {
            game: plan.game,
            opening: plan.opening.clone(),
            moves: table.moves,
            termination,
            begun,
            duration: clock.elapsed(),
            notes,
        },
        forwarding: table.forwarding,
        broken: table.broken,
    }))
}

/// What a player's turn came to.
enum Turn {
    Moved(Box<Answer>),
    Over(Termination),
    Stopped,
}

struct Table<'a, 'e> {
    plan: &'a GamePlan<'a>,
    engines: [&'e mut Engine; 2],
    history: GameHistory,
    clock: GameClock,
    adjudicator: Adjudicator,
    moves: Vec<MoveRecord>,
    forwarding: Vec<Duration>,
    broken: [bool; 2],
    /// The answers that the players expect and think about.
    pondering: [Option<Move>; 2],
}

impl Table<'_, '_> {
    fn sit_down(&mut self, color: Color) -> Result<(), EngineError> {
        let engine = &mut *self.engines[color as usize];
        // What it did wrong earlier belongs to earlier games.
        let _ = engine.take_incidents();
        engine.set_castling_form(self.plan.castling)?;
        engine.new_game()
    }

    /// Moves until the game is over; `None` if it was stopped.
    fn play(&mut self) -> Option<Termination> {
        let mut arrived = None;
        if let Some(ending) = self.history.ending(Claims::Made) {
            return Some(Termination::Rules(ending));
        }
        loop {
            let color = self.history.position().side_to_move();
            let answer = match self.turn(color, arrived) {
                Turn::Moved(answer) => answer,
                Turn::Over(termination) => return Some(termination),
                Turn::Stopped => return None,
            };
            arrived = Some(answer.arrived);
            if let Some(termination) = self.conclude(color, &answer) {
                return Some(termination);
            }
        }
    }

    /// Lets a player think.
    fn turn(&mut self, color: Color, arrived: Option<Instant>) -> Turn {
        if let Err(error) = self.ask(color) {
            return Turn::Over(self.breakdown(color, &error));
        }
        let begin = self.engines[color as usize].search_begun().unwrap_or_else(Instant::now);
        if let Some(arrived) = arrived {
            self.forwarding.push(begin.saturating_duration_since(arrived));
        }
        self.ponder(!color);
        let patience = self.clock.patience(color);
        let limit = patience.map_or(self.plan.longest_search, |patience| patience.saturating_add(GRACE));
        loop {
            if self.plan.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Turn::Stopped;
            }
            let left = limit.saturating_sub(begin.elapsed());
            match self.engines[color as usize].wait_for_answer(left.min(GLANCE)) {
                Ok(Some(answer)) => return Turn::Moved(Box::new(answer)),
                Ok(None) if left.is_zero() => break,
                // Whoever ponders talks too.
                Ok(None) => self.engines[!color as usize].attend(),
                Err(error) => return Turn::Over(self.breakdown(color, &error)),
            }
        }
        let engine = &mut *self.engines[color as usize];
        match engine.stop().and_then(|()| engine.wait_for_answer(GRACE)) {
            // The clock says that it is too late.
            Ok(Some(answer)) if patience.is_some() => Turn::Moved(Box::new(answer)),
            Err(error) => Turn::Over(self.breakdown(color, &error)),
            Ok(answer) => {
                self.broken[color as usize] |= answer.is_none();
                Turn::Over(match patience {
                    Some(patience) => {
                        let late = begin.elapsed().saturating_sub(patience);
                        self.out_of_time(color, late, false, begin, Instant::now())
                    }
                    None => Termination::Hang { loser: color, reason: format!("no move within {limit:?}") },
                })
            }
        }
    }

    /// Asks a player for a move, or tells that the expected one has come.
    fn ask(&mut self, color: Color) -> Result<(), EngineError> {
        let go = self.go(color);
        let expected = self.pondering[color as usize].take();
        let engine = &mut *self.engines[color as usize];
        if let Some(expected) = expected {
            if self.moves.last().map(|record| record.mv) == Some(expected) {
                return engine.ponder_hit();
            }
            engine.stop()?;
            // The answer to a question that nobody asks any more may be nonsense; a late one is awaited by the next `go`.
            if let Err(error) = engine.wait_for_answer(GRACE)
                && error.is_fatal()
            {
                return Err(error);
            }
        }
        engine.go(&self.history, &go)
    }

    /// Lets a player think on the opponent's time, if it may and has said what it expects.
    fn ponder(&mut self, color: Color) {
        let Some(expected) = self.pondering[color as usize] else { return };
        let mut imagined = self.history.clone();
        imagined.play(expected);
        if imagined.ending(Claims::Made).is_some() {
            self.pondering[color as usize] = None;
            return;
        }
        let go = Go { ponder: true, ..self.go(color) };
        if self.engines[color as usize].go(&imagined, &go).is_err() {
            // Whatever is wrong shows when it is asked for a move.
            self.pondering[color as usize] = None;
        }
    }

    fn go(&self, color: Color) -> Go {
        let control = self.clock.control(color);
        let mut go = Go { depth: control.depth, nodes: control.nodes, ..Go::default() };
        go.move_time_ms = control.move_time.map(|time| milliseconds(time).max(1));
        if control.clock.is_some() {
            let time = |color: Color| self.clock.remaining(color).map(|time| milliseconds(time).max(1) as i64);
            let increment = |color: Color| self.clock.increment(color).map(|time| milliseconds(time) as i64);
            (go.white_time_ms, go.black_time_ms) = (time(Color::White), time(Color::Black));
            (go.white_increment_ms, go.black_increment_ms) = (increment(Color::White), increment(Color::Black));
            go.moves_to_go = self.clock.moves_to_go(color);
        }
        go
    }

    /// Plays the move; says whether the game is over.
    fn conclude(&mut self, color: Color, answer: &Answer) -> Option<Termination> {
        let verdict = self.clock.spend(color, answer.elapsed);
        if let ClockVerdict::FlagFall(late) = verdict {
            let begin = answer.arrived.checked_sub(answer.elapsed).unwrap_or(answer.arrived);
            return Some(self.out_of_time(color, late, true, begin, answer.arrived));
        }
        // Where there is a legal move an answer has one, and the rules have ended the game where there is none.
        let mv = answer.best?;
        let info = answer.info.as_ref();
        let score = info.and_then(|info| info.score).map(|score| score.value.score());
        let number = self.history.position().fullmove_number();
        self.moves.push(MoveRecord {
            mv,
            score,
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
            elapsed: answer.elapsed,
            clock: self.clock.remaining(color),
        });
        self.history.play(mv);
        if let Some(live) = self.plan.live {
            live.play(mv, score);
        }
        if let Some(ending) = self.history.ending(Claims::Made) {
            return Some(Termination::Rules(ending));
        }
        let position = self.history.position();
        if position.halfmove_clock() == 0
            && let Some(outcome) = self.plan.oracle.and_then(|oracle| oracle.outcome(position))
        {
            return Some(Termination::Tablebase(outcome));
        }
        if let Some(adjudication) = self.adjudicator.observe(color, u32::from(number), score) {
            return Some(Termination::Adjudicated(adjudication));
        }
        if self.plan.ponder[color as usize] {
            self.pondering[color as usize] = answer.ponder;
        }
        None
    }

    /// The flag of a player has fallen, whose turn lasted from `begin` to `end`.
    fn out_of_time(&self, loser: Color, late: Duration, moved: bool, begin: Instant, end: Instant) -> Termination {
        let stalled = self.plan.heartbeat.map(|heartbeat| heartbeat.stalled_between(begin, end));
        Termination::TimeForfeit { loser, late, moved, stalled: stalled.filter(|stalled| !stalled.is_zero()) }
    }

    /// What an error of an engine means for the game.
    fn breakdown(&mut self, loser: Color, error: &EngineError) -> Termination {
        self.broken[loser as usize] |= error.is_fatal();
        let reason = error.problem.to_string();
        match &*error.problem {
            EngineProblem::BestMove(_) => Termination::IllegalMove { loser, reason },
            EngineProblem::NoAnswer { .. } | EngineProblem::Deaf { .. } => Termination::Hang { loser, reason },
            _ => Termination::Crash { loser, reason },
        }
    }

    /// Ends searches that nobody waits for.
    fn rise(&mut self) {
        for color in Color::ALL {
            let engine = &mut *self.engines[color as usize];
            if self.broken[color as usize] || !engine.is_searching() {
                continue;
            }
            let ended = engine.stop().and_then(|()| engine.wait_for_answer(GRACE));
            self.broken[color as usize] = !matches!(ended, Ok(Some(_)));
        }
    }

    fn notes(&mut self) -> Vec<Note> {
        let mut notes = Vec::new();
        for color in Color::ALL {
            let incidents = self.engines[color as usize].take_incidents();
            let listed = incidents.list.iter().take(MOST_NOTES);
            notes.extend(listed.map(|incident| Note { color, text: incident.to_string() }));
        }
        notes
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(i64::MAX as u64).min(i64::MAX as u64)
}
