//! The loader shows every sample once an epoch, with the right indices, whatever the threads.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests may fail loudly")]

mod support;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use kiebitz_dataset::{Batch, Description, Filter, Loader, LoaderSettings, ShardWriter};
use kiebitz_features::FeatureSet;
use support::random_chain;

fn shards(place: &Path) -> (Vec<PathBuf>, Vec<kiebitz_dataset::Chain>) {
    let mut all = Vec::new();
    let paths = [0_u64, 1, 2]
        .map(|number| {
            let path = place.join(format!("{number}.kbz"));
            let mut writer = ShardWriter::create(&path, &Description::default()).unwrap();
            for seed in 0..60 {
                let chain = random_chain(seed * 3 + number, true);
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
        format!("{own:?} {other:?} {} {}", batch.scores[number], batch.points[number])
    };
    (0..batch.len()).map(line).collect()
}

#[test]
fn an_epoch_has_every_sample_once() {
    let place = tempfile::tempdir().unwrap();
    let (paths, chains) = shards(place.path());
    let features = FeatureSet::parse("halfkp").unwrap();
    let mut expected = Vec::new();
    for chain in &chains {
        chain.visit(|position, link| {
            if link.kept {
                let us = position.side_to_move();
                let mut rows = [Vec::new(), Vec::new()];
                features.active(position, us, &mut rows[0]);
                features.active(position, !us, &mut rows[1]);
                rows.iter_mut().for_each(|row| row.sort_unstable());
                let points = chain.head.result.unwrap().points(us);
                expected.push(format!("{:?} {:?} {} {points}", rows[0], rows[1], link.score.unwrap()));
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
    let mut loader = Loader::start(&paths, &features, &settings(2, 1, nothing)).unwrap();
    assert!(loader.next_batch().is_err(), "nothing is left, and that is said");
}
