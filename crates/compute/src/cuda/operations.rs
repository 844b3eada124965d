//! Losses, optimiser steps, and the operations put together.

use std::sync::atomic::Ordering;

use cudarc::driver::CudaSlice;

use super::{Batch, Cuda, Direct, SMALL, SumGradients, Sums, Table, driver, launch, over};
use crate::device::{Device, Input};
use crate::{AdamStep, CheckedSamples, ComputeError, DenseShape, LayerActivation, TableShape, UnitActivation};

/// Losses of steps, and room for the partial sums of one.
#[derive(Debug)]
pub struct Losses {
    losses: CudaSlice<f64>,
    partial: CudaSlice<f64>,
}

/// Losses of so many samples are added by one block.
const BLOCK: usize = 256;
/// Batches up to this size have room for their partial sums.
const MOST_BLOCKS: usize = 1 << 16;

impl Cuda {
    fn add_up(&self, losses: &mut Losses, things: usize, place: usize) -> Result<(), ComputeError> {
        let (blocks, place, scale) = (things.div_ceil(BLOCK) as u32, place as u32, 1.0 / things.max(1) as f64);
        launch!(self, total_loss, over(32, 32), &losses.partial, &mut losses.losses, &blocks, &place, &scale);
        Ok(())
    }
}

impl Device for Cuda {
    type Numbers = CudaSlice<f32>;
    type Sums = Sums;
    type SumGradients = SumGradients;
    type Batch = Batch;
    type Table = Table;
    type Direct = Direct;
    type Losses = Losses;

    fn describe(&self) -> String {
        let name = self.context.name().unwrap_or_else(|_| "a GPU".to_owned());
        let memory = self.context.total_mem().unwrap_or(0) >> 30;
        format!("{name}, {memory} GiB")
    }

    fn numbers(&self, values: &[f32]) -> Result<CudaSlice<f32>, ComputeError> {
        if values.is_empty() { self.zeroed(1) } else { self.uploaded(values) }
    }

    fn zeros(&self, count: usize) -> Result<CudaSlice<f32>, ComputeError> {
        self.zeroed(count)
    }

    fn read(&self, numbers: &CudaSlice<f32>) -> Result<Vec<f32>, ComputeError> {
        self.join()?;
        let values = self.stream.clone_dtoh(numbers).map_err(driver)?;
        self.synchronise()?;
        Ok(values)
    }

    fn sums(&self, samples: usize, views: usize, width: usize) -> Result<Sums, ComputeError> {
        self.new_sums(samples, views, width)
    }

    fn sum_gradients(&self, samples: usize, views: usize, width: usize) -> Result<SumGradients, ComputeError> {
        self.new_sum_gradients(samples, views, width)
    }

    fn batch(&self, samples: &CheckedSamples) -> Result<Batch, ComputeError> {
        self.upload_batch(samples)
    }

    fn table(
        &self,
        shape: TableShape,
        samples: usize,
        views: usize,
        most_active: usize,
    ) -> Result<Table, ComputeError> {
        self.new_table(shape, samples * views * most_active)
    }

    fn direct(&self, shape: TableShape) -> Result<Direct, ComputeError> {
        self.new_direct(shape)
    }

    fn refresh_table(
        &self,
        table: &mut Table,
        rows: &CudaSlice<f32>,
        coarse: Option<&CudaSlice<f32>>,
        steps: f32,
    ) -> Result<(), ComputeError> {
        self.shadow_table(table, rows, coarse, steps)
    }

    fn refresh_direct(
        &self,
        direct: &mut Direct,
        rows: &CudaSlice<f32>,
        coarse: Option<&CudaSlice<f32>>,
    ) -> Result<(), ComputeError> {
        self.shadow_direct(direct, rows, coarse)
    }

    fn round(&self, from: &CudaSlice<f32>, to: &mut CudaSlice<f32>, steps: f32) -> Result<(), ComputeError> {
        self.join()?;
        let count = from.len() as u64;
        launch!(self, round_numbers, over(from.len(), 256), from, to, &count, &steps);
        Ok(())
    }

    fn table_forward(
        &self,
        table: &Table,
        _rows: &CudaSlice<f32>,
        biases: &CudaSlice<f32>,
        batch: &Batch,
        sums: &mut Sums,
    ) -> Result<(), ComputeError> {
        self.sum_rows(table, biases, batch, sums)
    }

    fn begin_table_backward(&self, table: &mut Table, batch: &Batch) -> Result<(), ComputeError> {
        self.sort(table, batch)
    }

    fn table_backward(
        &self,
        table: &mut Table,
        batch: &Batch,
        gradients: &SumGradients,
        scale: f32,
        rows: &mut CudaSlice<f32>,
        coarse: Option<&mut CudaSlice<f32>>,
        biases: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.row_gradients(table, batch, gradients, scale, rows, coarse, biases)
    }

