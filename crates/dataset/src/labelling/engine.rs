//! One engine process that scores games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kiebitz_chess::{GameHistory, Score};
use kiebitz_uci::{Engine, EngineCommand, EngineError, Go, Info, Limits};

use super::{LabelError, LabelLimit, Scorer, Scores};
use crate::Chain;

/// How long an engine may take for one position before it counts as hanging.
const LONGEST_SEARCH: Duration = Duration::from_secs(600);
/// How often a game is tried before the engine is given up.
const ATTEMPTS: u32 = 4;

/// An engine that is asked about one game after the other.
pub(super) struct Labeller {
    engine: Engine,
    go: Go,
}

impl Labeller {
    pub(super) fn start(command: &EngineCommand, limit: LabelLimit) -> Result<Self, EngineError> {
        let go = Go { depth: limit.depth, nodes: limit.nodes, move_time_ms: limit.milliseconds, ..Go::default() };
        Ok(Self { engine: Engine::start(command.clone(), Limits::default())?, go })
    }

    pub(super) fn name(&self) -> String {
        self.engine.name()
    }

    /// Once through a game; `None` when stopped.
    fn try_scores(&mut self, chain: &Chain, stop: &AtomicBool, at: &mut String) -> Result<Option<Scores>, EngineError> {
        self.engine.new_game()?;
        let mut game = GameHistory::new(chain.head.start.clone());
        let mut scores = Scores::with_capacity(chain.samples());
        for link in &chain.links {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if link.kept {
                *at = game.position().to_string();
                scores.push(self.score(&game)?);
            }
            if let Some(mv) = link.mv {
                game.play(mv);
            }
        }
        Ok(Some(scores))
    }

    /// The score of the last position of a game.
    fn score(&mut self, game: &GameHistory) -> Result<i16, EngineError> {
        let position = game.position();
        // Engines need not answer where there is no move; the rules do.
        let score = if !position.has_legal_moves() {
            if position.is_check() { Score::mated_in(0) } else { Score::DRAW }
        } else {
            let mut exact: Option<Info> = None;
            let answer = self.engine.search(game, &self.go, LONGEST_SEARCH, |info, _| {
                if info.is_main_line() && info.score.is_some_and(|score| score.bound.is_none()) {
                    exact = Some(info.clone());
                }
            })?;
            exact.or(answer.info).and_then(|info| info.score).map_or(Score::DRAW, |report| report.value.score())
        };
        // Scores lie within ±32 001 by their own rules.
        Ok(score.value() as i16)
    }
}

impl Scorer for Labeller {
    /// If the engine dies, the whole game is repeated: what it remembers of earlier positions is part of what it says.
    fn scores(&mut self, chain: &Chain, stop: &AtomicBool) -> Result<Option<Scores>, LabelError> {
        let mut attempts = 1;
        loop {
            let mut position = chain.head.start.to_string();
            match self.try_scores(chain, stop, &mut position) {
                Ok(scores) => return Ok(scores),
                Err(error) if attempts == ATTEMPTS => {
                    let reason = error.to_string();
                    return Err(LabelError::Hopeless { attempts, position, reason });
                }
                Err(_) => {
                    attempts += 1;
                    self.engine.restart()?;
                }
            }
        }
    }

    fn restarts(&self) -> u64 {
        self.engine.restarts().into()
    }
}
