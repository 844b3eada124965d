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
/// Gradients of a table of so many numbers are added range by range; larger ones in one go.
const SMALL_TABLE: usize = 1 << 16;

/// A table as the forward pass reads it, and its links seen from the coarse rows.
#[derive(Debug)]
pub struct Table {
    shape: TableShape,
    rows: Vec<f32>,
    member_begins: Vec<u32>,
    members: Vec<u32>,
}

impl Table {
    pub(super) fn new(shape: TableShape) -> Self {
        let (member_begins, members) = if shape.is_linked() { shape.members() } else { Default::default() };
        Self { rows: super::zeros(shape.rows * shape.width), member_begins, members, shape }
    }
}

impl Cpu {
    pub(super) fn refresh(&self, table: &mut Table, rows: &[f32], coarse: Option<&[f32]>, steps: f32) {
        let Table { shape, rows: shadow, .. } = table;
        let (width, coarse) = (shape.width, coarse.filter(|_| shape.is_linked()));
        self.pool.install(|| {
            shadow.par_chunks_mut(width * PIECE).enumerate().for_each(|(piece, out)| {
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

    pub(super) fn sum(&self, table: &Table, biases: &[f32], batch: &Batch, sums: &mut [f32]) {
        let width = table.shape.width;
        self.pool.install(|| {
            sums.par_chunks_mut(width * PIECE).enumerate().for_each(|(piece, out)| {
                for (number, out) in out.chunks_exact_mut(width).enumerate() {
                    sum_rows(out, biases, &table.rows, batch.rows_of(piece * PIECE + number), 1.0);
                }
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "an operation with three results")]
    pub(super) fn row_gradients(
        &self,
        table: &Table,
        batch: &Batch,
        gradients: &[f32],
        scale: f32,
        rows: &mut [f32],
        coarse: Option<&mut [f32]>,
        biases: &mut [f32],
    ) {
        let (begins, hits) = self.pool.install(|| sorted_hits(batch, table.shape.rows));
        let width = table.shape.width;
        self.pool.install(|| {
            rows.par_chunks_mut(width * PIECE).enumerate().for_each(|(piece, out)| {
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

    pub(super) fn add_direct(&self, direct: &Table, batch: &Batch, values: &mut [f32]) {
        let buckets = direct.shape.width;
        let weight = |row: u32, bucket: u32| direct.rows[row as usize * buckets + bucket as usize];
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

/// For every row where its hits begin, and the hits, in the order of the batch.
fn sorted_hits(batch: &Batch, rows: usize) -> (Vec<u32>, Vec<u32>) {
    let ranges = ranges(batch.len() * batch.views());
    let mut places: Vec<Vec<u32>> = ranges
        .par_iter()
        .map(|range| {
            let mut counts = vec![0_u32; rows];
            for hit in range.clone() {
                batch.rows_of(hit).iter().for_each(|&row| counts[row as usize] += 1);
            }
            counts
        })
        .collect();
    // Counts become places: row by row, and within a row range by range.
    let mut begins = vec![0_u32; rows + 1];
    let mut total = 0;
    for row in 0..rows {
        for counts in &mut places {
            let count = std::mem::replace(&mut counts[row], total);
            total += count;
        }
        begins[row + 1] = total;
    }
    // Ranges write to places of their own; the atomics only say so to the compiler, and cost nothing.
    let hits: Vec<AtomicU32> = (0..total).map(|_| AtomicU32::new(0)).collect();
    ranges.par_iter().zip(&mut places).for_each(|(range, places)| {
        for hit in range.clone() {
            for &row in batch.rows_of(hit) {
                let place = &mut places[row as usize];
                hits[*place as usize].store(hit as u32, Ordering::Relaxed);
                *place += 1;
            }
        }
    });
    (begins, hits.into_iter().map(AtomicU32::into_inner).collect())
}
