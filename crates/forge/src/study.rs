//! Many networks under one budget: what is each feature set worth, and what does it cost?
//!
//! A [`StudyPlan`] names data, a budget, a baseline and entries; a [`Study`] trains every entry, proves and measures it and
//! lets it play against the baseline. Some entries keep the best features of another one, found by what it has learned.
//!
//! ```text
//! plan ──▶ each entry: (select ──▶) (rates ──▶) train ──▶ measure ──▶ play ──▶ all: pace ──▶ findings ──▶ chapter
//! ```
//!
//! **Invariants:** a finished step is never done again, and all entries see the same samples, budget, openings and opponent.

mod answers;
mod chapter;
mod discovery;
mod event;
mod findings;
mod jury;
mod measurement;
mod plan;
mod rates;
mod run;
mod selection;
mod timing;
mod training;

pub use chapter::chapter;
pub use event::{StudyEvent, StudyStep};
pub use findings::{Distance, EntryFindings, Findings, Measurement, Selection, Speed, Training, TriedRate};
pub use plan::{EntryPlan, GroupPlan, Labels, MatchPlan, MeasuringPlan, Ranking, RatesPlan, SelectPlan, StudyPlan};
pub use run::{Study, StudySettings};
