//! Blocks turned into indices.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use kiebitz_features::FeatureSet;

use super::SparseRows;
use crate::filter::{Filter, Removals};
use crate::shard::{Block, ShardReader};
use crate::{DatasetError, Sample};

/// The samples of one block.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) own: SparseRows,
    pub(super) other: SparseRows,
    pub(super) scores: Vec<f32>,
    pub(super) points: Vec<f32>,
}

impl Prepared {
    fn read(path: &Path, at: u64, features: &FeatureSet, filter: &Filter) -> Result<(Self, Removals), DatasetError> {
        let mut reader = ShardReader::open(path)?;
        reader.seek(at)?;
        let mut block = Block::default();
        reader.next_block(&mut block)?;
        let samples = block.counts().samples as usize;
        let mut prepared = Self::default();
        prepared.scores.reserve(samples);
        prepared.points.reserve(samples);
        let mut removals = Removals::new();
        block.visit(|sample| {
            if sample.link.kept {
                match filter.judge(&sample) {
                    Some(reason) => *removals.entry(reason).or_default() += 1,
                    None => prepared.add(&sample, features),
                }
            }
        })?;
        Ok((prepared, removals))
    }

    fn add(&mut self, sample: &Sample<'_>, features: &FeatureSet) {
        let us = sample.position.side_to_move();
        for (rows, side) in [(&mut self.own, us), (&mut self.other, !us)] {
            features.for_each_active(sample.position, side, |index| rows.indices.push(index));
            rows.end_row();
        }
        self.scores.push(sample.link.score.map_or(f32::NAN, f32::from));
        self.points.push(sample.points().unwrap_or(f32::NAN));
    }
}

/// Prepares some blocks on several threads; results come in the order of the blocks.
pub(super) fn prepare(
    blocks: &[(PathBuf, u64)],
    features: &FeatureSet,
    filter: &Filter,
    threads: NonZeroUsize,
) -> Result<(Vec<Prepared>, Removals), DatasetError> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(blocks.len()));
    thread::scope(|scope| {
        for _ in 0..threads.get().min(blocks.len()) {
            scope.spawn(|| {
                while let Some((number, (path, at))) = {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    blocks.get(number).map(|block| (number, block))
                } {
                    let result = Prepared::read(path, *at, features, filter);
                    if let Ok(mut done) = done.lock() {
                        done.push((number, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    let mut prepared = Vec::with_capacity(done.len());
    let mut all = Removals::new();
    for (_, result) in done {
        let (block, removals) = result?;
        for (reason, count) in removals {
            *all.entry(reason).or_default() += count;
        }
        prepared.push(block);
    }
    Ok((prepared, all))
}
