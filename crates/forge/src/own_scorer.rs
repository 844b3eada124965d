//! Our own search as a teacher, in this process.

use std::sync::atomic::{AtomicBool, Ordering};

use kiebitz_alphabeta::{AlphaBeta, Evaluation, Settings};
use kiebitz_chess::{GameHistory, Score};
use kiebitz_dataset::{Chain, LabelError, Scorer};
use kiebitz_search::{Clock, SearchLimits, SearchSignal, Searcher};

/// Enough for the few nodes of a game's samples, and quickly forgotten.
const HASH_MEBIBYTES: usize = 1;

/// A searcher that begins every game anew.
pub(crate) struct OwnScorer {
    searcher: AlphaBeta,
    limits: SearchLimits,
}

impl OwnScorer {
    pub(crate) fn new(nodes: u64) -> Self {
        let settings = Settings {
            hash_mebibytes: HASH_MEBIBYTES,
            threads: 1,
            move_overhead: std::time::Duration::ZERO,
            evaluation: Evaluation::Handcrafted,
            clock: Clock::system(),
        };
        Self { searcher: AlphaBeta::new(settings), limits: SearchLimits::nodes(nodes.max(1)) }
    }

    fn score(&mut self, game: &GameHistory) -> i16 {
        let position = game.position();
        let score = match (position.has_legal_moves(), position.is_check()) {
            (false, true) => Score::mated_in(0),
            (false, false) => Score::DRAW,
            _ => self.searcher.search(game, &self.limits, &SearchSignal::new(), &mut |_| ()).score,
        };
        // Scores lie within ±32 001 by their own rules.
        score.value() as i16
    }
}

impl Scorer for OwnScorer {
    fn scores(&mut self, chain: &Chain, stop: &AtomicBool) -> Result<Option<Vec<i16>>, LabelError> {
        self.searcher.new_game();
        let mut game = GameHistory::new(chain.head.start.clone());
        let mut scores = Vec::with_capacity(chain.samples());
        for link in &chain.links {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if link.kept {
                scores.push(self.score(&game));
            }
            if let Some(mv) = link.mv {
                game.play(mv);
            }
        }
        Ok(Some(scores))
    }
}
