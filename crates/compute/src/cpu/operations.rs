//! Losses, optimiser steps, and the operations put together.

use rayon::prelude::*;

use super::{Batch, Cpu, Table, vector};
use crate::device::{Device, Input};
use crate::{AdamStep, CheckedSamples, ComputeError, Crew, DenseShape, LayerActivation, TableShape, UnitActivation};

/// Numbers that one thread takes at a time.
const PIECE: usize = 1 << 14;
/// Samples whose losses one thread adds up at a time.
const LOSS_PIECE: usize = 256;

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// −log of the sigmoid, without overflow.
fn log_loss(value: f32) -> f32 {
    if value > 0.0 { (-value).exp().ln_1p() } else { -value + value.exp().ln_1p() }
}

impl Device for Cpu {
    type Numbers = Vec<f32>;
    type Sums = Vec<f32>;
    type SumGradients = Vec<f32>;
    type Batch = Batch;
    type Table = Table;
    type Direct = Table;
    type Losses = Vec<f64>;

    fn describe(&self) -> String {
        match self.pool.current_num_threads() {
            1 => "CPU, 1 thread".to_owned(),
            threads => format!("CPU, {threads} threads"),
        }
    }

    fn crew(&self) -> Crew {
        Crew::of(&self.pool)
    }

    fn numbers(&self, values: &[f32]) -> Result<Vec<f32>, ComputeError> {
        let mut numbers = super::zeros(values.len());
        numbers.copy_from_slice(values);
        Ok(numbers)
    }

    fn zeros(&self, count: usize) -> Result<Vec<f32>, ComputeError> {
        Ok(super::zeros(count))
    }

    fn read(&self, numbers: &Vec<f32>) -> Result<Vec<f32>, ComputeError> {
        Ok(numbers.clone())
    }

    fn sums(&self, samples: usize, views: usize, width: usize) -> Result<Vec<f32>, ComputeError> {
        self.zeros(samples * views * width)
    }

    fn sum_gradients(&self, samples: usize, views: usize, width: usize) -> Result<Vec<f32>, ComputeError> {
        self.zeros(samples * views * width)
    }

    fn batch(&self, samples: &CheckedSamples) -> Result<Batch, ComputeError> {
        Ok(Batch::new(samples))
    }

    fn table(
        &self,
        shape: TableShape,
        _samples: usize,
        _views: usize,
        _most_active: usize,
    ) -> Result<Table, ComputeError> {
        Ok(Table::new(shape))
    }

    fn direct(&self, shape: TableShape) -> Result<Table, ComputeError> {
        Ok(Table::new(shape))
    }

    fn refresh_table(
        &self,
        table: &mut Table,
        rows: &Vec<f32>,
        coarse: Option<&Vec<f32>>,
        steps: f32,
    ) -> Result<(), ComputeError> {
        self.refresh(table, rows, coarse.map(Vec::as_slice), steps);
        Ok(())
    }

    fn refresh_direct(
        &self,
        direct: &mut Table,
        rows: &Vec<f32>,
        coarse: Option<&Vec<f32>>,
    ) -> Result<(), ComputeError> {
        self.refresh(direct, rows, coarse.map(Vec::as_slice), 0.0);
        Ok(())
    }

