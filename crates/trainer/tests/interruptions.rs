//! Runs that are killed, stopped, or lose their samples on the way: they go on, and end with the same bytes.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests may fail loudly, and say what they skip")]

mod support;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use kiebitz_compute::{Cpu, Device};
use kiebitz_trainer::{Checkpoint, Event, Recipe, Run, RunFiles, TrainError};

use support::{NETWORKS, open, recipe, shard};

#[test]
fn killed_and_resumed_runs_give_the_same_bytes() {
    killed_and_resumed(|threads| Cpu::new(threads).unwrap());
}

#[cfg(feature = "cuda")]
#[test]
fn killed_and_resumed_runs_give_the_same_bytes_on_the_gpu() {
    match kiebitz_compute::Cuda::open(0) {
        Ok(_) => killed_and_resumed(|_| kiebitz_compute::Cuda::open(0).unwrap()),
        Err(error) => eprintln!("skipped: {error}"),
    }
}

fn killed_and_resumed<D: Device>(device: impl Fn(usize) -> D) {
    let open = |recipe: &Recipe, folder: &Path, threads: usize, resume: bool| {
        let loaders = NonZeroUsize::new(threads).unwrap();
        Run::open(recipe, folder, device(threads), loaders, resume, "a test")
    };
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 200);
    let recipe = recipe(NETWORKS[1], &shard, 30_000);
    let whole = open(&recipe, &place.path().join("whole"), 1, false)
        .unwrap()
        .train(&mut |_| ControlFlow::Continue(()))
        .unwrap();
    let folder = place.path().join("killed");
    let mut file = None;
    for attempt in 0..24 {
        let mut run = open(&recipe, &folder, 1 + attempt % 3, attempt > 0).unwrap();
        let mut left = 5;
        let result = run.train(&mut |event| {
            left -= 1;
            // The end itself must not be interrupted, or the last attempt would never come to it.
            let stops = left == 0 && !matches!(event, Event::End { .. });
            if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match result {
            Ok(path) => {
                file = Some(path);
                break;
            }
            Err(error) => {
                assert!(matches!(error, TrainError::Stopped(_)), "{error}");
                // Stopping keeps every step; killing loses those since the last checkpoint, which is then missing.
                let checkpoints = RunFiles::new(&folder).checkpoints();
                let newest = Checkpoint::newest(&checkpoints).unwrap().unwrap();
                if attempt % 3 == 2 {
                    fs::remove_dir_all(newest).unwrap();
                }
            }
        }
    }
    let resumed = file.expect("the run ends");
    let expected = fs::read(whole).unwrap();
    assert!(expected == fs::read(&resumed).unwrap());
    // Killed between the last checkpoint and the network.
    fs::remove_file(&resumed).unwrap();
    let again = open(&recipe, &folder, 1, true).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(expected == fs::read(again).unwrap());
}

#[test]
fn a_run_that_is_stopped_at_any_event_gives_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 60);
    let recipe = recipe(NETWORKS[0], &shard, 8_000);
    let mut events = 0;
    let whole = open(&recipe, &place.path().join("whole"), 1, false).unwrap().train(&mut |_| {
        events += 1;
        ControlFlow::Continue(())
    });
    let expected = fs::read(whole.unwrap()).unwrap();
    // The last event is the end.
    for last in 1..events {
        let folder = place.path().join(format!("stopped-{last}"));
        let mut told = 0;
        let stopped = open(&recipe, &folder, 1, false).unwrap().train(&mut |_| {
            told += 1;
            if told == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(stopped, Err(TrainError::Stopped(_))), "stopped at event {last}");
        let resumed = open(&recipe, &folder, 2, true).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
        assert!(expected == fs::read(resumed).unwrap(), "stopped at event {last}");
    }
}

