//! The loader shows every sample once an epoch, with the right indices, whatever the threads.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests may fail loudly")]

mod support;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use kiebitz_dataset::{Batch, Description, Filter, Loader, LoaderSettings, ShardWriter};
use kiebitz_features::FeatureSet;
use support::random_chain;

fn shards(place: &Path) -> (Vec<PathBuf>, Vec<kiebitz_dataset::Chain>) {
    shards_of(place, true)
}

/// Some chains; without `complete`, scores and results may be missing.
fn shards_of(place: &Path, complete: bool) -> (Vec<PathBuf>, Vec<kiebitz_dataset::Chain>) {
    let mut all = Vec::new();
    let paths = [0_u64, 1, 2]
        .map(|number| {
            let path = place.join(format!("{number}.kbz"));
            let mut writer = ShardWriter::create(&path, &Description::default()).unwrap();
            for seed in 0..60 {
                let chain = random_chain(seed * 3 + number, complete);
                writer.write(&chain).unwrap();
                all.push(chain);
            }
            writer.finish().unwrap();
            path
        })
        .to_vec();
    (paths, all)
}

fn settings(threads: usize, seed: u64, filter: Filter) -> LoaderSettings {
    let number = |value| NonZeroUsize::new(value).unwrap();
    LoaderSettings { batch: number(64), seed, mixed_blocks: number(2), threads: number(threads), filter }
}

/// A sample as a comparable line: sorted indices of both sides, score, points.
fn lines(batch: &Batch) -> Vec<String> {
    let line = |number| {
        let sorted = |row: &[u32]| {
            let mut row = row.to_vec();
            row.sort_unstable();
            row
        };
        let (own, other) = (sorted(batch.own.row(number)), sorted(batch.other.row(number)));
        let (mover, pieces) = (batch.movers[number], batch.pieces[number]);
        format!("{own:?} {other:?} {} {} {mover} {pieces}", batch.scores[number], batch.points[number])
    };
    (0..batch.len()).map(line).collect()
}

/// Whoever trains is told that samples are missing.
#[test]
fn a_shard_that_is_cut_off_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let (paths, _) = shards(place.path());
    let bytes = std::fs::read(&paths[1]).unwrap();
    std::fs::write(&paths[1], &bytes[..bytes.len() - 1]).unwrap();
    let features = FeatureSet::parse("halfkp").unwrap();
    let error = Loader::start(&paths, &features, &settings(1, 1, Filter::default())).unwrap_err().to_string();
    assert!(error.contains("1.kbz is cut off at byte") && error.contains("data convert"), "{error}");
}

#[test]
fn an_epoch_has_every_sample_once() {
    // Indices of the last set do not fit 16 bits.
    for (set, complete) in [("halfkp", true), ("halfkp", false), ("compact192", true), ("threats", false)] {
        check_an_epoch(set, complete);
    }
}

