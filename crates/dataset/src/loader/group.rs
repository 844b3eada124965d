//! Blocks in memory, whose samples are mixed with each other.
//!
//! Mixing by fetching samples in random order would wait for memory at every one of them. Here each sample is told its step
//! before it is read, and its features are written behind those of the others of that step: memory is read and written in
//! order everywhere.

use kiebitz_chess::{Color, Position};
use kiebitz_features::FeatureSet;

use super::batch::{Batch, SparseRows};
use super::plan::{BlockPlace, GroupPlan};
use crate::filter::{Filter, Removals};
use crate::seeded::SeededNumbers;
use crate::shard::{Block, ShardReader};
use crate::{DatasetError, Sample};

/// Words of a sample in a portion before its indices.
const HEAD: usize = 4;
/// Words of a sample in most feature sets; more only means another allocation.
const USUAL_WORDS: usize = 48;

/// Bits of the last word of a sample's head, above the number of pieces: Black is to move; there is a score; half points.
const BLACK: u16 = 1 << 8;
const SCORED: u16 = 1 << 9;
const HALF_POINTS: u32 = 10;
/// Half points of a game whose result is unknown.
const NO_POINTS: u16 = 3;

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

/// The samples of one block for one step: four words (own and other indices, score, and the rest), then both lists of
/// indices, sample after sample. Memory is what limits the loader, so words are small: sets of up to 65 536 features take
/// one of them an index, others two.
#[derive(Debug, Default)]
pub(super) struct Portion {
    words: Vec<u16>,
}

/// How many words an index takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IndexWidth {
    One,
    Two,
}

impl IndexWidth {
    pub(super) fn of(features: &FeatureSet) -> Self {
        if features.count() <= 1 << 16 { Self::One } else { Self::Two }
    }

    /// Appends indices as words.
    fn put(self, indices: &[u32], words: &mut Vec<u16>) {
        match self {
            Self::One => words.extend(indices.iter().map(|&index| index as u16)),
            Self::Two => words.extend(indices.iter().flat_map(|&index| [index as u16, (index >> 16) as u16])),
        }
    }

    /// The words of the next indices, and those behind them.
    fn split(self, words: &[u16], indices: u16) -> (&[u16], &[u16]) {
        let count = usize::from(indices) * if self == Self::One { 1 } else { 2 };
        words.split_at(words.len().min(count))
    }

    /// Adds words as the indices of a sample.
    fn take(self, words: &[u16], rows: &mut SparseRows) {
        match self {
            Self::One => rows.push(words.iter().map(|&word| u32::from(word))),
            Self::Two => {
                let index = |pair: &[u16]| u32::from(pair[0]) | u32::from(pair[1]) << 16;
                rows.push(words.chunks_exact(2).map(index));
            }
        }
    }
}

impl Portion {
    /// Adds a sample; `indices` is memory for its features.
    fn push(&mut self, sample: &Sample<'_>, features: &FeatureSet, width: IndexWidth, indices: &mut Vec<u32>) {
        let position: &Position = sample.position;
        let us = position.side_to_move();
        indices.clear();
        let [own, other] = features.append_both(position, us, indices);
        let half_points = sample.points().map_or(NO_POINTS, |points| (2.0 * points) as u16);
        let rest = position.occupied().len() as u16
            | if us == Color::Black { BLACK } else { 0 }
            | if sample.link.score.is_some() { SCORED } else { 0 }
            | half_points << HALF_POINTS;
        self.words.extend([own as u16, other as u16, sample.link.score.unwrap_or(0) as u16, rest]);
        width.put(indices, &mut self.words);
    }

    /// Adds the samples to a batch.
    fn append_to(&self, batch: &mut Batch, width: IndexWidth) {
        let mut words = self.words.as_slice();
        while let Some((&[own, other, score, rest], behind)) = words.split_first_chunk::<HEAD>() {
            let (indices, behind) = width.split(behind, own);
            width.take(indices, &mut batch.own);
            let (indices, behind) = width.split(behind, other);
            width.take(indices, &mut batch.other);
            batch.scores.push(if rest & SCORED == 0 { f32::NAN } else { f32::from(score as i16) });
            let half_points = rest >> HALF_POINTS & NO_POINTS;
            batch.points.push(if half_points == NO_POINTS { f32::NAN } else { f32::from(half_points) / 2.0 });
            batch.pieces.push(rest as u8);
            batch.movers.push(if rest & BLACK == 0 { Color::White } else { Color::Black });
            words = behind;
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
    let (mut found, mut indices, width) = (0, Vec::new(), IndexWidth::of(features));
    visit(block, filter, |sample| {
        if let Some(portion) = slots.get(found).and_then(|&slot| portions.get_mut(slot as usize)) {
            portion.push(sample, features, width, &mut indices);
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
    reader.seek(place.at);
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
    width: IndexWidth,
}

impl Group {
    pub(super) fn new(blocks: Vec<Vec<Portion>>, width: IndexWidth) -> Self {
        Self { blocks, width }
    }

    /// Its memory, to be used again.
    pub(super) fn into_blocks(self) -> Vec<Vec<Portion>> {
        self.blocks
    }

    /// Adds the group's part of a step to its batch.
    pub(super) fn append_to(&self, slot: usize, batch: &mut Batch) {
        let portions = self.blocks.iter().filter_map(|portions| portions.get(slot));
        portions.for_each(|portion| portion.append_to(batch, self.width));
    }
}
