//! The step in which an entry learns and is quantised, and both forms are judged by the same positions.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use kiebitz_compute::{ComputeError, Device};
use kiebitz_dataset::WrittenFile;
use kiebitz_inference::{Evaluator, Network};
use kiebitz_network::{Centipawns, Certificate, NetworkFile, RoundingReport, reference};
use kiebitz_trainer::{Event as Told, LossKind, Recipe, Run, RunFiles, RunLog};
use serde_json::{Value, json};

use super::event::{StudyEvent, StudyStep};
use super::findings::Training;
use super::jury::{mean, triplet_lines};
use super::run::{Course, Finished};
use crate::error::ForgeError;
use crate::stage::write_whole;
use crate::training::{RUN, losses, tell_beginnings, with_start};

/// Points of a curve that are kept.
const MOST_POINTS: usize = 200;

/// Triplets that are made at most; the trainer holds all of them in memory.
const MOST_TRIPLETS: u64 = 4_000_000;

/// Where triplets lie among the folders of the entries.
const TRIPLETS: &str = "triplets";

/// The name of the losses of the quantised network at the positions of the jury, four bytes each.
const JUDGED: &str = "judged.f32";

/// Gives a recipe its data, and tells by what the fingerprints of its steps know them and it.
pub(super) fn prepare(course: &mut Course<'_>, recipe: &mut Recipe) -> Result<Value, ForgeError> {
    let (train, validation, shards) = match recipe.loss.kind {
        LossKind::Value => (course.train.clone(), course.validation.clone(), course.checksums.clone()),
        LossKind::Pqr => {
            let made = triplets(course)?;
            let [train, validation] = made.files();
            (vec![train], vec![validation], [made.record.outputs, course.checksums[1].clone()])
        }
    };
    // The fingerprint must not know where things lie.
    recipe.data.train = Vec::new();
    recipe.data.validation = Vec::new();
    let inputs = json!({ "recipe": recipe, "shards": shards, "judged": course.plan().measuring.positions });
    let inputs = with_start(inputs, recipe)?;
    (recipe.data.train, recipe.data.validation) = (train, validation);
    Ok(inputs)
}

