//! Networks of others on a binpack of training samples, from the repository of nnue-pytorch: what its scores say of a position, and what the
//! networks say. It stands here because only this crate reads binpacks. Needs `KIEBITZ_DATA`; `KIEBITZ_EVERY=1` asks about every position instead of a part of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, reason = "tests may fail loudly")]

#[path = "../../network/tests/support/rank_correlation.rs"]
mod rank_correlation;
mod support;

use std::collections::HashSet;

use kiebitz_chess::{Color, Position};
use kiebitz_dataset::{Chain, Filter, Format, Removals};
use kiebitz_network::{NetworkFile, reference};
use rank_correlation::rank_correlation;
use support::data;

/// One quiet position in so many is asked about, unless [`EVERY_VARIABLE`] says otherwise.
const EVERY: usize = 60;

/// The variable of the environment that replaces [`EVERY`].
const EVERY_VARIABLE: &str = "KIEBITZ_EVERY";

fn every() -> usize {
    let Ok(given) = std::env::var(EVERY_VARIABLE) else { return EVERY };
    match given.parse() {
        Ok(every) if every > 0 => every,
        _ => panic!("{EVERY_VARIABLE} is '{given}' instead of a number from 1 on"),
    }
}

/// Quiet as trainers filter: not in check, the move played neither takes nor promotes, no mate in sight. Every position counts
/// once, openings included.
#[test]
fn both_networks_agree_with_the_scores_of_a_binpack() {
    let (Some(sample), Some(thirteen), Some(small)) =
        (data("evals/sf_small.binpack"), data("nets/nn-62ef826d1a6d.nnue.zst"), data("nets/nn-37f18f62d772.nnue"))
    else {
        return;
    };
    let thirteen = zstd::decode_all(bytes_of(&thirteen).as_slice()).expect("a zstd file");
    let filter =
        Filter { no_check: true, no_captures: true, scored_only: true, max_score: Some(29_000), ..Filter::default() };
    let mut source = Format::Binpack.open(&sample).expect("a binpack");
    let (mut chain, mut seen) = (Chain::default(), HashSet::new());
    let mut quiet: Vec<(Position, f64)> = Vec::new();
    let every = every();
    while source.next_chain(&mut chain).expect("a whole binpack") {
        filter.apply(&mut chain, &mut Removals::default());
        chain.visit(|position, link| {
            if let Some(score) = link.score.filter(|_| link.kept)
                && seen.insert(position.key())
                && seen.len().is_multiple_of(every)
            {
                let sign = if position.side_to_move() == Color::White { 1.0 } else { -1.0 };
                quiet.push((position.clone(), sign * f64::from(score)));
            }
        });
    }
    assert_eq!(quiet.len(), seen.len() / every);
    assert!(seen.len() > 200_000, "{} quiet positions", seen.len());
    let scores: Vec<f64> = quiet.iter().map(|(_, score)| *score).collect();
    for (name, bytes, least) in [("Stockfish 13", thirteen, 0.85), ("the small one", bytes_of(&small), 0.75)] {
        let file = NetworkFile::from_bytes(&bytes).expect("a network");
        let value = |position: &Position| {
            f64::from(reference::evaluate_integers(file.spec(), &file.weights, position).units_for_white(position))
        };
        let values: Vec<f64> = quiet.iter().map(|(position, _)| value(position)).collect();
        let agreement = rank_correlation(&values, &scores);
        println!("rank correlation of {name} {agreement:.3} over {} of {} quiet positions", quiet.len(), seen.len());
        assert!(agreement > least, "{name}: {agreement}");
    }
}

fn bytes_of(path: &std::path::Path) -> Vec<u8> {
    std::fs::read(path).expect("a readable file")
}
