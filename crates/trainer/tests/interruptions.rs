//! Runs that are killed, stopped, or lose their samples on the way: they go on, and end with the same bytes.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests may fail loudly, and say what they skip")]

mod support;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use kiebitz_compute::{Cpu, Device};
use kiebitz_trainer::{Event, Recipe, Run, RunFiles, TrainError};

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
                let newest = kiebitz_trainer::Checkpoint::newest(&checkpoints).unwrap().unwrap();
                if attempt % 3 == 2 {
                    std::fs::remove_dir_all(newest).unwrap();
                }
            }
        }
    }
    let resumed = file.expect("the run ends");
    let expected = std::fs::read(whole).unwrap();
    assert!(expected == std::fs::read(&resumed).unwrap());
    // Killed between the last checkpoint and the network.
    std::fs::remove_file(&resumed).unwrap();
    let again = open(&recipe, &folder, 1, true).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(expected == std::fs::read(again).unwrap());
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
    let expected = std::fs::read(whole.unwrap()).unwrap();
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
        assert!(expected == std::fs::read(resumed).unwrap(), "stopped at event {last}");
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

    std::fs::copy(&shard, &held_back).unwrap();
    let whole = open(&recipe, &place.path().join("whole"), 1, false).unwrap().train(&mut |_| ControlFlow::Continue(()));
    let failed = open(&recipe, &folder, 1, false).unwrap().train(&mut |event| {
        if matches!(event, Event::Start { .. }) {
            std::fs::remove_file(&held_back).unwrap();
        }
        ControlFlow::Continue(())
    });
    assert!(failed.unwrap_err().to_string().contains("held-back.kbz do not exist"));
    let newest = kiebitz_trainer::Checkpoint::newest(&RunFiles::new(&folder).checkpoints()).unwrap();
    assert!(newest.is_some_and(|path| path.ends_with("step-20")), "the epoch is kept");
    std::fs::copy(&shard, &held_back).unwrap();
    let resumed = open(&recipe, &folder, 1, true).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(std::fs::read(whole.unwrap()).unwrap() == std::fs::read(resumed).unwrap());
}

/// A recipe may name a folder, and what lies there may change while a run rests.
#[test]
fn a_run_goes_on_only_with_the_samples_it_began_with() {
    let place = tempfile::tempdir().unwrap();
    let samples = place.path().join("samples");
    std::fs::create_dir(&samples).unwrap();
    let shard = shard(&samples, 60);
    let held_back = place.path().join("held-back.kbz");
    std::fs::copy(&shard, &held_back).unwrap();
    let mut recipe = recipe(NETWORKS[0], &samples, 12_000);
    recipe.data.validation = vec![held_back.clone()];
    let train = |folder: &str, resume, stops: bool| {
        let mut run = open(&recipe, &place.path().join(folder), 1, resume).unwrap();
        run.train(&mut |event| match event {
            Event::Checkpoint { .. } if stops => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    };
    let whole = std::fs::read(train("whole", false, false).unwrap()).unwrap();
    assert!(matches!(train("run", false, true), Err(TrainError::Stopped(20))));

    let more = samples.join("more.kbz");
    std::fs::copy(&shard, &more).unwrap();
    let error = train("run", true, false).unwrap_err().to_string();
    assert!(error.contains("run has learned from other samples: more.kbz was not among them; bring back"), "{error}");
    std::fs::remove_file(&more).unwrap();
    let good = std::fs::read(&held_back).unwrap();
    support::games(&held_back, 60, 9);
    let error = train("run", true, false).unwrap_err().to_string();
    assert!(error.contains("held-back.kbz has "), "{error}");
    std::fs::write(&held_back, good).unwrap();

    // A checkpoint of the first version says nothing about its samples; it is read, and its run goes on.
    let newest = kiebitz_trainer::Checkpoint::newest(&place.path().join("run/checkpoints")).unwrap().unwrap();
    let index = newest.join("checkpoint.json");
    let mut old: serde_json::Value = serde_json::from_slice(&std::fs::read(&index).unwrap()).unwrap();
    assert_eq!(old["data"]["train"][0]["file"], "games.kbz");
    old["version"] = 1.into();
    old.as_object_mut().unwrap().remove("data");
    std::fs::write(&index, old.to_string()).unwrap();
    let path = train("run", true, false).unwrap();
    assert!(std::fs::read(&path).unwrap() == whole);
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
    assert_eq!(kiebitz_trainer::Checkpoint::newest(&files.checkpoints()).unwrap(), None);
    assert!(!std::fs::read_to_string(files.log()).unwrap().contains("null"));
}
