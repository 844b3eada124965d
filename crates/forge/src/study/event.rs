//! The steps of a study, and what happens in them, for whoever watches.

use serde::{Deserialize, Serialize};

use crate::stage::Step;

/// What an entry goes through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StudyStep {
    /// Triplets are made of the samples, once for all entries.
    Triplets,
    /// Features are chosen by what another entry has learned.
    Select,
    /// A short run with one of the learning rates to choose from.
    Rate,
    /// The network learns, is quantised and judged.
    Train,
    /// The network is proved and measured.
    Measure,
    /// It plays at fixed nodes.
    Play,
    /// It plays under a clock.
    Clock,
    /// All networks are timed by turns.
    Pace,
}

impl StudyStep {
    /// The name, as folders and reports have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Triplets => "triplets",
            Self::Select => "select",
            Self::Rate => "rate",
            Self::Train => "train",
            Self::Measure => "measure",
            Self::Play => "play",
            Self::Clock => "clock",
            Self::Pace => "pace",
        }
    }
}

impl Step for StudyStep {
    fn folder(self) -> String {
        self.name().to_owned()
    }
}

/// Something happened. As JSON every event is an object whose `event` says which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum StudyEvent {
    /// An entry's turn has come.
    EntryBegun {
        /// Its name.
        entry: String,
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A step begins, or goes on.
    StepBegun {
        /// Of which entry.
        entry: String,
        /// Which one.
        step: StudyStep,
    },
    /// A step was finished by an earlier run.
    StepKept {
        /// Of which entry.
        entry: String,
        /// Which one.
        step: StudyStep,
    },
    /// A step is finished.
    StepFinished {
        /// Of which entry.
        entry: String,
        /// Which one.
        step: StudyStep,
        /// How long this run worked on it.
        seconds: f64,
    },
    /// An entry has no network; the others go on.
    EntryFailed {
        /// Its name.
        entry: String,
        /// Why.
        reason: String,
    },
    /// The trainer tells something.
    Training {
        /// What it tells.
        training: kiebitz_trainer::Event,
    },
    /// The match tells something.
    Playing {
        /// What it tells.
        playing: kiebitz_tournament::runner::Event,
    },
}
