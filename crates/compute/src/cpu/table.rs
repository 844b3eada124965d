//! Tables: sums over active rows, and their gradients sorted by row.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::vector::sum_rows;
use super::{Batch, Cpu};
use crate::TableShape;

/// Hits or rows that are worked on at a time.
const PIECE: usize = 64;
/// Ranges of a batch that are sorted, or whose gradients are added, for themselves.
const PARTS: usize = 16;
/// Rows whose hits one thread finds places for at a time.
const SORT_PIECE: usize = 2048;
/// Gradients of a table of so many numbers are added range by range; larger ones in one go.
const SMALL_TABLE: usize = 1 << 16;

/// A table as the forward pass reads it, and its links seen from the coarse rows.
#[derive(Debug)]
pub struct Table {
    shape: TableShape,
    /// What the forward pass reads instead of the rows themselves: sums with coarse rows, or rounded. Empty while there is no difference, for a
    /// copy of a large table costs as much as a tenth of a step.
    made: Vec<f32>,
    member_begins: Vec<u32>,
    members: Vec<u32>,
    sorted: SortedHits,
}

impl Table {
    pub(super) fn new(shape: TableShape) -> Self {
        let (member_begins, members) = if shape.is_linked() { shape.members() } else { Default::default() };
        Self { made: Vec::new(), member_begins, members, shape, sorted: SortedHits::default() }
    }

    /// What the forward pass reads of a table that was made from these rows.
    fn read<'a>(&'a self, rows: &'a [f32]) -> &'a [f32] {
        if self.made.is_empty() { rows } else { &self.made }
    }
}

impl Cpu {
    pub(super) fn refresh(&self, table: &mut Table, rows: &[f32], coarse: Option<&[f32]>, steps: f32) {
        let Table { shape, made, .. } = table;
        let (width, coarse) = (shape.width, coarse.filter(|_| shape.is_linked()));
        if coarse.is_none() && steps <= 0.0 {
            made.clear();
            return;
        }
        if made.is_empty() {
            *made = super::zeros(shape.rows * shape.width);
        }
        self.pool.install(|| {
            made.par_chunks_mut(width * PIECE).enumerate().for_each(|(piece, out)| {
                let begin = piece * PIECE * width;
                out.copy_from_slice(&rows[begin..begin + out.len()]);
                for (number, out) in out.chunks_exact_mut(width).enumerate() {
                    for &link in coarse.map_or(&[][..], |_| shape.links_of(piece * PIECE + number)) {
                        let at = link as usize * width;
                        let source = coarse.and_then(|coarse| coarse.get(at..at + width)).unwrap_or_default();
                        super::vector::add(out, source);
                    }
                    if steps > 0.0 {
                        out.iter_mut().for_each(|value| *value = (*value * steps).round_ties_even() / steps);
                    }
                }
            });
        });
    }

