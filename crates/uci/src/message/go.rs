//! `go`: what to search and for how long.

use std::fmt;
use std::time::Duration;

use kiebitz_chess::Color;

use crate::MoveText;
use crate::word::{Words, write_field, write_moves};

/// The order to search. Everything may be left out; an empty order leaves the limits to the engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Go {
    /// Only these moves are to be considered; all, if empty.
    pub search_moves: Vec<MoveText>,
    /// Think on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's time in milliseconds; negative when a manager lets a side think on after its time ran out.
    pub white_time_ms: Option<i64>,
    /// Black's time in milliseconds.
    pub black_time_ms: Option<i64>,
    /// What White gains per move, in milliseconds.
    pub white_increment_ms: Option<i64>,
    /// What Black gains per move, in milliseconds.
    pub black_increment_ms: Option<i64>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Search so many plies.
    pub depth: Option<u32>,
    /// Search so many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Search exactly so long, in milliseconds.
    pub move_time_ms: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Count the leaves of the move tree to this depth instead of searching; not in the specification, but
    /// widely understood.
    pub perft: Option<u32>,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// What is left; zero if the clock has run out.
    pub time: Duration,
    /// What a move adds.
    pub increment: Duration,
}

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl Go {
    /// A search of so many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search of so many plies.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search that lasts until it is stopped.
    #[must_use]
    pub fn infinite() -> Self {
        Self { infinite: true, ..Self::default() }
    }

    /// A search of so long; fractions of a millisecond are lost.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time_ms: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)), ..Self::default() }
    }

    /// A side's clock, if its time was given.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<Clock> {
        let (time, increment) = match color {
            Color::White => (self.white_time_ms, self.white_increment_ms),
            Color::Black => (self.black_time_ms, self.black_increment_ms),
        };
        let held = |ms: i64| Duration::from_millis(u64::try_from(ms).unwrap_or(0));
        Some(Clock { time: held(time?), increment: held(increment.unwrap_or(0)) })
    }

    /// Whether `bestmove` has to wait for `stop` or `ponderhit`, even if the engine is done.
    #[must_use]
    pub fn waits_for_release(&self) -> bool {
        self.infinite || self.ponder
    }

    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let mut go = Self::default();
        let mut search_moves = None;
        while let Some(word) = words.next() {
            macro_rules! number {
                ($slot:ident, $field:literal) => {{
                    let value = words.count($field);
                    words.set(&mut go.$slot, $field, value);
                }};
            }
            match word {
                "searchmoves" => {
                    let moves = words.moves("searchmoves", is_keyword);
                    words.set(&mut search_moves, "searchmoves", Some(moves));
                }
                "ponder" => words.raise(&mut go.ponder, "ponder"),
                "infinite" => words.raise(&mut go.infinite, "infinite"),
                "wtime" => number!(white_time_ms, "wtime"),
                "btime" => number!(black_time_ms, "btime"),
                "winc" => number!(white_increment_ms, "winc"),
                "binc" => number!(black_increment_ms, "binc"),
                "movestogo" => number!(moves_to_go, "movestogo"),
                "depth" => number!(depth, "depth"),
                "nodes" => number!(nodes, "nodes"),
                "mate" => number!(mate, "mate"),
                "movetime" => number!(move_time_ms, "movetime"),
                "perft" => number!(perft, "perft"),
                unknown => words.skip_unknown(unknown, is_keyword),
            }
        }
        go.search_moves = search_moves.unwrap_or_default();
        go
    }
}

impl fmt::Display for Go {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("go")?;
        if self.ponder {
            formatter.write_str(" ponder")?;
        }
        write_field(formatter, "wtime", self.white_time_ms)?;
        write_field(formatter, "btime", self.black_time_ms)?;
        write_field(formatter, "winc", self.white_increment_ms)?;
        write_field(formatter, "binc", self.black_increment_ms)?;
        write_field(formatter, "movestogo", self.moves_to_go)?;
        write_field(formatter, "depth", self.depth)?;
        write_field(formatter, "nodes", self.nodes)?;
        write_field(formatter, "mate", self.mate)?;
        write_field(formatter, "movetime", self.move_time_ms)?;
        write_field(formatter, "perft", self.perft)?;
        if self.infinite {
            formatter.write_str(" infinite")?;
        }
        // Last, for many engines take everything after it for moves.
        write_moves(formatter, "searchmoves", &self.search_moves)
    }
}
