//! A tiny run from samples to a playing network: it learns, it repeats itself to the bit, and everything agrees.

#![allow(clippy::unwrap_used, reason = "tests may fail loudly")]

mod support;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use kiebitz_chess::{Color, Position};
use kiebitz_compute::{Cpu, Device};
use kiebitz_dataset::{Filter, Loader, LoaderSettings};
use kiebitz_network::{NetworkFile, NetworkSpec, reference};
use kiebitz_trainer::{
    Event, Model, Optimiser, RateShape, Recipe, Run, RunFiles, RunLog, TrainError, export, initial_weights,
    played_loss, samples_of,
};

use support::{NETWORKS, open, recipe, shard};

#[test]
fn the_model_is_the_reference() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 20);
    for network in NETWORKS {
        let spec = NetworkSpec::parse(network).unwrap();
        let mut weights = initial_weights(&spec, 9);
        // Buckets and virtual rows start alike; make them differ.
        let mut count = 0_u32;
        let mut noise = |weight: &mut f32| {
            count += 1;
            *weight += (count * 37 % 101) as f32 / 1000.0 - 0.05;
        };
        weights.accumulator_weights.iter_mut().for_each(&mut noise);
        weights.shortcut_weights.iter_mut().for_each(&mut noise);
        weights.stacks.iter_mut().flatten().for_each(|layer| layer.weights.iter_mut().for_each(&mut noise));
        let merged = weights.merge(&spec).unwrap();
        let settings = LoaderSettings {
            batch: NonZeroUsize::new(64).unwrap(),
            seed: 1,
            mixed_blocks: NonZeroUsize::MIN,
            threads: NonZeroUsize::MIN,
            filter: Filter::default(),
        };
        let batch =
            Loader::start(std::slice::from_ref(&shard), spec.features(), &settings).unwrap().next_batch().unwrap();
        let samples = samples_of(&spec, &batch, 300.0, 0.0).unwrap();
        let mut model = Model::new(Cpu::new(2).unwrap(), &spec, &weights, 64).unwrap();
        let on_device = model.device().batch(&samples).unwrap();
        model.prepare(false).unwrap();
        model.forward(&on_device).unwrap();
        let found = model.values().unwrap();
        // The reference speaks of positions: play the games again and ask it about every one. What a batch has of a position tells which it is.
        let mut expected = HashMap::new();
        let mut reader = kiebitz_dataset::ShardReader::open(&shard).unwrap();
        let mut block = kiebitz_dataset::Block::default();
        while reader.next_block(&mut block).unwrap() {
            block
                .visit(|sample| {
                    let (position, mover) = (sample.position, sample.position.side_to_move());
                    let value = reference::evaluate_floats(&spec, &merged, position) / spec.units();
                    let turned = spec.views() == 1 && mover == Color::Black;
                    let rows = [mover, !mover].map(|side| active(&spec, position, side));
                    let key = (rows, position.occupied().len() as u8, mover == Color::White);
                    expected.insert(key, if turned { -value } else { value });
                })
                .unwrap();
        }
        // A device has samples in the order of their buckets.
        let mut order: Vec<usize> = (0..batch.len()).collect();
        order.sort_by_key(|&sample| spec.buckets.index(usize::from(batch.pieces[sample])));
        assert_eq!(found.len(), order.len());
        for (&sample, value) in order.iter().zip(found) {
            let rows = [&batch.own, &batch.other].map(|rows| sorted(rows.row(sample)));
            let expected = expected[&(rows, batch.pieces[sample], batch.movers[sample] == Color::White)];
            assert!((expected - value).abs() < 1e-4, "{network}: {value} instead of {expected}");
        }
    }
}

fn active(spec: &NetworkSpec, position: &Position, side: Color) -> Vec<u32> {
    let mut rows = Vec::new();
    spec.features().for_each_active(position, side, |index| rows.push(index));
    sorted(&rows)
}

fn sorted(rows: &[u32]) -> Vec<u32> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows
}

