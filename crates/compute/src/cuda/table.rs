//! Tables: sums over active rows, and their gradients sorted by row.

use cudarc::driver::{CudaEvent, CudaSlice, LaunchConfig};

use super::{Batch, Cuda, SMALL, driver, launch, over, warps};
use crate::{ComputeError, TableShape};

/// Columns of a tile.
pub(super) const TILE: usize = 256;
/// Hits of a chunk.
pub(super) const CHUNK: usize = 64;
/// Features that one block plans.
pub(super) const PLAN_BLOCK: usize = 1024;
/// Half floats of gradients of sums count these parts of a unit.
pub(super) const GRADIENT_UNIT: f32 = 1024.0;
/// Sums of such half floats count these parts of them.
pub(super) const FIXED_UNIT: f32 = 16384.0;
/// Sums of gradients of direct weights count these parts of a unit.
pub(super) const DIRECT_UNIT: f64 = 4_294_967_296.0;
/// Blocks that write the sums of features with several chunks.
const FINISHERS: usize = 1024;

/// Rows are padded so that a lane always reads sixteen bytes.
fn stride(width: usize) -> usize {
    width.next_multiple_of(8)
}

/// A table's sums as half floats: `[sample][view][stride]`.
#[derive(Debug)]
pub struct Sums {
    pub(super) halves: CudaSlice<u16>,
    pub(super) stride: usize,
}

/// The gradients of such sums as half floats.
#[derive(Debug)]
pub struct SumGradients {
    pub(super) halves: CudaSlice<u16>,
    pub(super) stride: usize,
}

/// Which coarse rows belong to which rows, and the other way round.
#[derive(Debug)]
struct Links {
    begins: CudaSlice<u32>,
    links: CudaSlice<u32>,
    member_begins: CudaSlice<u32>,
    members: CudaSlice<u32>,
}

/// A table for the forward pass in half precision, and room to sort its gradients.
#[derive(Debug)]
pub struct Table {
    shape: TableShape,
    shadow: CudaSlice<u16>,
    links: Links,
    counts: CudaSlice<u32>,
    begins: CudaSlice<u32>,
    ranks: CudaSlice<u32>,
    block_sums: CudaSlice<u32>,
    totals: CudaSlice<u32>,
    chunks: CudaSlice<u32>,
    slot_rows: CudaSlice<u32>,
    slot_sums: CudaSlice<i64>,
    sorted: CudaSlice<u32>,
    bias_sums: CudaSlice<i64>,
    most_chunks: usize,
    most_slots: usize,
    /// When the hits of the batch at hand are sorted, if that was begun.
    sorting: Option<CudaEvent>,
}

/// A narrow table in full precision.
#[derive(Debug)]
pub struct Direct {
    shape: TableShape,
    shadow: CudaSlice<f32>,
    links: Links,
    sums: CudaSlice<i64>,
}

impl Cuda {
    fn links(&self, shape: &TableShape) -> Result<Links, ComputeError> {
        let list = |list: &[u32]| if list.is_empty() { self.uploaded(&[0]) } else { self.uploaded(list) };
        let (member_begins, members) = if shape.is_linked() { shape.members() } else { Default::default() };
        Ok(Links {
            begins: list(&shape.link_begins)?,
            links: list(&shape.links)?,
            member_begins: list(&member_begins)?,
            members: list(&members)?,
        })
    }

    pub(super) fn new_sums(&self, samples: usize, views: usize, width: usize) -> Result<Sums, ComputeError> {
        let stride = stride(width);
        Ok(Sums { halves: self.zeroed(samples * views * stride)?, stride })
    }

    pub(super) fn new_sum_gradients(
        &self,
        samples: usize,
        views: usize,
        width: usize,
    ) -> Result<SumGradients, ComputeError> {
        let stride = stride(width);
        Ok(SumGradients { halves: self.zeroed(samples * views * stride)?, stride })
    }

    pub(super) fn new_table(&self, shape: TableShape, hits: usize) -> Result<Table, ComputeError> {
        let (most_chunks, most_slots) = (shape.rows + hits / CHUNK, hits / CHUNK);
        Ok(Table {
            shadow: self.zeroed(shape.rows * stride(shape.width))?,
            links: self.links(&shape)?,
            counts: self.zeroed(shape.rows)?,
            begins: self.zeroed(shape.rows)?,
            ranks: self.zeroed(hits)?,
            block_sums: self.zeroed(3 * shape.rows.div_ceil(PLAN_BLOCK))?,
            totals: self.zeroed(2)?,
            chunks: self.zeroed(4 * most_chunks)?,
            slot_rows: self.zeroed(most_slots)?,
            slot_sums: self.zeroed(most_slots * shape.width)?,
            sorted: self.zeroed(hits)?,
            bias_sums: self.zeroed(shape.width)?,
            most_chunks,
            most_slots,
            sorting: None,
            shape,
        })
    }

