//! The thread that owns the engine.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kiebitz_chess::{GameHistory, Move};
use kiebitz_engine::Engine;
use kiebitz_search::{Clock, GameTime, SearchLimits, SearchSignal};
use kiebitz_uci::{EngineMessage, Go};

use super::commands::{self, Command, Task};
use super::output::Output;
use super::render;

/// What time it is, for whoever asks and whoever answers.
pub(crate) const CLOCK: Clock = Clock::system();

/// What takes long and was ordered, but is not done yet: the oldest first, as they are worked off.
#[derive(Clone, Default)]
pub(crate) struct Outstanding(Arc<Mutex<VecDeque<Order>>>);

/// One of them, with the signal that ends it.
struct Order {
    kind: OrderKind,
    signal: SearchSignal,
}

/// How an order ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderKind {
    /// Perhaps never, unless it is told to.
    Search,
    /// By itself in the end: a count, a bench.
    Task,
}

impl Outstanding {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Order>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, kind: OrderKind, signal: SearchSignal) {
        self.lock().push_back(Order { kind, signal });
    }

    fn done(&self) {
        self.lock().pop_front();
    }

    /// Whether something is going on that was not told to end.
    pub(crate) fn goes_on(&self) -> bool {
        self.lock().iter().any(|order| !order.signal.is_stopped())
    }

    /// Ends everything.
    pub(crate) fn stop(&self) {
        self.lock().iter().for_each(|order| order.signal.stop());
    }

    /// Ends what would never let anything else begin.
    pub(crate) fn stop_searches(&self) {
        self.lock().iter().filter(|order| order.kind == OrderKind::Search).for_each(|order| order.signal.stop());
    }

    /// The opponent played what the latest search expected.
    pub(crate) fn ponder_hit(&self) {
        if let Some(order) = self.lock().back() {
            order.signal.ponder_hit();
        }
    }
}

/// What the engine is to do next.
pub(crate) enum Job {
    Ready,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Go {
        go: Box<Go>,
        game: GameHistory,
        signal: SearchSignal,
        /// When it came, by [`CLOCK`]: a search may have to wait until the table is wiped, and the opponent's clock does not.
        asked: Duration,
    },
    /// A command that is over at once.
    Command {
        command: Command,
        game: GameHistory,
    },
    /// A command that takes long.
    Task {
        task: Task,
        signal: SearchSignal,
    },
    /// Tells somebody that everything before it is done.
    Tell(Sender<()>),
}

/// The engine and where it speaks.
pub(crate) struct Player {
    engine: Engine,
    output: Output,
    outstanding: Outstanding,
}

impl Player {
    pub(crate) fn new(output: Output, outstanding: Outstanding) -> Self {
        Self { engine: Engine::new(CLOCK), output, outstanding }
    }

    /// Works until nobody can order anything any more.
    pub(crate) fn work(&mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Ready => self.output.send(&EngineMessage::ReadyOk),
                Job::NewGame => self.engine.new_game(),
                Job::SetOption { name, value } => match self.engine.set_option(&name, value.as_deref()) {
                    Ok(None) => {}
                    Ok(Some(note)) => self.output.note(&note),
                    Err(error) => self.output.note(&error.to_string()),
                },
                Job::Go { go, game, signal, asked } => self.go(&go, &game, &signal, asked),
                Job::Command { command, game } => commands::obey(command, &game, &self.engine, &self.output),
                Job::Task { task, signal } => {
                    task.run(&self.engine, &signal, &self.output);
                    self.outstanding.done();
                }
                // Whoever asked may have gone meanwhile.
                Job::Tell(listener) => drop(listener.send(())),
            }
        }
    }

    fn go(&mut self, go: &Go, game: &GameHistory, signal: &SearchSignal, asked: Duration) {
        if let Some(depth) = go.perft {
            let form = render::castling_form(self.engine.presentation());
            commands::perft(game.position(), depth, self.engine.threads(), form, signal, &self.output);
            self.outstanding.done();
            return;
        }
        let limits = SearchLimits { asked: Some(asked), ..self.limits(go, game) };
        let presentation = self.engine.presentation();
        let output = self.output.clone();
        let position = game.position();
        let mut told = false;
        let result = self.engine.search(game, &limits, signal, &mut |report| {
            told = true;
            output.send(&EngineMessage::Info(Box::new(render::info(position, report, presentation, 1))));
        });
        if !told {
            // Mate or stalemate on the board: there is a score, but nothing to search.
            let line = kiebitz_search::SearchReport {
                depth: 0,
                selective_depth: 0,
                line: 1,
                score: result.score,
                bound: kiebitz_search::ScoreBound::Exact,
                nodes: 0,
                elapsed: Duration::ZERO,
                hash_full_permille: 0,
                tablebase_hits: 0,
                moves: Vec::new(),
            };
            output.send(&EngineMessage::Info(Box::new(render::info(position, &line, presentation, 0))));
        }
        // An answer must not come before it is asked for, even when everything is known.
        if go.infinite {
            signal.wait_for_stop();
        } else if go.ponder {
            signal.wait_for_ponder_hit();
        }
        // Whoever reads the answer may ask at once whether we are ready, and what was ordered behind this search counts then.
        self.outstanding.done();
        output.send(&EngineMessage::BestMove(render::best_move(position, &result, presentation)));
    }

    fn limits(&self, go: &Go, game: &GameHistory) -> SearchLimits {
        let mover = game.position().side_to_move();
        // Some managers send one clock only, even the wrong one: better a guess than a flag.
        let clock = go.clock(mover).or_else(|| go.clock(!mover));
        SearchLimits {
            depth: go.depth.map(|depth| depth.max(1)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            soft_nodes: None,
            mate: go.mate,
            move_time: go.move_time_ms.map(Duration::from_millis),
            game_time: clock.map(|clock| GameTime {
                left: clock.time,
                increment: clock.increment,
                moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
            }),
            infinite: go.infinite,
            moves: self.search_moves(go, game),
            lines: 1,
            asked: None,
        }
    }

    fn search_moves(&self, go: &Go, game: &GameHistory) -> Vec<Move> {
        let mut moves = Vec::new();
        for text in &go.search_moves {
            match text.resolve(game.position()) {
                Ok(mv) => moves.push(mv),
                Err(error) => self.output.note(&format!("searchmoves: {error}")),
            }
        }
        moves
    }
}
