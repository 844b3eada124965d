//! From games to a proved network, as one job.
//!
//! ```text
//! import ──▶ label ──▶ shuffle ──▶ split ──▶ train ──▶ prove ──▶ match ──▶ card
//! ```
//!
//! [`Forge`] runs the stages one after the other. Each has a folder whose name ends with the fingerprint of everything that it
//! depends on: settings, and the checksums of what the stages before have made. A stage is finished when its record lies in its
//! folder; then it is never done again. An unfinished stage goes on where it was, as far as the library that does its work can.
//!
//! A [`Study`] does the same for many networks at once, each under the same budget, and compares them.
//!
//! **Invariants:** inputs, settings, seed and program decide the network's bytes, however often the job was killed. Other
//! settings never continue work that was begun with these. The network appears under its name only after it was proved.

mod card;
mod card_text;
mod contest;
mod error;
mod event;
mod forge;
mod import;
mod label;
mod order;
mod own_scorer;
mod pace;
mod proof;
mod settings;
mod shard_list;
mod stage;
mod study;
mod training;

pub use card::{Card, CardBeginning, CardData, CardLosses, CardProof, CardSource};
pub use contest::Encounter;
pub use error::ForgeError;
pub use event::Event;
pub use forge::{Forge, Forged};
pub use pace::{Pace, nodes_per_second};
pub use settings::{ContestSettings, DEFAULT_RECIPE, ForgeSettings, Teacher};
pub use stage::{Stage, StageRecord};
pub use study::{
    Distance, EntryFindings, EntryPlan, Findings, GroupPlan, Labels, MatchPlan, Measurement, MeasuringPlan, Ranking,
    RatesPlan, SelectPlan, Selection, Speed, Study, StudyEvent, StudyPlan, StudySettings, StudyStep, Training,
    TriedRate, chapter,
};