    pub(super) fn new_direct(&self, shape: TableShape) -> Result<Direct, ComputeError> {
        let count = shape.rows * shape.width;
        Ok(Direct { shadow: self.zeroed(count)?, links: self.links(&shape)?, sums: self.zeroed(count)?, shape })
    }

    pub(super) fn shadow_table(
        &self,
        table: &mut Table,
        rows: &CudaSlice<f32>,
        coarse: Option<&CudaSlice<f32>>,
        steps: f32,
    ) -> Result<(), ComputeError> {
        if coarse.is_some() || rows.len() <= SMALL {
            self.join()?;
        }
        let shape = &table.shape;
        let stride = stride(shape.width);
        let config = over(shape.rows * stride / 8, 256);
        let (count, width, stride) = (shape.rows as u32, shape.width as u32, stride as u32);
        let linked = u32::from(shape.is_linked() && coarse.is_some());
        let (coarse, links) = (coarse.unwrap_or(rows), &table.links);
        launch!(
            self,
            table_shadow,
            config,
            rows,
            coarse,
            &links.begins,
            &links.links,
            &mut table.shadow,
            &count,
            &width,
            &stride,
            &linked,
            &steps,
        );
        Ok(())
    }

    pub(super) fn shadow_direct(
        &self,
        direct: &mut Direct,
        rows: &CudaSlice<f32>,
        coarse: Option<&CudaSlice<f32>>,
    ) -> Result<(), ComputeError> {
        self.join()?;
        let shape = &direct.shape;
        let config = over(shape.rows * shape.width, 256);
        let (count, width) = (shape.rows as u32, shape.width as u32);
        let linked = u32::from(shape.is_linked() && coarse.is_some());
        let (coarse, links) = (coarse.unwrap_or(rows), &direct.links);
        launch!(
            self,
            direct_shadow,
            config,
            rows,
            coarse,
            &links.begins,
            &links.links,
            &mut direct.shadow,
            &count,
            &width,
            &linked,
        );
        Ok(())
    }

    pub(super) fn sum_rows(
        &self,
        table: &Table,
        biases: &CudaSlice<f32>,
        batch: &Batch,
        sums: &mut Sums,
    ) -> Result<(), ComputeError> {
        self.join()?;
        let tiles = sums.stride.div_ceil(TILE);
        let config = warps(batch.samples * batch.views * tiles);
        let (samples, views) = (batch.samples as u32, batch.views as u32);
        let (width, stride, tiles) = (table.shape.width as u32, sums.stride as u32, tiles as u32);
        let (own_ends, own, other_ends, other) = (batch.ends(0), batch.indices(0), batch.ends(1), batch.indices(1));
        launch!(
            self,
            table_forward,
            config,
            &table.shadow,
            biases,
            &own_ends,
            &own,
            &other_ends,
            &other,
            &mut sums.halves,
            &samples,
            &views,
            &width,
            &stride,
            &tiles,
        );
        Ok(())
    }

    /// Sorts the hits of a batch by row, beside the stream.
    pub(super) fn sort(&self, table: &mut Table, batch: &Batch) -> Result<(), ComputeError> {
        // Nobody but the gradients of rows, which wait for it, needs this: the stream does not owe it.
        self.join()?;
        self.fork()?;
        self.side.memset_zeros(&mut table.counts).map_err(driver)?;
        let (samples, views, rows) = (batch.samples as u32, batch.views as u32, table.shape.rows as u32);
        let (own_ends, own, other_ends, other) = (batch.ends(0), batch.indices(0), batch.ends(1), batch.indices(1));
        let counting = LaunchConfig { grid_dim: (512, views, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        launch!(on self.side, self, count_features, counting, &own_ends, &own, &other_ends, &other, &mut table.counts, &mut table.ranks, &samples,);
        let planners = table.shape.rows.div_ceil(PLAN_BLOCK) as u32;
        let planning = |blocks| LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (PLAN_BLOCK as u32, 1, 1),
            shared_mem_bytes: 0,
        };
        launch!(on self.side, self, plan_blocks, planning(planners), &table.counts, &mut table.block_sums, &rows);
        launch!(on self.side, self, plan_totals, planning(1), &mut table.block_sums, &mut table.totals, &planners);
        launch!(
            on self.side, self,
            fill_chunks,
            planning(planners),
            &table.counts,
            &table.block_sums,
            &mut table.begins,
            &mut table.chunks,
            &mut table.slot_rows,
            &rows,
        );
        launch!(
            on self.side, self,
            scatter_hits,
            warps(batch.samples * batch.views),
            &own_ends,
            &own,
            &other_ends,
            &other,
            &table.begins,
            &table.ranks,
            &mut table.sorted,
            &samples,
            &views,
        );
        table.sorting = Some(self.side.record_event(None).map_err(driver)?);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "an operation with three results")]
    pub(super) fn row_gradients(
        &self,
        table: &mut Table,
        batch: &Batch,
        gradients: &SumGradients,
        scale: f32,
        rows: &mut CudaSlice<f32>,
        coarse: Option<&mut CudaSlice<f32>>,
        biases: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        if table.sorting.is_none() {
            self.sort(table, batch)?;
        }
        if let Some(sorted) = table.sorting.take() {
            self.stream.wait(&sorted).map_err(driver)?;
        }
        self.bias_gradients(table, batch, gradients, scale, biases)?;
        let tiles = gradients.stride.div_ceil(TILE);
        let config = warps(table.most_chunks * tiles);
        let bound = table.most_chunks as u32;
        let (width, stride, tiles) = (table.shape.width as u32, gradients.stride as u32, tiles as u32);
        launch!(
            self,
            table_backward,
            config,
            &gradients.halves,
            &table.sorted,
            &table.chunks,
            &table.totals,
            &mut *rows,
            &mut table.slot_sums,
            &bound,
            &width,
            &stride,
            &tiles,
            &scale,
        );
        if table.most_slots > 0 {
            launch!(
                self,
                finish_slots,
                over(FINISHERS * 256, 256),
                &mut table.slot_sums,
                &table.slot_rows,
                &table.totals,
                &mut *rows,
                &width,
                &scale,
            );
        }
        if let Some(coarse) = coarse {
            self.coarse_gradients(&table.shape, &table.links, rows, coarse)?;
        }
        self.join()
    }

