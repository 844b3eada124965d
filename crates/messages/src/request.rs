//! What the page asks, over a WebSocket or of a worker.

use serde::{Deserialize, Serialize};

use crate::{AnalysisLimit, Line};

/// What the clocks show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameClock {
    /// White's.
    pub white_ms: u32,
    /// Black's.
    pub black_ms: u32,
    /// What a move adds.
    pub increment_ms: u32,
}

/// What can be watched; the present state comes at once, later ones whenever something changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Topic {
    /// The list of networks.
    Networks,
    /// The list of runs.
    Runs,
    /// The list of matches.
    Matches,
    /// One run with its curves.
    Run {
        /// Which one.
        name: String,
    },
    /// One match with its latest games.
    Match {
        /// Which one.
        name: String,
    },
}

/// A request. Its `id` is chosen by the page, and every event that answers it carries it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Request {
    /// Who can be played against, and whose evaluation can be looked at? Answered by `opponents`.
    Opponents {
        /// Its number.
        id: u32,
    },
    /// Analyse a position. A connection has one analysis: a new one replaces it. Answered by `waiting`, `analysis` (many) and
    /// `analysis_ended`.
    Analyse {
        /// Its number.
        id: u32,
        /// The position.
        line: Line,
        /// Who analyses.
        opponent: String,
        /// How many of the best lines.
        lines: u32,
        /// Threads.
        threads: u32,
        /// Table, in mebibytes.
        hash_mebibytes: u32,
        /// How far.
        limit: AnalysisLimit,
    },
    /// Stop what has this number: an analysis, a thought, a review, a watch.
    Stop {
        /// The number of what is to be stopped.
        id: u32,
    },
    /// Choose a move as a player. Also for hints: then without `elo`. Answered by `thought`.
    Think {
        /// Its number.
        id: u32,
        /// The game so far.
        line: Line,
        /// Who thinks.
        opponent: String,
        /// The rating to play at; full strength without one.
        elo: Option<u32>,
        /// The clocks; without them `time_ms` counts.
        clock: Option<GameClock>,
        /// How long to think without clocks; a second if nothing is said.
        time_ms: Option<u32>,
    },
    /// Would the opponent, who is not to move, take a draw? Answered by `draw_answer`.
    OfferDraw {
        /// Its number.
        id: u32,
        /// The game so far.
        line: Line,
        /// Who is asked.
        opponent: String,
        /// Which side the opponent plays.
        opponent_side: crate::Side,
    },
    /// Look inside a position. The last move of the line tells what changed. Answered by `inspection`.
    Inspect {
        /// Its number.
        id: u32,
        /// The position.
        line: Line,
        /// Whose evaluation.
        opponent: String,
        /// How many positions the search beside it visits; 0 for no search.
        search_nodes: u32,
    },
    /// The weights of a neuron. Answered by `neuron`.
    Neuron {
        /// Its number.
        id: u32,
        /// Which network.
        network: String,
        /// Which neuron.
        neuron: u32,
        /// Where the viewing side's king stands, on its own board.
        king: String,
    },
    /// Why this move? Answered by `explanation`.
    Why {
        /// Its number.
        id: u32,
        /// The position before the move.
        line: Line,
        /// The move in UCI notation; the best one if nothing is said.
        played: Option<String>,
        /// Whose evaluation.
        opponent: String,
    },
    /// Judge a whole game. Answered by `review_progress` (many) and `review`.
    Review {
        /// Its number.
        id: u32,
        /// The main line.
        line: Line,
        /// The whole game, if an annotated PGN is wanted; its main line must be `line`.
        pgn: Option<String>,
        /// Who judges.
        opponent: String,
        /// Positions to visit for each move.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        nodes: u64,
    },
    /// Keep me told. Answered by `listing`, again and again until `stop`. Only with a server.
    Watch {
        /// Its number.
        id: u32,
        /// Of what.
        topic: Topic,
    },
    /// Are you there? Answered by `pong`.
    Ping {
        /// Its number.
        id: u32,
    },
}

impl Request {
    /// Its number; for `stop` that of what is to be stopped.
    #[must_use]
    pub const fn id(&self) -> u32 {
        match self {
            Self::Opponents { id }
            | Self::Analyse { id, .. }
            | Self::Stop { id }
            | Self::Think { id, .. }
            | Self::OfferDraw { id, .. }
            | Self::Inspect { id, .. }
            | Self::Neuron { id, .. }
            | Self::Why { id, .. }
            | Self::Review { id, .. }
            | Self::Watch { id, .. }
            | Self::Ping { id } => *id,
        }
    }
}
