//! What an onlooker says about games, to whoever asks: the server, the engine in the browser, the workshop.
//!
//! | part | question |
//! |---|---|
//! | [`Mind`], [`Desk`] | whose evaluation is asked, and which engine thinks? |
//! | [`read_line`], [`line_moves`] | what do positions and moves look like in messages? |
//! | [`Task`] | how is a request worked off, piece by piece, so that others get their turn? |
//! | [`inspect`], [`neuron_weights`] | what is an evaluation made of? |
//! | [`why`] | why this move? |
//! | [`review`] | how well was a game played? |
//!
//! **Invariants:** every number comes from the engine's own code; every sentence is built from a fact that a search, the rules
//! or an exact split has shown; scores are as White sees them; no text makes it panic. It builds for the browser, where only
//! annotated PGN is missing.

mod analysis;
mod desk;
mod drawing;
mod inspection;
mod line;
mod mind;
mod neuron;
pub mod review;
mod task;
mod thought;
pub mod why;

pub use desk::{Desk, Searched, SearchedLine, Setup};
pub use drawing::network_card;
pub use inspection::inspect;
pub use line::{MAX_PLIES, line_moves, read_line, shown_move};
pub use mind::{BUILT_IN, LoadedNetwork, Mind, opponents};
pub use neuron::neuron_weights;
pub use task::{Limits, Progress, Task};
