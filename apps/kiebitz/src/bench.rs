//! `bench`: a fixed search whose node count is the engine's signature.
//!
//! It is a checksum, not a benchmark: the same count on every run and machine shows that nothing changed. For speed over
//! threads and time there is `speedtest`.

use std::time::Instant;

use kiebitz_chess::GameHistory;
use kiebitz_engine::Engine;
use kiebitz_search::{Clock, SearchLimits, SearchSignal};

/// Positions from games of this engine against itself: openings, middle games, endings, and a few corners of the rules.
pub(crate) const POSITIONS: &[&str] = &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"];

const DEFAULT_DEPTH: u32 = 12;

/// What to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bench {
    /// Another depth than the usual one.
    pub(crate) depth: Option<u32>,
}

/// Searches all positions with a fresh engine and tells the sum.
pub(crate) fn run(bench: Bench, print: &mut dyn FnMut(&str)) {
    let mut engine = Engine::new(Clock::system());
    let start = Instant::now();
    let mut nodes = 0;
    let limits = SearchLimits::depth(bench.depth.unwrap_or(DEFAULT_DEPTH).max(1));
    for (index, fen) in POSITIONS.iter().enumerate() {
        // A position of the list that cannot be read would be a fault of the list, which a test excludes.
        let Ok(position) = fen.parse() else { continue };
        engine.new_game();
        let result = engine.search(&GameHistory::new(position), &limits, &SearchSignal::new(), &mut |_| ());
        nodes += result.nodes;
        print(&format!("position {:>2}/{}: {:>9} nodes  {fen}", index + 1, POSITIONS.len(), result.nodes));
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    print(&format!("Time (ms)       : {:.0}", seconds * 1000.0));
    print(&format!("Nodes searched  : {nodes}"));
    print(&format!("Nodes/second    : {:.0}", nodes as f64 / seconds));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_can_be_read_and_counts_repeat() {
        for fen in POSITIONS {
            assert!(fen.parse::<kiebitz_chess::Position>().is_ok(), "{fen}");
        }
        let count = || {
            let mut last = String::new();
            run(Bench { depth: Some(4) }, &mut |line| {
                if line.starts_with("Nodes searched") {
                    last = line.to_owned();
                }
            });
            last
        };
        assert_eq!(count(), count());
    }
}
