//! One game between two engines: from an opening to a [`GameRecord`].
//!
//! ```text
//! GamePlan + two Engines ──▶ play ──▶ GameRecord ──▶ StoredGame (a line of JSON)
//!                                             └───▶ PGN
//! ```
//!
//! Moves are checked and endings found by [`kiebitz_chess`]; what the players believe about the rules does not matter.
//! The clock of a player runs from the moment `go` (or `ponderhit`) has been written until `bestmove` has arrived, as the
//! reading threads of [`kiebitz_uci`] stamp it: what the manager does in between costs nobody time.
//!
//! **Invariants:** a game always comes to an end, whatever the engines do; whoever breaks the game loses it, and the
//! record says how. Every move of a record is legal.

mod oracle;
mod pgn;
mod play;
mod record;
mod stored;
mod termination;

pub use oracle::EndgameOracle;
pub use pgn::{PgnStyle, pgn_of};
pub use play::{GamePlan, PlayedGame, play};
pub use record::{GameRecord, MoveRecord, Note};
pub use stored::{StoredGame, StoredGameError};
pub use termination::Termination;
