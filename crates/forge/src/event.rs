//! What happens while a network is forged, for whoever watches.

use serde::Serialize;

use crate::stage::Stage;

/// Something happened. As JSON every event is an object whose `event` says which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A stage begins, or goes on.
    StageBegun {
        /// Which one.
        stage: Stage,
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A stage was finished by an earlier run.
    StageKept {
        /// Which one.
        stage: Stage,
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A stage has come further.
    Progress {
        /// Which one.
        stage: Stage,
        /// How far.
        done: u64,
        /// Where the end is.
        total: u64,
        /// What is counted.
        unit: &'static str,
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
    /// A stage is finished.
    StageFinished {
        /// Which one.
        stage: Stage,
        /// How long this run worked on it.
        seconds: f64,
        /// What it found.
        report: serde_json::Value,
    },
}