fn check_an_epoch(set: &str, complete: bool) {
    let place = tempfile::tempdir().unwrap();
    let (paths, chains) = shards_of(place.path(), complete);
    let features = FeatureSet::parse(set).unwrap();
    let mut expected = Vec::new();
    for chain in &chains {
        chain.visit(|position, link| {
            if link.kept {
                let us = position.side_to_move();
                let mut rows = [Vec::new(), Vec::new()];
                features.active(position, us, &mut rows[0]);
                features.active(position, !us, &mut rows[1]);
                rows.iter_mut().for_each(|row| row.sort_unstable());
                let points = chain.head.result.map_or(f64::NAN, |result| result.points(us));
                let (score, pieces) = (link.score.map_or(f32::NAN, f32::from), position.occupied().len());
                expected.push(format!("{:?} {:?} {score} {points} {us} {pieces}", rows[0], rows[1]));
            }
        });
    }
    let mut loader = Loader::start(&paths, &features, &settings(3, 9, Filter::default())).unwrap();
    assert_eq!(loader.counts().samples, expected.len() as u64);
    let mut found = Vec::new();
    while found.len() < expected.len() {
        let batch = loader.next_batch().unwrap();
        assert_eq!(batch.len(), 64);
        found.extend(lines(&batch));
    }
    found.truncate(expected.len());
    assert_ne!(found, expected, "the order has changed");
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn batches_depend_on_the_seed_and_not_on_threads() {
    let place = tempfile::tempdir().unwrap();
    let (paths, _) = shards(place.path());
    let features = FeatureSet::parse("piece768").unwrap();
    let filter = Filter { no_check: true, max_score: Some(100), ..Filter::default() };
    let batches = |threads, seed| {
        let mut loader = Loader::start(&paths, &features, &settings(threads, seed, filter.clone())).unwrap();
        let batches: Vec<_> = (0..300).map(|_| loader.next_batch().unwrap()).collect();
        assert!(loader.epoch() > 0, "the batches reach into the next epoch");
        assert!(batches.iter().all(|batch| batch.scores.iter().all(|score| score.abs() <= 100.0)));
        batches
    };
    let one = batches(1, 5);
    assert!(batches(4, 5) == one);
    assert!(batches(4, 6) != one);
    let nothing = Filter { min_ply: 10_000, ..Filter::default() };
    assert!(Loader::start(&paths, &features, &settings(2, 1, nothing)).is_err(), "nothing is left, and that is said");
}

#[test]
fn any_step_can_be_the_first() {
    let place = tempfile::tempdir().unwrap();
    let (mut paths, _) = shards(place.path());
    let features = FeatureSet::parse("piece768").unwrap();
    for filter in [Filter::default(), Filter { no_captures: true, ..Filter::default() }] {
        let mut whole = Loader::start(&paths, &features, &settings(2, 5, filter.clone())).unwrap();
        let batches: Vec<_> = (0..400).map(|_| whole.next_batch().unwrap()).collect();
        assert!(whole.epoch() > 1, "{} samples a round", whole.samples());
        assert_eq!(whole.step(), 400);
        paths.reverse();
        for step in [1, 2, 63, 200, 399] {
            let mut late = Loader::start_at(&paths, &features, &settings(3, 5, filter.clone()), step).unwrap();
            for expected in &batches[step as usize..batches.len().min(step as usize + 20)] {
                assert!(late.next_batch().unwrap() == *expected, "from step {step}");
            }
        }
    }
}

#[test]
fn batches_larger_than_everything_are_full() {
    let place = tempfile::tempdir().unwrap();
    let (paths, _) = shards(place.path());
    let features = FeatureSet::parse("piece768").unwrap();
    let small = Loader::start(&paths, &features, &settings(1, 5, Filter::default())).unwrap();
    let size = 2 * small.samples() as usize + 7;
    let settings = LoaderSettings { batch: NonZeroUsize::new(size).unwrap(), ..settings(2, 5, Filter::default()) };
    let mut loader = Loader::start(&paths, &features, &settings).unwrap();
    for _ in 0..3 {
        let batch = loader.next_batch().unwrap();
        assert_eq!((batch.len(), batch.pieces.len(), batch.own.ends.len()), (size, size, size));
    }
}

#[test]
fn removals_are_counted_for_an_epoch() {
    let place = tempfile::tempdir().unwrap();
    let (paths, chains) = shards(place.path());
    let features = FeatureSet::parse("piece768").unwrap();
    let filter = Filter { no_captures: true, ..Filter::default() };
    let takes = |chain: &kiebitz_dataset::Chain| {
        chain.links.iter().filter(|link| link.kept && link.mv.is_some_and(|mv| !mv.is_quiet())).count() as u64
    };
    let captures: u64 = chains.iter().map(takes).sum();
    let loader = Loader::start(&paths, &features, &settings(2, 5, filter)).unwrap();
    assert!(captures > 0);
    assert_eq!(loader.removals().get(&kiebitz_dataset::Removal::Capture), Some(&captures));
    assert_eq!(loader.samples(), loader.counts().samples - captures);
}

#[test]
fn damage_is_said_and_ends_the_batches() {
    let place = tempfile::tempdir().unwrap();
    let (paths, _) = shards(place.path());
    let mut bytes = std::fs::read(&paths[1]).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&paths[1], bytes).unwrap();
    let features = FeatureSet::parse("piece768").unwrap();
    let mut loader = Loader::start(&paths, &features, &settings(2, 5, Filter::default())).unwrap();
    let error = (0..1_000).find_map(|_| loader.next_batch().err()).expect("an error");
    assert!(error.to_string().contains("1.kbz"), "{error}");
    assert!(loader.next_batch().is_err());
}
