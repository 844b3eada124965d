//! The stage in which the network learns and is quantised.

use std::ops::ControlFlow;

use kiebitz_compute::{ComputeError, Device};
use kiebitz_dataset::WrittenFile;
use kiebitz_trainer::{Event as Told, Recipe, Run, RunFiles, RunLog, fingerprint_of_start};
use serde_json::{Value, json};

use crate::error::ForgeError;
use crate::event::Event;
use crate::forge::{Done, Job};
use crate::stage::Stage;

/// The folder of the run inside of the stage's.
pub(crate) const RUN: &str = "run";

/// Where reports and manifests have the recipes of the runs that a network goes on from.
pub(crate) const BEGUN_WITH: &str = "begun_with";

pub(crate) fn run<D: Device>(
    job: &mut Job<'_>,
    divided: &Done,
    teacher: &str,
    device: impl FnOnce() -> Result<D, ComputeError>,
) -> Result<Done, ForgeError> {
    let settings = job.settings;
    let files = divided.files();
    let has_validation = divided.count("validation") > 0;
    let mut recipe: Recipe = settings.recipe.clone();
    recipe.name = settings.name();
    recipe.seed = settings.seed;
    recipe.data.filter.scored_only = true;
    recipe.data.teacher = teacher.to_owned();
    // The fingerprint must not know where things lie.
    recipe.data.train = Vec::new();
    recipe.data.validation = Vec::new();
    let inputs = with_start(json!({ "recipe": recipe, "shards": divided.record.outputs }), &recipe)?;
    recipe.data.train = files.iter().take(1).cloned().collect();
    recipe.data.validation = files.iter().skip(1).filter(|_| has_validation).cloned().collect();
    job.stage(Stage::Train, inputs, |job, place| {
        let folder = place.file(RUN);
        let mut run = Run::open(&recipe, &folder, device()?, settings.threads, true, &settings.program)?;
        let network = run.train(&mut |training| {
            job.tell(&Event::Training { training: training.clone() });
            if job.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let mut report = losses(&RunLog::read(&RunFiles::new(&folder).log())?);
        tell_beginnings(&mut report, run.begun_with());
        let written = WrittenFile::of(&network)?;
        Ok((vec![WrittenFile { file: format!("{RUN}/{}", written.file), ..written }], report))
    })
}

/// Inputs of a step that trains, with the weights that it begins with, if they are another run's: they may change where they lie.
pub(crate) fn with_start(mut inputs: Value, recipe: &Recipe) -> Result<Value, ForgeError> {
    if let Some(start) = fingerprint_of_start(recipe)? {
        inputs["start"] = json!(start);
    }
    Ok(inputs)
}

/// Says from which runs a network goes on: without their recipes its teachers would not be known.
pub(crate) fn tell_beginnings(told: &mut Value, begun_with: &[Recipe]) {
    if !begun_with.is_empty() {
        told[BEGUN_WITH] = begun_with.iter().map(|recipe| json!(recipe.without_folders())).collect();
    }
}

/// What the log says about losses, device and speed.
pub(crate) fn losses(events: &[Told]) -> Value {
    let mut report = json!({});
    let mut best: Option<f64> = None;
    for event in events {
        match event {
            Told::Start { device, samples, parameters, .. } => {
                report["device"] = json!(device);
                report["samples"] = json!(samples);
                report["parameters"] = json!(parameters);
            }
            Told::Steps { loss, positions, .. } => {
                report["train_loss"] = json!(loss);
                report["positions"] = json!(positions);
            }
            Told::Validation { loss, .. } => {
                best = Some(best.map_or(*loss, |best| best.min(*loss)));
                report["validation_loss"] = json!(loss);
                report["best_validation_loss"] = json!(best);
            }
            Told::End { quantised_loss, .. } => report["quantised_validation_loss"] = json!(quantised_loss),
            Told::Checkpoint { .. } | Told::PassedOver { .. } => {}
        }
    }
    report
}
