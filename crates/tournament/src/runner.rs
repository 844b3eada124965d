//! Whole matches and tournaments: settings go in, events come out while it runs, a report at the end.
//!
//! ```text
//! MatchSettings ──▶ Match::prepare ──▶ run ──▶ MatchReport
//!                   (everything that    │ └──▶ Event … (to an observer)
//!                    can be wrong is    ├─ workers: a thread and its engines each
//!                    told here)         ├─ heartbeat: notices when the machine stands still
//!                                       ├─ journal: finished games, safe on disk
//!                                       ├─ live file: games in progress, for onlookers
//!                                       └─ ledger: results in the order of the schedule
//! ```
//!
//! Games finish in any order, but count in the order of the schedule: a game is *released* once all games before it are
//! finished. Statistics, stopping rules and PGN see released games only. So neither concurrency nor an interruption changes
//! what a match says, and a test that stops does not favour short games.
//!
//! **Invariants:** a game that an event calls finished is in the journal (if there is one) and survives a power cut; it is
//! never played again. No engine outlives the match. Chance comes from the seed alone.

mod check;
mod delays;
mod event;
mod heartbeat;
mod identity;
mod journal;
mod ledger;
mod live;
mod neighbours;
mod pgn_file;
mod plan;
mod report;
mod run;
mod settings;
mod standing;
mod worker;

pub use check::{Introduction, MatchError};
pub use delays::{DelaySummary, Delays};
pub use event::Event;
pub use heartbeat::{Heartbeat, Stall};
pub use journal::{Journal, JournalError, JournalProblem, JournalReader};
pub use live::{LIVE_FILE, LiveGame, LiveSeat};
pub use plan::StopRule;
pub use report::{Conclusion, MatchReport, PlayerReport};
pub use run::Match;
pub use settings::{Contestant, ExcusedLosses, MatchSettings, OpeningChoice};
pub use standing::{Bar, EncounterStanding, RaceStanding, SprtStanding, Standing};
