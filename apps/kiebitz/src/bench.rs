//! `bench`: a fixed search whose node count is the engine's signature.
//!
//! It is a checksum, not a benchmark: the same count on every run and machine shows that nothing changed. For speed over
//! threads and time there is `speedtest`.

use std::time::Instant;

use kiebitz_chess::GameHistory;
use kiebitz_engine::{Engine, InstructionSet};
use kiebitz_search::{SearchLimits, SearchSignal};

/// Positions from games of this engine against itself: openings, middle games and endings.
pub(crate) const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/1pp2pp1/4P2p/pP6/3P4/5P2/P1P3PP/RNBQKBNR b KQk - 0 7",
    "r1bq1knr/1pp3bp/2np4/p4pp1/2P1Pp2/P1NP4/1P2QPPP/R3KBNR b KQ - 1 10",
    "rn1qkbn1/2p1ppp1/p2p4/1p5r/4B1p1/1N6/PPPPPP1P/R1BQK2R b KQq - 0 10",
    "r1bqkbnr/ppp2ppp/2n5/4p3/3P4/1P4PN/PBPP1P1P/RN1QKBR1 b Qkq - 0 7",
    "r2qk2r/1p2bppp/2n1pn2/p2p4/3P1N1P/P5P1/1PP2PB1/RNBQK2R w KQkq - 1 10",
    "3qkb1r/rpp1pppp/2n2n2/p2p1b2/2PP1P2/4PNP1/PP5P/RNBQKB1R w KQk - 1 8",
    "r2qkb1r/pbpp1ppp/1p2p3/5n2/1n5P/1P1BP3/PBPP2P1/RN1QK1NR w KQkq - 3 8",
    "rnbk1b1r/p1p2p2/1p2pn1p/8/5B2/2P2N1P/PP2P1P1/RN2KB1R b KQ - 1 10",
    "r1q2k1r/pnp1bppp/1p6/3Ppb2/2P1N3/P2Q2P1/1P3PBP/R1B1R1K1 w - - 6 18",
    "rn6/2pk1p1R/3pp3/8/p4P2/P1N1P3/2PP3P/R3KQ1q b Q - 3 20",
    "5rk1/3r1ppp/2pPpq2/p1B1Nn2/2p2P2/6P1/PPQ1K2P/R6R b - - 4 25",
    "2r2rk1/Np4p1/1q3b1p/p2p4/3P4/P2Q1P2/1BP3PP/R4R1K b - - 0 22",
    "5r2/1Q1Bqp1k/3p1np1/p2Pp3/PP2P2p/5P1P/7P/2B1K1R1 b - - 0 27",
    "2r3k1/1q3pp1/4p2p/Q4n2/5P2/5NP1/PP2K2P/R2R4 w - - 0 33",
    "3q1rk1/3r1ppp/2pbp2n/p3P3/2p2P2/4BNP1/PPQ1K2P/R6R w - - 0 23",
    "r4k1r/p1pq2pp/1p3p2/2bP4/2P1QPP1/P7/1P1B3P/R3R2K b - - 0 25",
    "2r3k1/2r1qp2/4nRp1/p6p/2P4P/N1Q1P1P1/2B2P2/3R2K1 b - - 0 40",
    "4rknr/1pp4p/2npbq2/p5p1/2P1Pp2/P1P3P1/1Q2BP1P/R3K1NR b KQ - 2 15",
    "r4r1k/6p1/p2qB1p1/1pp3bR/6Q1/1P1p4/PBPP3P/2KR4 b - - 0 27",
    "2rq1rk1/1p4p1/2n2b1p/p2p4/3P4/P1NQ1P2/1BP3PP/R4RK1 w - - 1 20",
    "r7/4nk2/4p3/3pQp2/1p1P2pq/1K1B4/1PP2P2/4R3 b - - 3 40",
    "r7/p2nkp2/PB1bp2p/8/1pB5/1Q3R2/1P2K2P/3R2r1 b - - 0 32",
    "r1r3k1/4qp2/2b3p1/p1n3Qp/2P4P/N3PN2/2B2PP1/R5KR b - - 2 30",
    "r1b1k1r1/p2nbp2/1p2p2p/8/5B2/2P4P/PP1NP1P1/R3KB1R b KQ - 4 15",
    "8/1q3ppk/4p2p/5n2/P4P2/3Q1NP1/1P2K2P/R7 w - - 3 38",
    "8/3k4/3n4/1PKP4/5r2/8/8/8 w - - 1 68",
    "5q1k/6n1/2p4N/8/p3Q3/6P1/P6P/3R2K1 b - - 0 35",
    "8/8/2p2k1r/R7/6p1/4P2r/PP3PK1/5R2 w - - 5 40",
    "8/4nk2/1Q2p3/3p1p2/3P2pq/1K1B4/1PP2P1r/4R3 b - - 6 45",
    "6k1/1r6/7Q/1N2P2p/2P4P/3B2PK/8/8 w - - 2 63",
    "5qk1/5N2/2p2Qp1/5n2/p3r3/6P1/P6P/3R2K1 w - - 0 33",
    "2R5/6pk/7p/7P/5PP1/r7/5K2/8 b - - 10 57",
    "8/8/3k4/r2P4/2n1K3/8/8/8 w - - 6 73",
    "8/p3k3/1p2pp1p/4n2P/4R1P1/P1P5/1P2B2r/3K4 b - - 3 40",
    "q7/p3Qp2/1kb1pPp1/5r2/8/6P1/P6P/R1R3K1 w - - 2 38",
];

