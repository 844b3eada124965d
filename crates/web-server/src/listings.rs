//! What the workspace holds besides games: networks, training runs, matches.

mod matches;
mod networks;
mod runs;

pub(crate) use matches::MatchRack;
pub(crate) use networks::NetworkShelf;
pub(crate) use runs::RunRack;
