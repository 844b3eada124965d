//! The steps that find an entry's learning rate: short runs of which the best decides.

use std::fs;
use std::ops::ControlFlow;

use kiebitz_compute::{ComputeError, Device};
use kiebitz_dataset::WrittenFile;
use kiebitz_trainer::{Recipe, Run, RunFiles, RunLog, TrainError};
use serde_json::json;

use super::event::{StudyEvent, StudyStep};
use super::findings::TriedRate;
use super::run::Course;
use super::training::prepare;
use crate::error::ForgeError;
use crate::training::{RUN, losses};

/// Gives a recipe the rate that serves it best, and tells how all of them did.
pub(super) fn choose<D: Device>(
    course: &mut Course<'_>,
    recipe: &mut Recipe,
    device: &dyn Fn() -> Result<D, ComputeError>,
) -> Result<Vec<TriedRate>, ForgeError> {
    let Some(plan) = &course.plan().rates else { return Ok(Vec::new()) };
    let mut tried = Vec::new();
    for &rate in &plan.tried {
        let mut short = recipe.clone();
        short.optimiser.rate = rate;
        short.training.positions = plan.positions;
        // One look at the end is enough.
        short.training.epoch = plan.positions;
        tried.push(run(course, short, device)?);
    }
    let best = tried.iter().filter_map(|tried| Some((tried.rate, tried.loss?)));
    if let Some((rate, _)) = best.min_by(|left, right| left.1.total_cmp(&right.1)) {
        recipe.optimiser.rate = rate;
    }
    Ok(tried)
}

fn run<D: Device>(
    course: &mut Course<'_>,
    mut recipe: Recipe,
    device: &dyn Fn() -> Result<D, ComputeError>,
) -> Result<TriedRate, ForgeError> {
    let inputs = prepare(course, &mut recipe)?;
    let (name, rate) = (recipe.name.clone(), recipe.optimiser.rate);
    let finished = course.step(&name, StudyStep::Rate, inputs, |course, place| {
        let folder = place.file(RUN);
        let mut run = Run::open(&recipe, &folder, device()?, course.settings.threads, true, &course.settings.program)?;
        let trained = run.train(&mut |training| {
            course.tell(&StudyEvent::Training { training: training.clone() });
            if course.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let loss = match trained {
            Ok(_) => losses(&RunLog::read(&RunFiles::new(&folder).log())?)["validation_loss"].as_f64(),
            // Too large a step for this network: that is an answer, too.
            Err(
                TrainError::NotANumber { .. }
                | TrainError::ValidationNotANumber { .. }
                | TrainError::Quantise(_)
                | TrainError::Unplayable(_),
            ) => None,
            Err(other) => return Err(other.into()),
        };
        Ok((Vec::<WrittenFile>::new(), json!(TriedRate { rate, loss })))
    })?;
    // Only its answer counts.
    let _ = fs::remove_dir_all(finished.folder.join(RUN));
    finished.report()
}
