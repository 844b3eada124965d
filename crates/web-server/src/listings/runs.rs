//! Training runs: folders with a log of events.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kiebitz_messages::{Fault, LossPoint, RunDetail, RunState, RunSummary};
use kiebitz_trainer::{Event, RunLog};

use crate::fault::{internal, missing};
use crate::folder::{Found, Stamp, folders_with};

const LOG: &str = "log.jsonl";
const RECIPE: &str = "recipe.toml";
/// A log that grew within this time belongs to a run that goes on.
const FRESH: Duration = Duration::from_secs(120);
/// Points of a curve that travel.
const MOST_POINTS: usize = 1000;
/// A recipe longer than this is not shown.
const LONGEST_RECIPE: u64 = 100_000;

/// The runs of a workspace.
pub(crate) struct RunRack {
    root: PathBuf,
    known: Mutex<HashMap<PathBuf, (Stamp, RunDetail)>>,
}

impl RunRack {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, known: Mutex::default() }
    }

    /// All runs, the last changed first.
    pub(crate) fn list(&self) -> Vec<RunSummary> {
        let details = folders_with(&self.root, LOG).into_iter().filter_map(|found| self.read(&found).ok());
        let mut runs: Vec<RunSummary> = details.map(|detail| detail.summary).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.changed_ms));
        runs
    }

    /// One run with its curves.
    pub(crate) fn get(&self, id: &str) -> Result<RunDetail, Fault> {
        let found = folders_with(&self.root, LOG).into_iter().find(|found| found.id == id);
        self.read(&found.ok_or_else(|| missing("run", id))?)
    }

    fn read(&self, found: &Found) -> Result<RunDetail, Fault> {
        let log = found.path.join(LOG);
        let stamp = Stamp::of(&log).ok_or_else(|| missing("run", &found.id))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut detail = match known.get(&found.path).filter(|(old, _)| *old == stamp) {
            Some((_, detail)) => detail.clone(),
            None => {
                let detail = detail(found, stamp, &RunLog::read(&log).map_err(internal)?);
                known.insert(found.path.clone(), (stamp, detail.clone()));
                detail
            }
        };
        // Time passes while the log does not.
        if detail.summary.state != RunState::Finished {
            detail.summary.state = if stamp.is_fresh(FRESH) { RunState::Running } else { RunState::Stopped };
        }
        Ok(detail)
    }
}

fn detail(found: &Found, stamp: Stamp, events: &[Event]) -> RunDetail {
    let summary = RunSummary {
        id: found.id.clone(),
        name: found.id.clone(),
        state: RunState::Stopped,
        step: 0,
        steps: 0,
        loss: None,
        validation_loss: None,
        speed: None,
        changed_ms: stamp.changed_ms,
    };
    let mut detail = RunDetail {
        summary,
        network: String::new(),
        device: String::new(),
        parameters: 0,
        batch: 0,
        recipe: recipe(found),
        training: Vec::new(),
        validation: Vec::new(),
        result: None,
    };
    events.iter().for_each(|event| take_in(&mut detail, event));
    let step_by = detail.training.len().div_ceil(MOST_POINTS).max(1);
    let last = detail.training.last().copied();
    detail.training = detail.training.into_iter().step_by(step_by).collect();
    if detail.training.last() != last.as_ref() {
        detail.training.extend(last);
    }
    detail
}

fn take_in(detail: &mut RunDetail, event: &Event) {
    let summary = &mut detail.summary;
    match event {
        Event::Start { name, network, device, parameters, step, steps, batch, .. } => {
            (summary.name, summary.step, summary.steps) = (name.clone(), *step, *steps);
            (detail.network, detail.device) = (network.clone(), device.clone());
            (detail.parameters, detail.batch) = (*parameters, *batch as u64);
        }
        Event::Steps { step, positions, loss, rate, speed, .. } => {
            (summary.step, summary.loss, summary.speed) = (*step, Some(*loss), Some(*speed));
            let rate = Some(*rate);
            detail.training.push(LossPoint { step: *step, positions: *positions, loss: *loss, rate });
        }
        Event::Validation { step, positions, loss, .. } => {
            summary.validation_loss = Some(*loss);
            detail.validation.push(LossPoint { step: *step, positions: *positions, loss: *loss, rate: None });
        }
        Event::Checkpoint { step } => summary.step = summary.step.max(*step),
        Event::PassedOver { .. } => {}
        Event::End { file, .. } => {
            summary.state = RunState::Finished;
            // Where the network lies is nobody's business; what it is called is.
            detail.result = file.rsplit(['/', '\\']).next().map(str::to_owned);
        }
    }
}

fn recipe(found: &Found) -> String {
    let path = found.path.join(RECIPE);
    let short = Stamp::of(&path).is_some_and(|stamp| stamp.bytes <= LONGEST_RECIPE);
    if short { fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}