/// The loss of what plays, worked out again position by position from the slow integers.
#[test]
fn the_quantised_loss_is_that_of_the_reference() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 12);
    for network in NETWORKS {
        let mut recipe = recipe(network, &shard, 1000);
        let weights = initial_weights(&recipe.network, 5);
        let file = export(&recipe, &weights, serde_json::Value::Null).unwrap();
        let (mut sum, mut count) = (0.0, 0_u32);
        let mut reader = kiebitz_dataset::ShardReader::open(&shard).unwrap();
        let mut block = kiebitz_dataset::Block::default();
        while reader.next_block(&mut block).unwrap() {
            block
                .visit(|sample| {
                    let units = reference::evaluate_integers(file.spec(), &file.weights, sample.position).units;
                    let sigmoid = |centipawns: f64| 1.0 / (1.0 + (-centipawns / 300.0).exp());
                    let score = sigmoid(f64::from(sample.link.score.unwrap()));
                    let target = score + 0.3 * (f64::from(sample.points().unwrap()) - score);
                    sum += (sigmoid(f64::from(units) * 100.0 / 208.0) - target).abs().powf(2.5);
                    count += 1;
                })
                .unwrap();
        }
        // One batch that is a whole round has every position once.
        recipe.training.batch = count as usize;
        let played = played_loss(&recipe, &file, &recipe.data.validation, NonZeroUsize::MIN).unwrap();
        assert_eq!(played.samples, u64::from(count));
        let expected = sum / f64::from(count);
        assert!((played.loss - expected).abs() < 1e-6 * expected, "{network}: {played:?} instead of {expected}");
    }
}

