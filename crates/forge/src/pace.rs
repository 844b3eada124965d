//! How fast a network is on this machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

use kiebitz_alphabeta::{AlphaBeta, Evaluation, Settings};
use kiebitz_chess::{FenMode, GameHistory, Position};
use kiebitz_inference::{BoardDelta, Evaluator, Network};
use kiebitz_search::{Clock, SearchLimits, SearchSignal, Searcher};
use serde::{Deserialize, Serialize};

/// Positions of openings, middle games and endings; all their moves are tried.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
];

/// Nodes of one search when the speed of play is measured.
const NODES: u64 = 1_000;
/// Mebibytes of hash in these searches.
const HASH_MEBIBYTES: usize = 1;

/// The shortest time whose speed counts.
const SLICE: Duration = Duration::from_millis(2);

/// Evaluations a second on one core, undisturbed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// A move is played, the accumulators follow, the value is formed, the move is taken back.
    pub step: f64,
    /// The accumulators are ready, only the layers are computed.
    pub value: f64,
}

impl Pace {
    /// Measures a network, each figure for so long.
    #[must_use]
    pub fn of(network: &Network, time: Duration) -> Self {
        let positions = positions();
        let mut evaluator = Evaluator::new(network);
        let step = rate(time, || positions.iter().map(|position| steps(&mut evaluator, position)).sum());
        let value = rate(time, || positions.iter().map(|position| values(&mut evaluator, position)).sum());
        Self { step, value }
    }
}

/// Nodes a second of a search with a network on one core, undisturbed.
#[must_use]
pub fn nodes_per_second(network: &Network, time: Duration) -> f64 {
    let settings = Settings {
        hash_mebibytes: HASH_MEBIBYTES,
        threads: 1,
        move_overhead: Duration::ZERO,
        evaluation: Evaluation::Network(network.clone()),
        clock: Clock::system(),
    };
    let mut searcher = AlphaBeta::new(settings);
    let games: Vec<GameHistory> = positions().into_iter().map(GameHistory::new).collect();
    rate(time, || {
        searcher.new_game();
        let search = |game| searcher.search(game, &SearchLimits::nodes(NODES), &SearchSignal::new(), &mut |_| ()).nodes;
        games.iter().map(search).sum()
    })
}

fn positions() -> Vec<Position> {
    POSITIONS.iter().filter_map(|fen| Position::from_fen(fen, FenMode::Strict).ok()).collect()
}

/// Repeats `round`, which tells how much it did, and gives the rate a second of the fastest slice: whatever else runs on the machine can
/// only make a slice slower.
fn rate(time: Duration, mut round: impl FnMut() -> u64) -> f64 {
    round();
    let start = Instant::now();
    let mut best = 0.0_f64;
    loop {
        let (slice, mut done) = (Instant::now(), 0);
        while slice.elapsed() < SLICE {
            done += round();
        }
        best = best.max(done as f64 / slice.elapsed().as_secs_f64());
        if start.elapsed() >= time {
            return best;
        }
    }
}

fn steps(evaluator: &mut Evaluator, position: &Position) -> u64 {
    evaluator.reset(position);
    black_box(evaluator.evaluate(position));
    let moves = position.legal_moves();
    let mut next = position.clone();
    for mv in &moves {
        let mut delta = BoardDelta::default();
        position.play_into(mv, &mut next, &mut delta);
        evaluator.push(&delta);
        black_box(evaluator.evaluate(&next));
        evaluator.pop();
    }
    moves.len() as u64
}

fn values(evaluator: &mut Evaluator, position: &Position) -> u64 {
    const REPEATS: u64 = 100;
    evaluator.reset(position);
    for _ in 0..REPEATS {
        black_box(evaluator.evaluate(black_box(position)));
    }
    REPEATS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_read() {
        assert_eq!(positions().len(), POSITIONS.len());
    }
}
