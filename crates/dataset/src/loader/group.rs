//! Blocks in memory, whose samples are mixed with each other.

use kiebitz_chess::Position;

use super::plan::BlockPlace;
use crate::filter::{Filter, Removals};
use crate::seeded::SeededNumbers;
use crate::shard::{Block, ShardReader};
use crate::{DatasetError, Sample};

/// A sample that waits for its batch.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) position: Position,
    pub(super) score: f32,
    pub(super) points: f32,
}

/// The samples of one block that the filter leaves.
pub(super) fn read_block(place: &BlockPlace, filter: &Filter) -> Result<Vec<Row>, DatasetError> {
    let mut rows = Vec::with_capacity(place.kept as usize);
    visit(place, filter, |sample| {
        rows.push(Row {
            position: sample.position.clone(),
            score: sample.link.score.map_or(f32::NAN, f32::from),
            points: sample.points().unwrap_or(f32::NAN),
        });
    })?;
    Ok(rows)
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
    blocks: Vec<Vec<Row>>,
    /// The order of the samples, as block and row.
    order: Vec<(u32, u32)>,
}

impl Group {
    pub(super) fn new(blocks: Vec<Vec<Row>>, seed: u64) -> Self {
        let rows = |(block, rows): (usize, &Vec<Row>)| (0..rows.len()).map(move |row| (block as u32, row as u32));
        let mut order: Vec<_> = blocks.iter().enumerate().flat_map(rows).collect();
        SeededNumbers::new(seed).shuffle(&mut order);
        Self { blocks, order }
    }

    /// How many samples it has.
    pub(super) fn len(&self) -> u64 {
        self.order.len() as u64
    }

    /// Some of its samples, by their place in the order.
    pub(super) fn rows(&self, places: std::ops::Range<u64>) -> impl Iterator<Item = &Row> {
        let order = self.order.get(places.start as usize..places.end as usize).unwrap_or_default();
        order.iter().filter_map(|&(block, row)| self.blocks.get(block as usize)?.get(row as usize))
    }
}