const DEFAULT_DEPTH: u32 = 13;

/// What to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::Args)]
pub(crate) struct Bench {
    /// Another depth than the usual one.
    pub(crate) depth: Option<u32>,
    /// Evaluate by these vector instructions; the node count must stay the same.
    #[arg(long, value_parser = instruction_set)]
    pub(crate) instructions: Option<InstructionSet>,
}

/// Reads the name of vector instructions that this CPU has.
fn instruction_set(word: &str) -> Result<InstructionSet, String> {
    let mut available = InstructionSet::ALL.into_iter().filter(|set| set.is_available());
    let words = || -> Vec<_> { available.clone().map(InstructionSet::word).collect() };
    let refusal = format!("this CPU offers {}", words().join(", "));
    available.find(|set| set.word() == word).ok_or(refusal)
}

/// Searches all positions with an engine that is fresh but for its evaluation, and tells the sum; a signal ends it without one.
pub(crate) fn run(bench: Bench, mut engine: Engine, signal: &SearchSignal, print: &mut dyn FnMut(&str)) {
    if let Some(set) = bench.instructions
        && let Err(reason) = engine.use_instructions(set)
    {
        return print(&format!("info string bench failed: {reason}"));
    }
    let start = Instant::now();
    let mut nodes = 0;
    let limits = SearchLimits::depth(bench.depth.unwrap_or(DEFAULT_DEPTH).max(1));
    for (index, fen) in POSITIONS.iter().enumerate() {
        // A position of the list that cannot be read would be a fault of the list, which a test excludes.
        let Ok(position) = fen.parse() else { continue };
        engine.new_game();
        let result = engine.search(&GameHistory::new(position), &limits, signal, &mut |_| ());
        if signal.is_stopped() {
            return print("info string bench stopped");
        }
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
    use kiebitz_search::Clock;

    #[test]
    fn positions_can_be_read_and_counts_repeat() {
        for fen in POSITIONS {
            assert!(fen.parse::<kiebitz_chess::Position>().is_ok(), "{fen}");
        }
        let count = || {
            let mut last = String::new();
            let engine = Engine::new(Clock::system());
            run(Bench { depth: Some(4), instructions: None }, engine, &SearchSignal::new(), &mut |line| {
                if line.starts_with("Nodes searched") {
                    last = line.to_owned();
                }
            });
            last
        };
        assert_eq!(count(), count());
    }
}
