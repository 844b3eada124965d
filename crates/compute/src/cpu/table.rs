//! Tables: sums over active rows, and their gradients sorted by row.

use rayon::prelude::*;

use super::vector::sum_rows;
use super::{Batch, Cpu};
use crate::TableShape;

/// Hits or rows that are worked on at a time.
const PIECE: usize = 64;

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
        Self { rows: vec![0.0; shape.rows * shape.width], member_begins, members, shape }
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
        let (begins, hits) = sorted_hits(batch, table.shape.rows);
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
        for (sample, value) in values.iter_mut().enumerate().take(batch.len()) {
            let bucket = batch.buckets[sample];
            let sum = |view: usize| -> f32 {
                batch.samples.views[view].row(sample).iter().map(|&row| weight(row, bucket)).sum()
            };
            *value += (sum(0) - sum(1)) * 0.5;
        }
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
        rows.fill(0.0);
        for (sample, &gradient) in value_gradients.iter().enumerate().take(batch.len()) {
            let bucket = batch.buckets[sample] as usize;
            for (view, sign) in batch.samples.views.iter().zip([0.5, -0.5]) {
                for &row in view.row(sample) {
                    rows[row as usize * buckets + bucket] += sign * gradient * scale;
                }
            }
        }
        self.coarse_gradients(direct, rows, coarse);
    }
}

/// For every row where its hits begin, and the hits, in the order of the batch.
fn sorted_hits(batch: &Batch, rows: usize) -> (Vec<u32>, Vec<u32>) {
    let mut begins = vec![0_u32; rows + 1];
    for view in &batch.samples.views {
        for &row in &view.indices {
            begins[row as usize + 1] += 1;
        }
    }
    for row in 0..rows {
        begins[row + 1] += begins[row];
    }
    let mut next = begins.clone();
    let mut hits = vec![0_u32; begins[rows] as usize];
    for hit in 0..batch.len() * batch.views() {
        for &row in batch.rows_of(hit) {
            let next = &mut next[row as usize];
            hits[*next as usize] = hit as u32;
            *next += 1;
        }
    }
    (begins, hits)
}