    /// Beside the gradients of rows.
    fn bias_gradients(
        &self,
        table: &mut Table,
        batch: &Batch,
        gradients: &SumGradients,
        scale: f32,
        biases: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.fork_for(&self.owes_gradients)?;
        let (hits, width) = (batch.samples * batch.views, table.shape.width);
        let config = LaunchConfig {
            grid_dim: (hits.div_ceil(128) as u32, width.div_ceil(64) as u32, 1),
            block_dim: (64, 1, 1),
            shared_mem_bytes: 0,
        };
        let (hits, columns, stride) = (hits as u32, width as u32, gradients.stride as u32);
        launch!(on self.side, self, bias_sums, config, &gradients.halves, &mut table.bias_sums, &hits, &columns, &stride);
        let step = f64::from(scale) / f64::from(GRADIENT_UNIT * FIXED_UNIT);
        launch!(on self.side, self, finish_sums, over(width, 256), &mut table.bias_sums, biases, &columns, &step);
        Ok(())
    }

    fn coarse_gradients(
        &self,
        shape: &TableShape,
        links: &Links,
        rows: &CudaSlice<f32>,
        coarse: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        if !shape.is_linked() {
            return Ok(());
        }
        let (count, width) = (shape.coarse_rows as u32, shape.width as u32);
        let config = over(shape.coarse_rows * shape.width, 256);
        launch!(self, coarse_gradient, config, rows, &links.member_begins, &links.members, coarse, &count, &width);
        Ok(())
    }

    pub(super) fn add_direct(
        &self,
        direct: &Direct,
        batch: &Batch,
        values: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        let (samples, buckets) = (batch.samples as u32, direct.shape.width as u32);
        let (own_ends, own, other_ends, other) = (batch.ends(0), batch.indices(0), batch.ends(1), batch.indices(1));
        let bucket_ends = batch.bucket_ends();
        launch!(
            self,
            direct_forward,
            warps(batch.samples),
            &direct.shadow,
            &own_ends,
            &own,
            &other_ends,
            &other,
            &bucket_ends,
            values,
            &samples,
            &buckets,
        );
        Ok(())
    }

    pub(super) fn direct_gradients(
        &self,
        direct: &mut Direct,
        batch: &Batch,
        value_gradients: &CudaSlice<f32>,
        scale: f32,
        rows: &mut CudaSlice<f32>,
        coarse: Option<&mut CudaSlice<f32>>,
    ) -> Result<(), ComputeError> {
        let (samples, buckets) = (batch.samples as u32, direct.shape.width as u32);
        let (own_ends, own, other_ends, other) = (batch.ends(0), batch.indices(0), batch.ends(1), batch.indices(1));
        let bucket_ends = batch.bucket_ends();
        launch!(
            self,
            direct_backward,
            warps(batch.samples),
            value_gradients,
            &own_ends,
            &own,
            &other_ends,
            &other,
            &bucket_ends,
            &mut direct.sums,
            &samples,
            &buckets,
        );
        let count = direct.shape.rows * direct.shape.width;
        let (step, total) = (f64::from(scale) / DIRECT_UNIT, count as u32);
        launch!(self, finish_sums, over(count, 256), &mut direct.sums, &mut *rows, &total, &step);
        if let Some(coarse) = coarse {
            self.coarse_gradients(&direct.shape, &direct.links, rows, coarse)?;
        }
        Ok(())
    }
}
