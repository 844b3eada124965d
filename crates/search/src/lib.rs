//! What every searcher shares: limits, time, signals, reports, and the numbers that a tuner may turn.
//!
//! | part | question |
//! |---|---|
//! | [`SearchLimits`], [`StopCondition`], [`AnyOf`] | how far may a search go? |
//! | [`Clock`], [`TimeManager`] | what time is it, and how much of it is this move worth? |
//! | [`SearchSignal`] | how does another thread end a search or tell it of a ponder hit? |
//! | [`SearchReport`], [`SearchResult`], [`PrincipalVariations`], [`WinningChances`] | what was found? |
//! | [`Searcher`] | what can be asked of any searcher? |
//! | [`tunables!`] | which numbers and ideas can be turned? |
//!
//! **Invariants:** time is read only through [`Clock`], so everything here also runs in a browser; nothing here knows
//! how a searcher works inside.

mod clock;
mod limits;
mod report;
mod searcher;
mod signal;
mod stop;
mod time_manager;
mod tunables;
mod variation;
mod winning_chances;

pub use clock::Clock;
pub use limits::{GameTime, SearchLimits};
pub use report::{ScoreBound, SearchReport, SearchResult};
pub use searcher::Searcher;
pub use signal::SearchSignal;
pub use stop::{AnyOf, Progress, StopCondition};
#[cfg(feature = "tune")]
pub use time_manager::tunables as time_tunables;
pub use time_manager::{Steadiness, TimeManager};
pub use tunables::Tunable;
pub use variation::{LONGEST_LINE, PrincipalVariations};
pub use winning_chances::WinningChances;
