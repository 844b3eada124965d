//! A tiny run from samples to a playing network: it learns, it repeats itself to the bit, and everything agrees.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests may fail loudly, and say what they skip")]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use kiebitz_chess::{Color, Outcome, PieceKind, Position};
use kiebitz_compute::{Cpu, Device};
use kiebitz_dataset::{Chain, ChainHead, Description, Filter, Link, Loader, LoaderSettings, ShardWriter};
use kiebitz_network::{NetworkFile, NetworkSpec, reference};
use kiebitz_trainer::{
    Event, Model, Recipe, Run, RunFiles, RunLog, TrainError, export, initial_weights, played_loss, samples_of,
};

/// One of every kind of network.
const NETWORKS: [&str; 5] = [
    "inputs = half(king_square * piece_square) trunk = accumulate 16, clipped -> dense 8 clipped -> dense 4 clipped heads = value",
    "inputs = half(king.bucket[0 0 1 1 / 2 2 2 2] * any.color * any.role * any.square ^ any.color * any.role * any.square, \
     king_on_abcd) trunk = accumulate 32 pairwise shortcut -> dense 8 folded+clipped skip -> dense 8 squared \
     buckets = 4 of (pieces - 1) / 8 heads = value numbers = accumulator i16*255, dense i8*64, output i8*9600/16",
    "inputs = piece768 trunk = accumulate 24 squared buckets = 3 of (pieces - 2) / 11 heads = value \
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400",
    "inputs = any.square * any.role * any.color trunk = accumulate 12 clipped -> dense 6 clipped heads = value",
    "inputs = pawn_pairs trunk = accumulate 8 clipped -> dense 4 clipped heads = value",
];

fn material(position: &Position, side: Color) -> i16 {
    [
        (PieceKind::Pawn, 100),
        (PieceKind::Knight, 300),
        (PieceKind::Bishop, 320),
        (PieceKind::Rook, 500),
        (PieceKind::Queen, 900),
    ]
    .into_iter()
    .map(|(kind, value)| value * position.pieces(side, kind).len() as i16)
    .sum()
}

/// Random games whose scores are the balance of material.
fn shard(place: &Path, games: u64) -> PathBuf {
    let path = place.join("games.kbz");
    let mut writer = ShardWriter::create(&path, &Description::default()).unwrap();
    let mut state = 12_345_u64;
    for _ in 0..games {
        let mut position = Position::default();
        let mut links = Vec::new();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mv = moves[(state >> 33) as usize % moves.len()];
            let us = position.side_to_move();
            let score = material(&position, us) - material(&position, !us);
            links.push(Link { score: Some(score), ..Link::new(Some(mv)) });
            position.play(mv);
        }
        let balance = material(&position, Color::White) - material(&position, Color::Black);
        let result = match balance {
            250.. => Outcome::Win(Color::White),
            ..=-250 => Outcome::Win(Color::Black),
            _ => Outcome::Draw,
        };
        writer.write(&Chain { head: ChainHead { result: Some(result), ..ChainHead::default() }, links }).unwrap();
    }
    writer.finish().unwrap();
    path
}

fn recipe(network: &str, shard: &Path, positions: u64) -> Recipe {
    let text = format!(
        "name = 'tiny'\ndescription = 'a test'\nseed = 3\nnetwork = '''{network}'''\n[data]\ntrain = ['{0}']\n\
         validation = ['{0}']\nmixed_blocks = 2\nteacher = 'material'\n[training]\npositions = {positions}\nbatch = 256\n\
         epoch = 5120\nvalidation = 2048\nround_from = 0.75\n[loss]\nscore_scale = 300.0\n[optimiser]\nrate = 0.01\nwarm_up = 0.05",
        shard.display()
    );
    Recipe::parse(&text).unwrap()
}

fn open(recipe: &Recipe, folder: &Path, threads: usize, resume: bool) -> Result<Run<Cpu>, TrainError> {
    let loaders = NonZeroUsize::new(threads).unwrap();
    Run::open(recipe, folder, Cpu::new(threads)?, loaders, resume, "a test")
}

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
        let mut found = model.values().unwrap();
        // The reference speaks of positions: play the games again and ask it about every one.
        let mut expected = Vec::new();
        let mut reader = kiebitz_dataset::ShardReader::open(&shard).unwrap();
        let mut block = kiebitz_dataset::Block::default();
        while reader.next_block(&mut block).unwrap() {
            block
                .visit(|sample| {
                    let value = reference::evaluate_floats(&spec, &merged, sample.position) / spec.units();
                    let turned = spec.views() == 1 && sample.position.side_to_move() == Color::Black;
                    expected.push(if turned { -value } else { value });
                })
                .unwrap();
        }
        found.sort_by(f32::total_cmp);
        for value in found {
            let nearest = expected.iter().map(|other| (other - value).abs()).fold(f32::INFINITY, f32::min);
            assert!(nearest < 1e-4, "{network}: {value} is nobody's value");
        }
    }
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
    // A part of a checkpoint is damaged.
    let newest = kiebitz_trainer::Checkpoint::newest(&RunFiles::new(&folder).checkpoints()).unwrap().unwrap();
    let part = newest.join("part-000");
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    assert!(message(open(&good, &folder, 1, true)).contains("damaged"));
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

    let mut other = recipe(NETWORKS[3], &shard, 5_120);
    other.training.start = second.training.start.clone();
    assert!(matches!(train(&other, "other"), Err(TrainError::OtherStart(_))));
    second.training.start = Some(place.path().join("nowhere"));
    assert!(matches!(train(&second, "nothing"), Err(TrainError::NoStart(_))));
}