/// A missing file of validation samples is noticed before the first step, and one that goes later costs no epoch.
#[test]
fn missing_validation_samples_cost_nothing() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 60);
    let held_back = place.path().join("held-back.kbz");
    let mut recipe = recipe(NETWORKS[0], &shard, 12_000);
    recipe.data.validation = vec![held_back.clone()];
    let folder = place.path().join("run");
    let mut told = 0;
    let failed = open(&recipe, &folder, 1, false).unwrap().train(&mut |_| {
        told += 1;
        ControlFlow::Continue(())
    });
    let error = failed.unwrap_err().to_string();
    assert!(error.contains("held-back.kbz do not exist") && told == 0, "{error} after {told} events");

    fs::copy(&shard, &held_back).unwrap();
    let whole = open(&recipe, &place.path().join("whole"), 1, false).unwrap().train(&mut |_| ControlFlow::Continue(()));
    let failed = open(&recipe, &folder, 1, false).unwrap().train(&mut |event| {
        if matches!(event, Event::Start { .. }) {
            fs::remove_file(&held_back).unwrap();
        }
        ControlFlow::Continue(())
    });
    assert!(failed.unwrap_err().to_string().contains("held-back.kbz do not exist"));
    let newest = Checkpoint::newest(&RunFiles::new(&folder).checkpoints()).unwrap();
    assert!(newest.is_some_and(|path| path.ends_with("step-20")), "the epoch is kept");
    fs::copy(&shard, &held_back).unwrap();
    let resumed = open(&recipe, &folder, 1, true).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(fs::read(whole.unwrap()).unwrap() == fs::read(resumed).unwrap());
}

/// A recipe may name a folder, and what lies there may change while a run rests.
#[test]
fn a_run_goes_on_only_with_the_samples_it_began_with() {
    let place = tempfile::tempdir().unwrap();
    let samples = place.path().join("samples");
    fs::create_dir(&samples).unwrap();
    let shard = shard(&samples, 60);
    let held_back = place.path().join("held-back.kbz");
    fs::copy(&shard, &held_back).unwrap();
    let mut recipe = recipe(NETWORKS[0], &samples, 12_000);
    recipe.data.validation = vec![held_back.clone()];
    let train = |folder: &str, resume, stops: bool| {
        let mut run = open(&recipe, &place.path().join(folder), 1, resume).unwrap();
        run.train(&mut |event| match event {
            Event::Checkpoint { .. } if stops => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    };
    let whole = fs::read(train("whole", false, false).unwrap()).unwrap();
    assert!(matches!(train("run", false, true), Err(TrainError::Stopped(20))));

    let more = samples.join("more.kbz");
    fs::copy(&shard, &more).unwrap();
    let error = train("run", true, false).unwrap_err().to_string();
    assert!(error.contains("run has learned from other samples: more.kbz was not among them; bring back"), "{error}");
    fs::remove_file(&more).unwrap();
    let good = fs::read(&held_back).unwrap();
    support::games(&held_back, 60, 9);
    let error = train("run", true, false).unwrap_err().to_string();
    assert!(error.contains("held-back.kbz has "), "{error}");
    fs::write(&held_back, good).unwrap();

    // A checkpoint of the first version says nothing about its samples; it is read, and its run goes on.
    let newest = Checkpoint::newest(&place.path().join("run/checkpoints")).unwrap().unwrap();
    let index = newest.join("checkpoint.json");
    let mut old: serde_json::Value = serde_json::from_slice(&fs::read(&index).unwrap()).unwrap();
    assert_eq!(old["data"]["train"][0]["file"], "games.kbz");
    old["version"] = 1.into();
    old.as_object_mut().unwrap().remove("data");
    fs::write(&index, old.to_string()).unwrap();
    let path = train("run", true, false).unwrap();
    assert!(fs::read(&path).unwrap() == whole);
    let manifest = kiebitz_network::NetworkFile::read(&path).unwrap().header.manifest;
    let samples = kiebitz_dataset::ShardIndex::read(&shard).unwrap().counts().samples;
    assert_eq!(manifest["data"]["train"][0]["samples"], samples, "{manifest}");
    assert_eq!(manifest["data"]["validation"][0]["file"], "held-back.kbz", "{manifest}");
}

/// The first step is a good one, and leads to weights that are no numbers: nothing of them is kept or logged.
#[test]
fn weights_that_are_no_numbers_are_noticed_by_their_validation() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 30);
    let mut wild = recipe(NETWORKS[0], &shard, 1_000);
    // Beyond all floats of 32 bits.
    wild.optimiser.rate = 1e39;
    wild.optimiser.warm_up = 0.0;
    wild.training.epoch = 256;
    let folder = place.path().join("run");
    let error = open(&wild, &folder, 1, false).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, TrainError::ValidationNotANumber { step: 1 }), "{error}");
    assert!(error.to_string().contains("after 1 steps the loss of the validation samples is not a number"), "{error}");
    let files = RunFiles::new(&folder);
    assert_eq!(Checkpoint::newest(&files.checkpoints()).unwrap(), None);
    assert!(!fs::read_to_string(files.log()).unwrap().contains("null"));
}