#[test]
fn a_run_learns_and_its_network_plays() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 300);
    for (number, network) in NETWORKS.iter().enumerate() {
        let folder = place.path().join(format!("run-{number}"));
        let recipe = recipe(network, &shard, 60_000);
        let mut run = open(&recipe, &folder, 2, false).unwrap();
        let (mut validations, mut quantised_loss) = (Vec::new(), None);
        let path = run
            .train(&mut |event| {
                if let Event::End { quantised_loss: loss, .. } = event {
                    quantised_loss = *loss;
                }
                if let Event::Validation { loss, .. } = event {
                    validations.push(*loss);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        let (first, last) = (validations[0], *validations.last().unwrap());
        assert!(last < 0.7 * first, "{network}: {validations:?}");
        let file = NetworkFile::read(&path).unwrap();
        let certificate = file.header.certificate.as_ref().unwrap();
        assert_eq!(certificate.unproved().count(), 0);
        assert!(certificate.rounding.as_ref().unwrap().mean_centipawns < 15.0, "{certificate:?}");
        // Rounding moves the loss a little, and the file tells both.
        let quantised_loss = quantised_loss.unwrap();
        assert!((quantised_loss - last).abs() < 0.1 * last, "{network}: {last} and {quantised_loss}");
        assert_eq!(file.header.manifest["validation_loss"], last);
        assert_eq!(file.header.manifest["quantised_validation_loss"], quantised_loss);
        for threads in [1, 3] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let again = played_loss(&recipe, &file, &recipe.data.validation, threads).unwrap();
            assert_eq!((again.loss.to_bits(), again.samples), (quantised_loss.to_bits(), 2048));
        }
        let exported = export(&recipe, &run.model().weights().unwrap(), file.header.manifest.clone()).unwrap();
        assert!(exported.weights == file.weights, "the file holds what was learned");
        let network = kiebitz_inference::Network::new(&file).unwrap();
        let mut evaluator = kiebitz_inference::Evaluator::new(&network);
        let position = Position::default();
        evaluator.reset(&position);
        let played = evaluator.evaluate(&position);
        assert_eq!(played, reference::evaluate_integers(file.spec(), &file.weights, &position).centipawns(file.spec()));
        let events = RunLog::read(&RunFiles::new(&folder).log()).unwrap();
        assert!(matches!(events.last(), Some(Event::End { .. })), "{events:?}");
    }
}

#[test]
fn other_methods_and_schedules_learn_too() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 100);
    for shape in [RateShape::Exponential, RateShape::Linear, RateShape::Constant] {
        let mut recipe = recipe(NETWORKS[0], &shard, 20_480);
        recipe.optimiser.method = Optimiser::RAdam;
        recipe.optimiser.shape = shape;
        let folder = place.path().join(format!("{shape:?}"));
        let (mut validations, mut rates) = (Vec::new(), Vec::new());
        let mut watch = |event: &Event| {
            match event {
                Event::Validation { loss, .. } => validations.push(*loss),
                Event::Steps { rate, .. } => rates.push(*rate),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        open(&recipe, &folder, 2, false).unwrap().train(&mut watch).unwrap();
        let (first, last) = (validations[0], validations[validations.len() - 1]);
        assert!(last < 0.97 * first, "{shape:?}: {validations:?}");
        // After all but one of eighty steps.
        let expected = match shape {
            RateShape::Exponential => 0.01_f64.powf((79.0 / 80.0 - 0.05) / 0.95) * 0.01,
            RateShape::Linear => (1.0 - 0.99 * (79.0 / 80.0 - 0.05) / 0.95) * 0.01,
            _ => 0.01,
        };
        let rate = rates[rates.len() - 1];
        assert!((rate - expected).abs() < 1e-9, "{shape:?}: {rate} instead of {expected}");
    }
}

/// Steps so large that every weight that can grow stands at its limit: a row and its virtual ones must still fit together.
#[test]
fn merged_rows_stay_within_the_limit() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 30);
    for inputs in [
        "piece_square",
        "half(king_square * piece_square ^ piece_square)",
        "half(king.square * any.color * any.role * any.square ^ any.color * any.role * any.square + any.color * any.role)",
    ] {
        let network = format!("inputs = {inputs} trunk = accumulate 8 clipped heads = value");
        let mut recipe = recipe(&network, &shard, 2_560);
        recipe.optimiser.rate = 1000.0;
        recipe.optimiser.warm_up = 0.0;
        recipe.data.validation = Vec::new();
        let mut run = open(&recipe, &place.path().join(inputs), 1, false).unwrap();
        // Whether the rest of such a network can be quantised does not matter here.
        let _ = run.train(&mut |_| ControlFlow::Continue(()));
        let merged = run.model().weights().unwrap().merge(&recipe.network).unwrap();
        let most_active = recipe.network.features().max_active() as f32;
        let limit = f32::from(i16::MAX) / (most_active + 2.0) / f32::from(recipe.network.numbers.accumulator);
        let largest = merged.accumulator_weights.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        assert!((0.9 * limit..=limit).contains(&largest), "{inputs}: {largest} instead of {limit} at most");
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 30);
    let good = recipe(NETWORKS[0], &shard, 10_000);
    let folder = place.path().join("run");
    open(&good, &folder, 1, false).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    let message = |result: Result<Run<Cpu>, TrainError>| result.err().unwrap().to_string();
    assert!(message(open(&good, &folder, 1, false)).contains("already holds a run"));
    let other = recipe(NETWORKS[2], &shard, 10_000);
    assert!(message(open(&other, &folder, 1, true)).contains("the network differs"));
    let mut seeded = good.clone();
    seeded.seed = 4;
    assert!(message(open(&seeded, &folder, 1, true)).contains("seed differs"));
    let mut missing = good.clone();
    missing.data.train = vec![place.path().join("nowhere.kbz")];
    let mut run = open(&missing, &place.path().join("other"), 1, false).unwrap();
    let error = run.train(&mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(error.contains("nowhere.kbz do not exist"), "{error}");
    drop(run);
    assert!(open(&good, &place.path().join("other"), 1, false).is_ok(), "nothing was begun there");
    let failed = |recipe: &Recipe, name: &str| {
        let mut run = open(recipe, &place.path().join(name), 1, false).unwrap();
        run.train(&mut |_| ControlFlow::Continue(())).unwrap_err()
    };
    let mut wild = good.clone();
    wild.optimiser.rate = 1e30;
    wild.optimiser.warm_up = 0.0;
    let error = failed(&wild, "wild");
    assert!(matches!(error, TrainError::Quantise(_)), "{error}");
    // A slope beyond all floats: values of 1 and 0 at first, then gradients that are no numbers.
    let mut steep = good.clone();
    steep.loss.score_scale = 1e-60;
    let error = failed(&steep, "steep");
    assert!(matches!(error, TrainError::NotANumber { batch: 0 | 1, .. }), "{error}");
    assert!(error.to_string().contains("of seed 3 is not a number; lower the learning rate"), "{error}");
    for (text, word) in [
        ("name = 'x'", "missing field"),
        ("name = 'x'\nnetwork = 'inputs = nonsense'", "no set is called 'nonsense'"),
        (
            "name = 'x'\nnetwork = 'inputs = piece768 trunk = accumulate 0 clipped heads = value'",
            "line 2: trunk: a width of 0",
        ),
        ("surprise = 1", "unknown field"),
    ] {
        let error = Recipe::parse(text).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn every_recipe_of_the_project_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runs");
    let mut recipes = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // Plans of studies lie there, too; who reads them tests them.
        if text.contains("[[entries]]") {
            continue;
        }
        let recipe = Recipe::parse(&text).unwrap();
        assert_eq!(Some(recipe.name.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
        recipes += 1;
    }
    assert!(recipes >= 2);
}

#[test]
fn a_run_begins_with_the_weights_of_another() {
    let place = tempfile::tempdir().unwrap();
    let shard = shard(place.path(), 60);
    let first = recipe(NETWORKS[0], &shard, 20_480);
    let train = |recipe: &Recipe, name: &str| -> Result<(PathBuf, f64), TrainError> {
        let folder = place.path().join(name);
        let threads = NonZeroUsize::MIN;
        let mut run = Run::open(recipe, &folder, Cpu::new(1).unwrap(), threads, false, "a test")?;
        let path = run.train(&mut |_| ControlFlow::Continue(()))?;
        let losses = RunLog::read(&RunFiles::new(&folder).log()).unwrap();
        let loss = losses.iter().find_map(|event| match event {
            Event::Validation { loss, .. } => Some(*loss),
            _ => None,
        });
        Ok((path, loss.unwrap()))
    };
    let (_, from_chance) = train(&first, "first").unwrap();
    let mut second = recipe(NETWORKS[0], &shard, 5_120);
    second.training.start = Some(place.path().join("first/checkpoints"));
    let (path, from_first) = train(&second, "second").unwrap();
    assert!(from_first < from_chance, "{from_first} after, {from_chance} before");
    let card = NetworkFile::read(&path).unwrap().header.manifest;
    assert_eq!(card["begun_with"][0]["training"]["positions"], 20_480, "{card}");
    // The same again gives the same bytes.
    assert_eq!(std::fs::read(train(&second, "again").unwrap().0).unwrap(), std::fs::read(&path).unwrap());

    // A third run knows both before it, and neither has to be there when it is resumed.
    let mut third = second.clone();
    third.training.start = Some(place.path().join("second/checkpoints"));
    let whole = std::fs::read(train(&third, "third").unwrap().0).unwrap();
    let folder = place.path().join("resumed");
    let open = |resume| Run::open(&third, &folder, Cpu::new(1).unwrap(), NonZeroUsize::MIN, resume, "a test");
    let stopped = open(false).unwrap().train(&mut |event| match event {
        Event::Start { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert!(matches!(stopped, Err(TrainError::Stopped(0))));
    std::fs::rename(place.path().join("second"), place.path().join("gone")).unwrap();
    let resumed = open(true).unwrap().train(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(std::fs::read(&resumed).unwrap(), whole);
    let card = NetworkFile::read(&resumed).unwrap().header.manifest;
    assert_eq!(card["begun_with"].as_array().unwrap().len(), 2, "{card}");
    std::fs::rename(place.path().join("gone"), place.path().join("second")).unwrap();

    // The network file does as well, for those who have nothing else.
    let mut fourth = second.clone();
    fourth.training.start = Some(path.clone());
    let (path, from_file) = train(&fourth, "from the file").unwrap();
    assert!(from_file < from_chance, "{from_file} after, {from_chance} before");
    let card = NetworkFile::read(&path).unwrap().header.manifest;
    assert_eq!(card["begun_with"].as_array().unwrap().len(), 2, "{card}");
    fourth.training.start = Some(shard.clone());
    assert!(matches!(train(&fourth, "from samples"), Err(TrainError::StartFile { .. })));

    let mut other = recipe(NETWORKS[3], &shard, 5_120);
    other.training.start = second.training.start.clone();
    assert!(matches!(train(&other, "other"), Err(TrainError::OtherStart(_))));
    second.training.start = Some(place.path().join("nowhere"));
    assert!(matches!(train(&second, "nothing"), Err(TrainError::NoStart(_))));
}