    pub(super) fn sum(&self, table: &Table, rows: &[f32], biases: &[f32], batch: &Batch, sums: &mut [f32]) {
        let width = table.shape.width;
        let rows = table.read(rows);
        self.pool.install(|| {
            sums.par_chunks_mut(width * PIECE).enumerate().for_each(|(piece, out)| {
                for (number, out) in out.chunks_exact_mut(width).enumerate() {
                    sum_rows(out, biases, rows, batch.rows_of(piece * PIECE + number), 1.0);
                }
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "an operation with three results")]
    pub(super) fn row_gradients(
        &self,
        table: &mut Table,
        batch: &Batch,
        gradients: &[f32],
        scale: f32,
        rows: &mut [f32],
        coarse: Option<&mut [f32]>,
        biases: &mut [f32],
    ) {
        self.pool.install(|| table.sorted.sort(batch, table.shape.rows));
        let (table, begins, hits) = (&*table, &table.sorted.begins, &table.sorted.hits);
        let width = table.shape.width;
        self.pool.install(|| {
            // A few rows have most of the hits, and lie together: those of kings at home. Only small pieces can be shared out evenly.
            rows.par_chunks_mut(width * PIECE).with_max_len(1).enumerate().for_each(|(piece, out)| {
                for (number, out) in out.chunks_exact_mut(width).enumerate() {
                    let row = piece * PIECE + number;
                    let hits = &hits[begins[row] as usize..begins[row + 1] as usize];
                    sum_rows(out, &[], gradients, hits, scale);
                }
            });
        });
        self.coarse_gradients(table, rows, coarse);
        let all: Vec<u32> = (0..(batch.len() * batch.views()) as u32).collect();
        let pieces: Vec<Vec<f32>> = self.pool.install(|| {
            all.par_chunks(4096)
                .map(|hits| {
                    let mut sums = vec![0.0; width];
                    sum_rows(&mut sums, &[], gradients, hits, 1.0);
                    sums
                })
                .collect()
        });
        biases.fill(0.0);
        pieces.iter().for_each(|piece| super::vector::add(biases, piece));
        biases.iter_mut().for_each(|bias| *bias *= scale);
    }

    fn coarse_gradients(&self, table: &Table, rows: &[f32], coarse: Option<&mut [f32]>) {
        let width = table.shape.width;
        let Some(coarse) = coarse.filter(|_| table.shape.is_linked()) else { return };
        self.pool.install(|| {
            coarse.par_chunks_mut(width).enumerate().for_each(|(row, out)| {
                let members = &table.members[table.member_begins[row] as usize..table.member_begins[row + 1] as usize];
                sum_rows(out, &[], rows, members, 1.0);
            });
        });
    }

    pub(super) fn add_direct(&self, direct: &Table, rows: &[f32], batch: &Batch, values: &mut [f32]) {
        let rows = direct.read(rows);
        let buckets = direct.shape.width;
        let weight = |row: u32, bucket: u32| rows[row as usize * buckets + bucket as usize];
        let sum = |view: usize, sample: usize| -> f32 {
            let bucket = batch.buckets[sample];
            batch.samples.views[view].row(sample).iter().map(|&row| weight(row, bucket)).sum()
        };
        self.pool.install(|| {
            values[..batch.len()].par_iter_mut().enumerate().with_min_len(PIECE).for_each(|(sample, value)| {
                *value += (sum(0, sample) - sum(1, sample)) * 0.5;
            });
        });
    }

    pub(super) fn direct_gradients(
        &self,
        direct: &Table,
        batch: &Batch,
        value_gradients: &[f32],
        scale: f32,
        rows: &mut [f32],
        coarse: Option<&mut [f32]>,
    ) {
        let buckets = direct.shape.width;
        let add = |range: Range<usize>, rows: &mut [f32]| {
            for sample in range {
                let (bucket, gradient) = (batch.buckets[sample] as usize, value_gradients[sample]);
                for (view, sign) in batch.samples.views.iter().zip([0.5, -0.5]) {
                    for &row in view.row(sample) {
                        rows[row as usize * buckets + bucket] += sign * gradient * scale;
                    }
                }
            }
        };
        rows.fill(0.0);
        if rows.len() <= SMALL_TABLE {
            let parts: Vec<Vec<f32>> = self.pool.install(|| {
                ranges(batch.len())
                    .into_par_iter()
                    .map(|range| {
                        let mut part = vec![0.0; rows.len()];
                        add(range, &mut part);
                        part
                    })
                    .collect()
            });
            parts.iter().for_each(|part| super::vector::add(rows, part));
        } else {
            add(0..batch.len(), rows);
        }
        self.coarse_gradients(direct, rows, coarse);
    }
}

/// A count cut into ranges by its size alone.
fn ranges(count: usize) -> Vec<Range<usize>> {
    let size = count.div_ceil(PARTS).max(1);
    (0..PARTS).map(|part| (part * size).min(count)..((part + 1) * size).min(count)).collect()
}

/// The hits of a batch row by row. Its lists are used again in every step.
#[derive(Debug, Default)]
struct SortedHits {
    /// For every row where its hits begin, and at last where all end.
    begins: Vec<u32>,
    /// The hits, those of a row in the order of the batch.
    hits: Vec<u32>,
    /// For every range of the batch and every row how many hits it has, then where the next of them goes.
    places: Vec<Vec<u32>>,
}

impl SortedHits {
    fn sort(&mut self, batch: &Batch, rows: usize) {
        let ranges = ranges(batch.len() * batch.views());
        self.places.resize_with(ranges.len(), Vec::new);
        ranges.par_iter().zip(&mut self.places).for_each(|(range, counts)| {
            counts.clear();
            counts.resize(rows, 0);
            for hit in range.clone() {
                batch.rows_of(hit).iter().for_each(|&row| counts[row as usize] += 1);
            }
        });
        let total = self.find_places(rows);
        // Ranges write to places of their own; the atomics only say so to the compiler, and cost nothing.
        let mut hits = std::mem::take(&mut self.hits);
        hits.resize(total, 0);
        let hits: Vec<AtomicU32> = hits.into_iter().map(AtomicU32::new).collect();
        ranges.par_iter().zip(&mut self.places).for_each(|(range, places)| {
            for hit in range.clone() {
                for &row in batch.rows_of(hit) {
                    let place = &mut places[row as usize];
                    hits[*place as usize].store(hit as u32, Ordering::Relaxed);
                    *place += 1;
                }
            }
        });
        self.hits = hits.into_iter().map(AtomicU32::into_inner).collect();
    }

    /// Counts become places: row by row, and within a row range by range. Says how many hits there are.
    fn find_places(&mut self, rows: usize) -> usize {
        let mut pieces: Vec<Vec<&mut [u32]>> = (0..rows.div_ceil(SORT_PIECE)).map(|_| Vec::new()).collect();
        for counts in &mut self.places {
            pieces.iter_mut().zip(counts.chunks_mut(SORT_PIECE)).for_each(|(piece, counts)| piece.push(counts));
        }
        let sizes: Vec<u32> =
            pieces.par_iter().map(|piece| piece.iter().flat_map(|counts| counts.iter()).sum()).collect();
        let mut total = 0;
        let mut starts = Vec::with_capacity(sizes.len());
        for size in sizes {
            starts.push(total);
            total += size;
        }
        self.begins.resize(rows + 1, 0);
        let begins = self.begins[..rows].par_chunks_mut(SORT_PIECE);
        pieces.par_iter_mut().zip(begins).zip(starts).for_each(|((piece, begins), mut next)| {
            for (row, begin) in begins.iter_mut().enumerate() {
                *begin = next;
                for counts in piece.iter_mut() {
                    let count = std::mem::replace(&mut counts[row], next);
                    next += count;
                }
            }
        });
        self.begins[rows] = total;
        total as usize
    }
}