pub(super) fn run<D: Device>(
    course: &mut Course<'_>,
    mut recipe: Recipe,
    device: &dyn Fn() -> Result<D, ComputeError>,
) -> Result<Finished, ForgeError> {
    let inputs = prepare(course, &mut recipe)?;
    let (name, data) = (recipe.name.clone(), inputs["shards"].clone());
    let finished = course.step(&name, StudyStep::Train, inputs, |course, place| {
        let folder = place.file(RUN);
        let threads = course.settings.threads;
        let mut run = Run::open(&recipe, &folder, device()?, threads, true, &course.settings.program)?;
        let network = run.train(&mut |training| {
            course.tell(&StudyEvent::Training { training: training.clone() });
            if course.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let merged =
            run.model().weights()?.merge(&recipe.network).map_err(|error| ForgeError::Unproved(error.to_string()))?;
        let begun_with = run.begun_with().to_vec();
        drop(run);
        let jury = course.jury()?;
        let floats = in_parts(threads, &jury.values, |part| {
            let value = |position| reference::evaluate_floats(&recipe.network, &merged, position);
            part.iter().map(|(position, _)| f64::from(value(position))).collect::<Vec<_>>()
        });
        let mut file = NetworkFile::read(&network).map_err(ForgeError::network(&network))?;
        let packed = Network::new(&file)?;
        let integers = in_parts(threads, &jury.values, |part| {
            let mut evaluator = Evaluator::new(&packed);
            let mut value = |position| {
                evaluator.reset(position);
                f64::from(evaluator.evaluate_parts(position).units)
            };
            part.iter().map(|(position, _)| value(position)).collect::<Vec<_>>()
        });
        let (floats, integers) = (floats.concat(), integers.concat());
        if recipe.loss.kind == LossKind::Pqr {
            // Learned without any unit; the margins of a search are in centipawns.
            file = in_centipawns(file, jury.fitted_unit(&integers));
        }
        let unit = f64::from(file.spec().centipawns.times) / f64::from(file.spec().centipawns.per.max(1));
        let judged = jury.losses(unit, &integers);
        let float_loss = mean(jury.losses(unit, &floats).into_iter());
        let quantised_loss = mean(judged.iter().copied());
        let events = RunLog::read(&RunFiles::new(&folder).log())?;
        let report = losses(&events);
        let text = |name: &str| report[name].as_str().unwrap_or_default().to_owned();
        let findings = Training {
            device: text("device"),
            parameters: file.spec().parameters(),
            samples: report["samples"].as_u64().unwrap_or(0),
            positions: report["positions"].as_u64().unwrap_or(0),
            train_loss: report["train_loss"].as_f64(),
            validation_loss: report["validation_loss"].as_f64(),
            best_validation_loss: report["best_validation_loss"].as_f64(),
            speed: undisturbed_speed(&events),
            judged: jury.values.len(),
            float_loss: float_loss.value,
            quantised_loss: quantised_loss.value,
            loss_error: quantised_loss.error,
            validations: curve(&events, |event| match event {
                Told::Validation { positions, loss, .. } => Some((*positions, *loss)),
                _ => None,
            }),
            losses: curve(&events, |event| match event {
                Told::Steps { positions, loss, .. } => Some((*positions, *loss)),
                _ => None,
            }),
        };
        // The same study gives the same bytes in any folder: its network names data by their checksums.
        file.header.manifest = json!({
            "recipe": recipe.without_folders(),
            "data": data,
            "teacher": recipe.data.teacher,
            "validation_loss": findings.validation_loss,
            "quantised_validation_loss": report["quantised_validation_loss"],
            "made_by": course.settings.program,
        });
        tell_beginnings(&mut file.header.manifest, &begun_with);
        let path = place.file(&format!("{}.net", recipe.name));
        file.write(&path).map_err(ForgeError::network(&path))?;
        let losses = place.file(JUDGED);
        write_whole(&losses, &judged.iter().flat_map(|loss| (*loss as f32).to_le_bytes()).collect::<Vec<u8>>())?;
        Ok((vec![WrittenFile::of(&path)?, WrittenFile::of(&losses)?], json!(findings)))
    })?;
    // The step is finished for ever, and states of large networks are large.
    let _ = fs::remove_dir_all(RunFiles::new(&finished.folder.join(RUN)).checkpoints());
    Ok(finished)
}

/// Triplets of the shards for training and validation, made once and used by all entries that learn from them.
fn triplets(course: &mut Course<'_>) -> Result<Finished, ForgeError> {
    let plan = course.plan();
    // More would never be seen.
    let most =
        [plan.training.positions, plan.training.validation].map(|most| most.div_ceil(3).min(MOST_TRIPLETS) as usize);
    let (filter, seed) = (&plan.data.filter, plan.seed);
    let inputs = json!({ "shards": course.checksums, "most": most, "filter": filter, "seed": seed });
    course.step(TRIPLETS, StudyStep::Triplets, inputs, |course, place| {
        let mut written = Vec::new();
        for (name, shards, most) in
            [("train.pqr", &course.train, most[0]), ("validation.pqr", &course.validation, most[1])]
        {
            let path = place.file(name);
            let mut text = Vec::new();
            let collected = triplet_lines(shards, filter, most, seed, |line| {
                text.extend_from_slice(line.as_bytes());
                Ok(())
            })?;
            collected.map_err(ForgeError::io(&path))?;
            write_whole(&path, &text)?;
            written.push(WrittenFile::of(&path)?);
        }
        Ok((written, json!({})))
    })
}

/// The same network, its units counting so many centipawns.
fn in_centipawns(mut file: NetworkFile, unit: f64) -> NetworkFile {
    const PARTS: u32 = 1000;
    let spec = &mut file.header.spec;
    let before = f64::from(spec.centipawns.times) / f64::from(spec.centipawns.per.max(1));
    spec.centipawns = Centipawns { times: (unit * f64::from(PARTS)).round().max(1.0) as u32, per: PARTS };
    let times = f64::from(spec.centipawns.times) / f64::from(PARTS) / before;
    let rounding = file.header.certificate.take().and_then(|certificate| certificate.rounding);
    let mut certificate = Certificate::new(&file.header.spec, &file.weights);
    certificate.rounding = rounding.map(|rounding| RoundingReport {
        mean_centipawns: rounding.mean_centipawns * times,
        largest_centipawns: rounding.largest_centipawns * times,
        ..rounding
    });
    file.header.certificate = Some(certificate);
    file
}

impl Finished {
    /// What the quantised network lost at every position of the jury.
    pub(super) fn judged(&self) -> Result<Vec<f64>, ForgeError> {
        let path = self.folder.join(JUDGED);
        let bytes = fs::read(&path).map_err(ForgeError::io(&path))?;
        let loss = |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        Ok(bytes.chunks_exact(4).map(loss).collect())
    }

    /// The two files of triplets.
    fn files(&self) -> [PathBuf; 2] {
        ["train.pqr", "validation.pqr"].map(|name| self.folder.join(name))
    }
}

/// The speed that a tenth of the run exceeded: whatever else runs on the machine can only make it slower.
fn undisturbed_speed(events: &[Told]) -> f64 {
    let mut speeds: Vec<f64> = events
        .iter()
        .filter_map(|event| match event {
            Told::Steps { speed, .. } => Some(*speed),
            _ => None,
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() * 9 / 10).copied().unwrap_or(0.0)
}

/// Points of a curve, neighbours averaged so that few enough are left.
fn curve(events: &[Told], point: impl Fn(&Told) -> Option<(u64, f64)>) -> Vec<(u64, f64)> {
    let points: Vec<(u64, f64)> = events.iter().filter_map(point).collect();
    let averaged = |part: &[(u64, f64)]| {
        let count = part.len() as f64;
        (
            part.iter().map(|point| point.0).sum::<u64>() / part.len() as u64,
            part.iter().map(|point| point.1).sum::<f64>() / count,
        )
    };
    points.chunks(points.len().div_ceil(MOST_POINTS).max(1)).map(averaged).collect()
}

/// Work on parts of a list, one a thread; the results come in the order of the list.
pub(super) fn in_parts<T: Sync, R: Send>(
    threads: NonZeroUsize,
    items: &[T],
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let size = items.len().div_ceil(threads.get()).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = items.chunks(size).map(|part| scope.spawn(move || work(part))).collect();
        let joined = |handle: std::thread::ScopedJoinHandle<'_, R>| handle.join();
        handles
            .into_iter()
            .map(|handle| joined(handle).unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_order() {
        let numbers: Vec<u32> = (0..100).collect();
        for threads in [1, 3, 7, 200] {
            let parts = in_parts(NonZeroUsize::new(threads).unwrap(), &numbers, <[u32]>::to_vec);
            assert_eq!(parts.concat(), numbers);
        }
    }

    #[test]
    fn curves_are_thinned_and_speeds_are_typical() {
        let steps = |step: u64| Told::Steps {
            step,
            positions: step * 10,
            loss: 1.0,
            rate: 0.1,
            result_share: 0.0,
            speed: if step < 50 { 1e9 } else { 100.0 + step as f64 / 1e3 },
        };
        let events: Vec<Told> = (0..1000).map(steps).collect();
        let points = curve(&events, |event| match event {
            Told::Steps { positions, loss, .. } => Some((*positions, *loss)),
            _ => None,
        });
        assert!(points.len() <= MOST_POINTS && points.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!((100.0..102.0).contains(&undisturbed_speed(&events)));
        assert!(undisturbed_speed(&[]) < 1e-9);
        assert!(curve(&[], |_| None).is_empty());
    }
}
