//! Who plays.

use serde::{Deserialize, Serialize};

/// An engine that can be played against. Human-like and tree-searching players will appear in the same list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Opponent {
    /// Its name in requests: `handcrafted`, or `network:` and the name of a network.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// A sentence about it.
    pub description: String,
    /// The weakest and the strongest rating that can be asked for; nothing if its strength cannot be set.
    pub elo_range: Option<(u32, u32)>,
    /// The network it plays with.
    pub network: Option<String>,
}

/// A side of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person in front of the page.
    Human {
        /// Their name; may be empty.
        name: String,
    },
    /// One of the server's opponents.
    Engine {
        /// Its name in requests.
        opponent: String,
        /// The rating it plays at; full strength without one.
        elo: Option<u32>,
    },
}