    fn round(&self, from: &Vec<f32>, to: &mut Vec<f32>, steps: f32) -> Result<(), ComputeError> {
        to.resize(from.len(), 0.0);
        self.pool.install(|| {
            to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE)).for_each(|(to, from)| {
                to.copy_from_slice(from);
                if steps > 0.0 {
                    to.iter_mut().for_each(|value| *value = (*value * steps).round_ties_even() / steps);
                }
            });
        });
        Ok(())
    }

    fn table_forward(
        &self,
        table: &Table,
        rows: &Vec<f32>,
        biases: &Vec<f32>,
        batch: &Batch,
        sums: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.sum(table, rows, biases, batch, sums);
        Ok(())
    }

    fn table_backward(
        &self,
        table: &mut Table,
        batch: &Batch,
        gradients: &Vec<f32>,
        scale: f32,
        rows: &mut Vec<f32>,
        coarse: Option<&mut Vec<f32>>,
        biases: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.row_gradients(table, batch, gradients, scale, rows, coarse.map(Vec::as_mut_slice), biases);
        Ok(())
    }

    fn direct_forward(
        &self,
        direct: &Table,
        rows: &Vec<f32>,
        batch: &Batch,
        values: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.add_direct(direct, rows, batch, values);
        Ok(())
    }

    fn direct_backward(
        &self,
        direct: &mut Table,
        batch: &Batch,
        value_gradients: &Vec<f32>,
        scale: f32,
        rows: &mut Vec<f32>,
        coarse: Option<&mut Vec<f32>>,
    ) -> Result<(), ComputeError> {
        self.direct_gradients(direct, batch, value_gradients, scale, rows, coarse.map(Vec::as_mut_slice));
        Ok(())
    }

    fn dense_forward(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        weights: &Vec<f32>,
        biases: &Vec<f32>,
        batch: &Batch,
        out: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.layer_sums(shape, input, weights, biases, batch, out);
        Ok(())
    }

    fn dense_backward(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        gradients: &Vec<f32>,
        batch: &Batch,
        scale: f32,
        weights: &mut Vec<f32>,
        biases: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.layer_gradients(shape, input, gradients, batch, scale, weights, biases);
        Ok(())
    }

    fn input_gradients(
        &self,
        shape: DenseShape,
        weights: &Vec<f32>,
        gradients: &Vec<f32>,
        batch: &Batch,
        out: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.plain_gradients(shape, weights, gradients, batch, out);
        Ok(())
    }

    fn gradients_of_sums(
        &self,
        shape: DenseShape,
        sums: &Vec<f32>,
        activation: LayerActivation,
        weights: &Vec<f32>,
        gradients: &Vec<f32>,
        batch: &Batch,
        out: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.through_activation(shape, sums, activation, weights, gradients, batch, out);
        Ok(())
    }

    fn activate(
        &self,
        sums: &Vec<f32>,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.activate_units(sums, width, outputs, ways, gain, batch, out);
        Ok(())
    }

    fn activate_backward(
        &self,
        sums: &Vec<f32>,
        gradients: &Vec<f32>,
        value_gradients: &Vec<f32>,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        self.unit_gradients(sums, gradients, value_gradients, width, outputs, ways, gain, batch, out);
        Ok(())
    }

    fn add_column(
        &self,
        sums: &Vec<f32>,
        outputs: usize,
        column: usize,
        batch: &Batch,
        values: &mut Vec<f32>,
    ) -> Result<(), ComputeError> {
        for (value, sums) in values.iter_mut().zip(sums.chunks_exact(outputs)).take(batch.len()) {
            *value += sums[column];
        }
        Ok(())
    }

    fn value_loss(
        &self,
        values: &Vec<f32>,
        batch: &Batch,
        slope: f32,
        power: f32,
        gradients: &mut Vec<f32>,
        losses: &mut Vec<f64>,
        place: usize,
    ) -> Result<(), ComputeError> {
        let piece = |gradients: &mut [f32], values: &[f32], targets: &[f32]| {
            let mut sum = 0.0;
            for ((gradient, &value), &target) in gradients.iter_mut().zip(values).zip(targets) {
                let expected = sigmoid(value * slope);
                let difference = expected - target;
                let size = difference.abs();
                let below = if power == 2.0 { size } else { size.powf(power - 1.0) };
                sum += f64::from(below * size);
                *gradient = (power * below).copysign(difference) * expected * (1.0 - expected) * slope;
            }
            sum
        };
        let sums: Vec<f64> = self.pool.install(|| {
            let targets = batch.samples.targets.par_chunks(LOSS_PIECE);
            let pieces = gradients.par_chunks_mut(LOSS_PIECE).zip(values.par_chunks(LOSS_PIECE)).zip(targets);
            pieces.map(|((gradients, values), targets)| piece(gradients, values, targets)).collect()
        });
        losses[place] = sums.iter().sum::<f64>() / batch.len() as f64;
        Ok(())
    }

    fn ranking_loss(
        &self,
        values: &Vec<f32>,
        batch: &Batch,
        slope: f32,
        weight: f32,
        gradients: &mut Vec<f32>,
        losses: &mut Vec<f64>,
        place: usize,
    ) -> Result<(), ComputeError> {
        let mut sum = 0.0;
        for places in batch.samples.triplets.chunks_exact(3) {
            let [p, q, r] = [0, 1, 2].map(|number| values[places[number] as usize] * slope);
            let (chosen, before, after) = (sigmoid(r - q), sigmoid(p), sigmoid(-q));
            let difference = before - after;
            sum += f64::from(log_loss(r - q) + weight * difference * difference);
            let pull = 2.0 * weight * difference;
            let slopes =
                [pull * before * (1.0 - before), (1.0 - chosen) + pull * after * (1.0 - after), -(1.0 - chosen)];
            for (&place, gradient) in places.iter().zip(slopes) {
                gradients[place as usize] = gradient * slope;
            }
        }
        losses[place] = sum / (batch.len() / 3).max(1) as f64;
        Ok(())
    }

    fn losses(&self, count: usize) -> Result<Vec<f64>, ComputeError> {
        Ok(vec![0.0; count])
    }

    fn read_losses(&self, losses: &Vec<f64>) -> Result<Vec<f64>, ComputeError> {
        Ok(losses.clone())
    }

    fn adam(
        &self,
        values: &mut Vec<f32>,
        gradients: &Vec<f32>,
        momentum: &mut Vec<f32>,
        variance: &mut Vec<f32>,
        step: AdamStep,
    ) -> Result<(), ComputeError> {
        self.pool.install(|| {
            let moments = momentum.par_chunks_mut(PIECE).zip(variance.par_chunks_mut(PIECE));
            let pieces = values.par_chunks_mut(PIECE).zip(gradients.par_chunks(PIECE)).zip(moments);
            pieces.for_each(|((values, gradients), (momentum, variance))| {
                vector::adam(values, gradients, momentum, variance, step);
            });
        });
        Ok(())
    }

    fn finish(&self) -> Result<(), ComputeError> {
        Ok(())
    }
}
