//! What the tests share: networks of every kind, samples to learn from, and small runs.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use kiebitz_chess::{Color, Outcome, PieceKind, Position};
use kiebitz_compute::Cpu;
use kiebitz_dataset::{Chain, ChainHead, Description, Link, ShardWriter};
use kiebitz_trainer::{Recipe, Run, TrainError};

/// One of every kind of network.
pub(crate) const NETWORKS: [&str; 5] = [
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
pub(crate) fn shard(place: &Path, count: u64) -> PathBuf {
    let path = place.join("games.kbz");
    games(&path, count, 12_345);
    path
}

/// So many of them in a shard, by chance.
pub(crate) fn games(path: &Path, count: u64, seed: u64) {
    let mut writer = ShardWriter::create(path, &Description::default()).unwrap();
    let mut state = seed;
    for _ in 0..count {
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
}

pub(crate) fn recipe(network: &str, shard: &Path, positions: u64) -> Recipe {
    let text = format!(
        "name = 'tiny'\ndescription = 'a test'\nseed = 3\nnetwork = '''{network}'''\n[data]\ntrain = ['{0}']\n\
         validation = ['{0}']\nmixed_blocks = 2\nteacher = 'material'\n[training]\npositions = {positions}\nbatch = 256\n\
         epoch = 5120\nvalidation = 2048\nround_from = 0.75\n[loss]\nscore_scale = 300.0\n[optimiser]\nrate = 0.01\nwarm_up = 0.05",
        shard.display()
    );
    Recipe::parse(&text).unwrap()
}

pub(crate) fn open(recipe: &Recipe, folder: &Path, threads: usize, resume: bool) -> Result<Run<Cpu>, TrainError> {
    let loaders = NonZeroUsize::new(threads).unwrap();
    Run::open(recipe, folder, Cpu::new(threads)?, loaders, resume, "a test")
}