    fn direct_forward(
        &self,
        direct: &Direct,
        _rows: &CudaSlice<f32>,
        batch: &Batch,
        values: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.add_direct(direct, batch, values)
    }

    fn direct_backward(
        &self,
        direct: &mut Direct,
        batch: &Batch,
        value_gradients: &CudaSlice<f32>,
        scale: f32,
        rows: &mut CudaSlice<f32>,
        coarse: Option<&mut CudaSlice<f32>>,
    ) -> Result<(), ComputeError> {
        self.direct_gradients(direct, batch, value_gradients, scale, rows, coarse)
    }

    fn dense_forward(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        weights: &CudaSlice<f32>,
        biases: &CudaSlice<f32>,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.layer_sums(shape, input, weights, biases, batch, out)
    }

    fn dense_backward(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        gradients: &CudaSlice<f32>,
        batch: &Batch,
        scale: f32,
        weights: &mut CudaSlice<f32>,
        biases: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.layer_gradients(shape, input, gradients, batch, scale, weights, biases)
    }

    fn input_gradients(
        &self,
        shape: DenseShape,
        weights: &CudaSlice<f32>,
        gradients: &CudaSlice<f32>,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.plain_gradients(shape, weights, gradients, batch, out)
    }

    fn gradients_of_sums(
        &self,
        shape: DenseShape,
        sums: &Sums,
        activation: LayerActivation,
        weights: &CudaSlice<f32>,
        gradients: &CudaSlice<f32>,
        batch: &Batch,
        out: &mut SumGradients,
    ) -> Result<(), ComputeError> {
        self.through_activation(shape, sums, activation, weights, gradients, batch, out)
    }

    fn activate(
        &self,
        sums: &CudaSlice<f32>,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.activate_units(sums, width, outputs, ways, gain, batch, out)
    }

    fn activate_backward(
        &self,
        sums: &CudaSlice<f32>,
        gradients: &CudaSlice<f32>,
        value_gradients: &CudaSlice<f32>,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.unit_gradients(sums, gradients, value_gradients, width, outputs, ways, gain, batch, out)
    }

    fn add_column(
        &self,
        sums: &CudaSlice<f32>,
        outputs: usize,
        column: usize,
        batch: &Batch,
        values: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.column(sums, outputs, column, batch, values)
    }

    fn value_loss(
        &self,
        values: &CudaSlice<f32>,
        batch: &Batch,
        slope: f32,
        power: f32,
        gradients: &mut CudaSlice<f32>,
        losses: &mut Losses,
        place: usize,
    ) -> Result<(), ComputeError> {
        let (samples, targets) = (batch.samples as u32, batch.targets());
        let config = over(batch.samples, BLOCK as u32);
        launch!(self, value_loss, config, values, &targets, gradients, &mut losses.partial, &samples, &slope, &power);
        self.add_up(losses, batch.samples, place)
    }

    fn ranking_loss(
        &self,
        values: &CudaSlice<f32>,
        batch: &Batch,
        slope: f32,
        weight: f32,
        gradients: &mut CudaSlice<f32>,
        losses: &mut Losses,
        place: usize,
    ) -> Result<(), ComputeError> {
        let triplets = batch.samples / 3;
        let (count, places, config) = (triplets as u32, batch.targets(), over(triplets, BLOCK as u32));
        launch!(self, ranking_loss, config, values, &places, gradients, &mut losses.partial, &count, &slope, &weight,);
        self.add_up(losses, triplets, place)
    }

    fn losses(&self, count: usize) -> Result<Losses, ComputeError> {
        Ok(Losses { losses: self.zeroed(count)?, partial: self.zeroed(MOST_BLOCKS)? })
    }

    fn read_losses(&self, losses: &Losses) -> Result<Vec<f64>, ComputeError> {
        let values = self.stream.clone_dtoh(&losses.losses).map_err(driver)?;
        self.synchronise()?;
        Ok(values)
    }

    fn adam(
        &self,
        values: &mut CudaSlice<f32>,
        gradients: &CudaSlice<f32>,
        momentum: &mut CudaSlice<f32>,
        variance: &mut CudaSlice<f32>,
        step: AdamStep,
    ) -> Result<(), ComputeError> {
        let count = values.len() as u64;
        let config = over(values.len().div_ceil(4), 256);
        if values.len() <= SMALL {
            self.fork_for(&self.owes_steps)?;
            launch!(on self.side, self, adam, config, values, gradients, momentum, variance, &count, &step);
            return Ok(());
        }
        if self.owes_gradients.load(Ordering::Relaxed) {
            self.join()?;
        }
        launch!(self, adam, config, values, gradients, momentum, variance, &count, &step);
        Ok(())
    }

    fn finish(&self) -> Result<(), ComputeError> {
        self.synchronise()
    }
}