/// The parts of a run's newest checkpoint.
fn newest(folder: &Path) -> PathBuf {
    Checkpoint::newest(&RunFiles::new(folder).checkpoints()).unwrap().unwrap()
}

fn damage(checkpoint: &Path) {
    let part = checkpoint.join("part-000");
    let mut bytes = fs::read(&part).unwrap();
    bytes[100] ^= 1;
    fs::write(&part, bytes).unwrap();
}

#[test]
fn a_damaged_checkpoint_costs_no_more_than_its_own_steps() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(NETWORKS[0], &shard(place.path(), 60), 12_000);
    let folder = place.path().join("run");
    let whole = open(&recipe, &folder, 1, false).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    let expected = fs::read(&whole).unwrap();
    fs::remove_file(&whole).unwrap();
    damage(&newest(&folder));
    // What killed programs leave behind is taken away when the next checkpoint is written.
    let left = folder.join("checkpoints/.step-40.part");
    fs::create_dir(&left).unwrap();
    let mut warnings = Vec::new();
    let resumed = open(&recipe, &folder, 1, true).unwrap().train(&mut |event| {
        if let Event::PassedOver { step, checkpoint, reason } = event {
            warnings.push((*step, checkpoint.clone(), reason.clone()));
        }
        ControlFlow::Continue(())
    });
    assert!(fs::read(resumed.unwrap()).unwrap() == expected);
    let [(40, checkpoint, reason)] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(checkpoint.ends_with("step-47") && reason.contains("part-000 is damaged"), "{checkpoint}: {reason}");
    assert!(!left.exists());

    // If none is whole, somebody has to decide.
    for entry in fs::read_dir(folder.join("checkpoints")).unwrap() {
        damage(&entry.unwrap().path());
    }
    let error = open(&recipe, &folder, 1, true).unwrap_err().to_string();
    assert!(
        error.contains("step-47: this checkpoint cannot be used") && error.contains("delete it, and --resume"),
        "{error}"
    );
    fs::remove_file(newest(&folder).join("checkpoint.json")).unwrap();
    let error = open(&recipe, &folder, 1, true).unwrap_err().to_string();
    assert!(error.contains("checkpoint.json is missing"), "{error}");
    // A later program may have written it; it is not damaged.
    fs::write(newest(&folder).join("checkpoint.json"), "{\"version\": 3, \"more\": 1}").unwrap();
    let error = open(&recipe, &folder, 1, true).unwrap_err();
    assert!(matches!(error, TrainError::UnknownVersion { version: 3, .. }), "{error}");
}

/// A run that is stopped at the event of a checkpoint has just written it: writing it again could only lose it.
#[test]
fn a_good_checkpoint_is_never_written_again() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(NETWORKS[0], &shard(place.path(), 60), 12_000);
    let folder = place.path().join("run");
    let mut written = None;
    let stopped = open(&recipe, &folder, 1, false).unwrap().train(&mut |event| {
        if !matches!(event, Event::Checkpoint { .. }) {
            return ControlFlow::Continue(());
        }
        // A stranger in the folder stays only if the folder does.
        fs::write(newest(&folder).join("mark"), "").unwrap();
        written = Some(newest(&folder));
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(TrainError::Stopped(20))));
    assert!(written.unwrap().join("mark").exists());
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(NETWORKS[0], &shard(place.path(), 30), 1_000);
    let folder = place.path().join("run");
    let first = open(&recipe, &folder, 1, false).unwrap();
    let error = open(&recipe, &folder, 1, true).unwrap_err();
    assert!(matches!(error, TrainError::Busy(_)) && error.to_string().contains("wait for it"), "{error}");
    drop(first);
    assert!(open(&recipe, &folder, 1, true).is_ok());
}
