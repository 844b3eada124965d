//! What the tests of this crate share: where data lies, and chains at random.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::path::PathBuf;

use kiebitz_chess::{Color, Outcome, Position};
use kiebitz_dataset::{Chain, ChainHead, Link};

/// A file of the larger data, if it is there; else one line says that the test is skipped.
pub(crate) fn data(path: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let found = PathBuf::from(root).join(path);
    if !found.exists() {
        eprintln!("skipped: KIEBITZ_DATA has no {path}");
        return None;
    }
    Some(found)
}

/// A small repeatable source of numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit.max(1) as u64) as usize
    }
}

/// A random game, perhaps from its middle; `complete` means that every position has move and score, and the game a result.
pub(crate) fn random_chain(seed: u64, complete: bool) -> Chain {
    let mut random = Random(seed);
    let mut position = Position::default();
    for _ in 0..random.below(60) {
        step(&mut position, &mut random);
    }
    let result = match random.below(if complete { 3 } else { 4 }) {
        0 => Some(Outcome::Draw),
        1 => Some(Outcome::Win(Color::White)),
        2 => Some(Outcome::Win(Color::Black)),
        _ => None,
    };
    let mut rating = || Some(random.below(3_000) as u16 + 1).filter(|rating| rating % 4 > 0);
    let ratings = [rating(), rating()];
    let mut chain = Chain { head: ChainHead { start: position.clone(), result, ratings }, links: Vec::new() };
    let [scores, clocks, marks] = [0; 3].map(|_: i32| random.below(3));
    for _ in 0..=random.below(120) {
        let moves = position.legal_moves();
        let mv = if moves.is_empty() { None } else { Some(moves[random.below(moves.len())]) };
        if mv.is_none() && complete {
            break;
        }
        let has = |how: usize, random: &mut Random| how == 1 || how == 2 && random.below(2) == 0;
        let mut link = Link::new(mv);
        if complete || has(scores, &mut random) {
            link.score = Some(if random.below(20) == 0 {
                random.below(65_000) as i32 - 32_000
            } else {
                random.below(300) as i32 - 150
            } as i16);
        }
        if has(clocks, &mut random) {
            let unit = if clocks == 1 { 100 } else { 1 };
            link.clock = Some(random.below(60_000) as u32 * unit);
        }
        link.kept = marks != 2 || random.below(3) > 0;
        chain.links.push(link);
        match mv {
            Some(mv) => position.play(mv),
            None => break,
        }
    }
    if chain.links.is_empty() {
        return random_chain(seed.wrapping_add(1), complete);
    }
    // A chain without a sample is not written at all.
    chain.links[0].kept = true;
    chain
}

fn step(position: &mut Position, random: &mut Random) {
    let moves = position.legal_moves();
    if !moves.is_empty() {
        position.play(moves[random.below(moves.len())]);
    }
}
