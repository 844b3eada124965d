//! The thread that owns the engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use kiebitz_chess::{GameHistory, Move};
use kiebitz_engine::Engine;
use kiebitz_search::{Clock, GameTime, SearchLimits, SearchSignal};
use kiebitz_uci::{EngineMessage, Go};

use super::commands::{self, Command};
use super::output::Output;
use super::render;

/// Searches that were ordered and are not answered yet.
#[derive(Clone, Default)]
pub(crate) struct Outstanding(Arc<AtomicUsize>);

impl Outstanding {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }

    fn done(&self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }

    pub(crate) fn any(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }
}

/// What the engine is to do next.
pub(crate) enum Job {
    Ready,
    NewGame,
    SetOption { name: String, value: Option<String> },
    Go { go: Box<Go>, game: GameHistory, signal: SearchSignal },
    Command { command: Command, game: GameHistory },
}

/// The engine and where it speaks.
pub(crate) struct Player {
    engine: Engine,
    output: Output,
    searches: Outstanding,
}

impl Player {
    pub(crate) fn new(output: Output, searches: Outstanding) -> Self {
        Self { engine: Engine::new(Clock::system()), output, searches }
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
                Job::Go { go, game, signal } => {
                    self.go(&go, &game, &signal);
                    self.searches.done();
                }
                Job::Command { command, game } => commands::obey(&command, &game, &mut self.engine, &self.output),
            }
        }
    }

    fn go(&mut self, go: &Go, game: &GameHistory, signal: &SearchSignal) {
        if let Some(depth) = go.perft {
            commands::perft(game.position(), depth, render::castling_form(self.engine.presentation()), &self.output);
            return;
        }
        let limits = self.limits(go, game);
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
                elapsed: std::time::Duration::ZERO,
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
            move_time: go.move_time_ms.map(std::time::Duration::from_millis),
            game_time: clock.map(|clock| GameTime {
                left: clock.time,
                increment: clock.increment,
                moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
            }),
            infinite: go.infinite,
            moves: self.search_moves(go, game),
            lines: 1,
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
