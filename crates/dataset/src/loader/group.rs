//! Blocks in memory, whose samples are mixed with each other.
//!
//! Mixing by fetching samples in random order would wait for memory at every one of them. Here each sample is told its step
//! before it is read, and its features are written behind those of the others of that step: memory is read and written in
//! order everywhere.

use kiebitz_chess::{Color, Position};
use kiebitz_features::FeatureSet;

use super::batch::Batch;
use super::plan::{BlockPlace, GroupPlan};
use crate::filter::{Filter, Removals};
use crate::seeded::SeededNumbers;
use crate::shard::{Block, ShardReader};
use crate::{DatasetError, Sample};

/// Words of a sample in a portion before its indices.
const HEAD: usize = 5;
/// Words of a sample in most feature sets; more only means another allocation.
const USUAL_WORDS: usize = 40;

/// For each sample of each block of a group the step it belongs to, counted from the first step of the group.
#[derive(Debug)]
pub(super) struct Deal {
    slots: Vec<Vec<u32>>,
    /// How many steps the group has a part in.
    count: usize,
}

impl Deal {
    /// Deals the samples of a group to its steps at random. `kept` says how many samples each of its blocks has.
    pub(super) fn new(plan: &GroupPlan, kept: impl Iterator<Item = u64>, batch: u64) -> Self {
        let first = plan.samples.start / batch;
        let mut all: Vec<u32> = plan.samples.clone().map(|sample| (sample / batch - first) as u32).collect();
        let count = all.last().map_or(0, |&last| last as usize + 1);
        SeededNumbers::new(plan.seed).shuffle(&mut all);
        let mut rest = all.as_slice();
        let slots = kept.map(|kept| {
            let (block, behind) = rest.split_at(rest.len().min(kept as usize));
            rest = behind;
            block.to_vec()
        });
        Self { slots: slots.collect(), count }
    }
}

/// The samples of one block for one step: five words (own and other indices, score, points, mover and pieces), then both
/// lists of indices, sample after sample.
#[derive(Debug, Default)]
pub(super) struct Portion {
    words: Vec<u32>,
}

impl Portion {
    fn push(&mut self, sample: &Sample<'_>, features: &FeatureSet) {
        let position: &Position = sample.position;
        let us = position.side_to_move();
        let score = sample.link.score.map_or(f32::NAN, f32::from);
        let points = sample.points().unwrap_or(f32::NAN);
        let start = self.words.len();
        let rest = (us as u32) << 8 | position.occupied().len() as u32;
        self.words.extend([0, 0, score.to_bits(), points.to_bits(), rest]);
        for (place, side) in [us, !us].into_iter().enumerate() {
            let before = self.words.len();
            features.for_each_active(position, side, |index| self.words.push(index));
            let count = self.words.len() - before;
            if let Some(word) = self.words.get_mut(start + place) {
                *word = count as u32;
            }
        }
    }

    /// Adds the samples to a batch.
    fn append_to(&self, batch: &mut Batch) {
        let mut rest = self.words.as_slice();
        while let Some((&[own, other, score, points, mover_and_pieces], behind)) = rest.split_first_chunk::<HEAD>() {
            let (indices, behind) = behind.split_at(behind.len().min((own + other) as usize));
            let (own, other) = indices.split_at(indices.len().min(own as usize));
            batch.own.push(own);
            batch.other.push(other);
            batch.scores.push(f32::from_bits(score));
            batch.points.push(f32::from_bits(points));
            batch.pieces.push(mover_and_pieces as u8);
            batch.movers.push(if mover_and_pieces >> 8 == Color::Black as u32 { Color::Black } else { Color::White });
            rest = behind;
        }
    }
}

/// The samples of one block that the filter leaves, by their steps. The block has a place in the group that was dealt; `memory`
/// is what another block has left.
pub(super) fn read_block(
    block: &BlockPlace,
    filter: &Filter,
    features: &FeatureSet,
    (deal, place): (&Deal, usize),
    memory: Vec<Portion>,
) -> Result<Vec<Portion>, DatasetError> {
    let slots = deal.slots.get(place).map(Vec::as_slice).unwrap_or_default();
    let usual = slots.len() / deal.count.max(1) * USUAL_WORDS;
    let mut portions = memory;
    portions.iter_mut().for_each(|portion| portion.words.clear());
    portions.resize_with(deal.count, || Portion { words: Vec::with_capacity(usual) });
    let mut found = 0;
    visit(block, filter, |sample| {
        if let Some(portion) = slots.get(found).and_then(|&slot| portions.get_mut(slot as usize)) {
            portion.push(sample, features);
        }
        found += 1;
    })?;
    if found != slots.len() {
        return Err(DatasetError::damaged(&block.shard, block.at, "it changed while it was read"));
    }
    Ok(portions)
}

/// Shows the samples of one block that the filter leaves, and counts the others.
pub(super) fn visit(
    place: &BlockPlace,
    filter: &Filter,
    mut visitor: impl FnMut(&Sample<'_>),
) -> Result<Removals, DatasetError> {
    let mut reader = ShardReader::open(&place.shard)?;
    reader.seek(place.at)?;
    let mut block = Block::default();
    reader.next_block(&mut block)?;
    let mut removals = Removals::new();
    block.visit(|sample| {
        if sample.link.kept {
            match filter.judge(&sample) {
                Some(reason) => *removals.entry(reason).or_default() += 1,
                None => visitor(&sample),
            }
        }
    })?;
    Ok(removals)
}

/// A group that is complete.
#[derive(Debug)]
pub(super) struct Group {
    /// Portions by block and step.
    blocks: Vec<Vec<Portion>>,
}

impl Group {
    pub(super) fn new(blocks: Vec<Vec<Portion>>) -> Self {
        Self { blocks }
    }

    /// Its memory, to be used again.
    pub(super) fn into_blocks(self) -> Vec<Vec<Portion>> {
        self.blocks
    }

    /// Adds the group's part of a step to its batch.
    pub(super) fn append_to(&self, slot: usize, batch: &mut Batch) {
        self.blocks.iter().filter_map(|portions| portions.get(slot)).for_each(|portion| portion.append_to(batch));
    }
}
