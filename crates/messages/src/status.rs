//! What a server is and allows.

use serde::{Deserialize, Serialize};

/// What a page may ask for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ServerLimits {
    /// Threads of an analysis.
    pub max_threads: u32,
    /// Table of an analysis, in mebibytes.
    pub max_hash_mebibytes: u32,
    /// Lines of an analysis.
    pub max_lines: u32,
    /// Nodes for each move of a review.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub max_review_nodes: u64,
    /// Plies of a game.
    pub max_plies: u32,
    /// Bytes of a message or a body.
    pub max_bytes: u32,
    /// Searches that run at the same time; the others wait their turn.
    pub search_slots: u32,
}

/// What a server is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ServerStatus {
    /// The version of the messages.
    pub protocol: u32,
    /// The version of the program.
    pub version: String,
    /// Whether documents (games, networks, runs, matches) are kept; not in the browser alone.
    pub documents: bool,
    /// What may be asked for.
    pub limits: ServerLimits,
    /// Searches that run.
    pub running_searches: u32,
    /// Searches that wait for their turn.
    pub waiting_searches: u32,
    /// Open connections.
    pub connections: u32,
}
