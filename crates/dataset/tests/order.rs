//! Shuffling, dividing and finding equal positions, with less memory than data.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests may fail loudly")]

mod support;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use kiebitz_dataset::{
    Chain, ChainSource, Description, OwnSource, Removal, Removals, ShardIndex, ShardWriter, Shuffle, ShuffleUnit,
    Statistics, deduplicate,
};
use support::random_chain;

fn shard(path: &Path, chains: u64) -> Vec<Chain> {
    let chains: Vec<_> = (0..chains).map(|seed| random_chain(seed, false)).collect();
    let mut writer = ShardWriter::create(path, &Description::default()).unwrap();
    chains.iter().for_each(|chain| writer.write(chain).unwrap());
    writer.finish().unwrap();
    chains
}

fn read(path: &Path) -> Vec<Chain> {
    let mut source = OwnSource::open(path).unwrap();
    let mut chains = Vec::new();
    let mut chain = Chain::default();
    while source.next_chain(&mut chain).unwrap() {
        chains.push(chain.clone());
    }
    chains
}

fn shuffled(input: &Path, output: &Path, unit: ShuffleUnit, seed: u64, parts: u64) -> Vec<Chain> {
    let index = ShardIndex::read(input).unwrap();
    let expected_bytes = Shuffle::expected_bytes(unit, fs::metadata(input).unwrap().len(), index.counts());
    let shuffle = Shuffle { unit, seed, memory: expected_bytes / parts + 1, expected_bytes };
    shuffle.run(&mut OwnSource::open(input).unwrap(), output, &Description::default(), |_| ()).unwrap();
    read(output)
}

#[test]
fn shuffling_loses_nothing_and_repeats() {
    let place = tempfile::tempdir().unwrap();
    let (input, output) = (place.path().join("in.kbz"), place.path().join("out.kbz"));
    let chains = shard(&input, 400);
    let sorted = |chains: &[Chain]| {
        let mut texts: Vec<_> = chains.iter().map(|chain| format!("{chain:?}")).collect();
        texts.sort();
        texts
    };
    for unit in [ShuffleUnit::Chain, ShuffleUnit::Sample] {
        let mut expected = Vec::new();
        match unit {
            ShuffleUnit::Chain => expected.clone_from(&chains),
            ShuffleUnit::Sample => chains.iter().for_each(|chain| chain.singles(|single| expected.push(single))),
        }
        // Ten times more data than memory.
        let found = shuffled(&input, &output, unit, 1, 10);
        assert_ne!(found, expected, "the order has changed");
        assert_eq!(sorted(&found), sorted(&expected));
        let bytes = fs::read(&output).unwrap();
        shuffled(&input, &output, unit, 1, 10);
        assert_eq!(fs::read(&output).unwrap(), bytes, "the same seed gives the same bytes");
        assert_ne!(shuffled(&input, &output, unit, 2, 10), found);
    }
    let left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "temporary files are gone: {left:?}");
}

#[test]
fn equal_positions_stay_once_whatever_the_memory() {
    let place = tempfile::tempdir().unwrap();
    let (input, output) = (place.path().join("in.kbz"), place.path().join("out.kbz"));
    let chains = shard(&input, 300);
    let mut seen = HashSet::new();
    let mut expected = 0_u64;
    for chain in &chains {
        chain.visit(|position, link| expected += u64::from(link.kept && seen.insert(position.key())));
    }
    let samples: u64 = chains.iter().map(|chain| chain.samples() as u64).sum();
    assert!(expected < samples, "random games share their first positions");
    let mut bytes = None;
    for memory in [u64::MAX, samples * 20 / 10, 1_000] {
        let mut removals = Removals::new();
        let (_, counts) = deduplicate(&input, &output, memory, &mut removals, |_, _| ()).unwrap();
        assert_eq!((counts.samples, removals[&Removal::Duplicate]), (expected, samples - expected));
        let written = fs::read(&output).unwrap();
        assert_eq!(*bytes.get_or_insert(written.clone()), written);
    }
    let mut statistics = Statistics::default();
    read(&output).iter().for_each(|chain| statistics.add_chain(chain));
    assert_eq!((statistics.samples, statistics.duplicates), (expected, 0));
    let leakage = statistics.leakage(&statistics);
    assert_eq!((leakage.positions, leakage.validation_positions), (expected, expected));
    assert!(leakage.games == leakage.validation_games && leakage.games > Some(0));
    assert_eq!(statistics.leakage(&Statistics::default()).validation_games, Some(0));
    assert_eq!(statistics.pieces.values().sum::<u64>(), expected);
    assert_eq!(statistics.king_squares.iter().sum::<u64>(), expected);
}

#[test]
fn games_of_single_positions_are_unknown() {
    let (mut games, mut positions) = (Statistics::default(), Statistics::default());
    for seed in 0..50 {
        let chain = random_chain(seed, true);
        games.add_chain(&chain);
        chain.singles(|single| positions.add_chain(&single));
    }
    // Games leak, although no position of its own would say so; positions tell what they can.
    assert_eq!(games.leakage(&games).games, games.leakage(&games).validation_games);
    for leakage in [games.leakage(&positions), positions.leakage(&positions)] {
        assert_eq!((leakage.games, leakage.validation_games), (None, None));
        assert!(leakage.positions > 0);
    }
    let of_games = positions.leakage(&games);
    assert!(of_games.games.is_none() && of_games.validation_games > Some(40), "{of_games:?}");
}

#[test]
fn openings_count_from_where_chains_begin() {
    let mut statistics = Statistics::default();
    let (mut starts, mut after_eight, mut long) = (HashSet::new(), HashSet::new(), 0);
    for seed in 0..200 {
        let chain = random_chain(seed % 150, true);
        statistics.add_chain(&chain);
        starts.insert(chain.head.start.key());
        let mut positions = Vec::new();
        chain.visit(|position, _| positions.push(position.key()));
        if let Some(key) = positions.get(8) {
            long += 1;
            after_eight.insert(*key);
        }
    }
    assert!(starts.len() > 100 && long > after_eight.len() as u64, "games begin anywhere, and some came twice");
    assert_eq!(statistics.chain_starts, starts.len() as u64);
    assert_eq!(statistics.chains_beyond_opening, long);
    assert_eq!(statistics.opening_positions, after_eight.len() as u64);
}
