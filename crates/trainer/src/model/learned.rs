//! The numbers that are learned: how a step changes them, how they are saved, and what network they are.

use kiebitz_compute::{ComputeError, Device};
use kiebitz_network::FloatWeights;

use super::Model;
use crate::parameter::{Parameter, SavedParameter};
use crate::schedule::Schedule;

impl<D: Device> Model<D> {
    /// Changes all weights by their gradients.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn change(&mut self, schedule: &Schedule, step: u64) -> Result<(), ComputeError> {
        let Self { device, rows, coarse, biases, direct, dense, .. } = self;
        let direct = direct.iter_mut().flat_map(|(_, rows, coarse)| [rows].into_iter().chain(coarse));
        let dense = dense.iter_mut().flat_map(|(weights, biases)| [weights, biases]);
        // The largest comes last: the others can make their steps beside it.
        let all = [biases].into_iter().chain(coarse).chain(direct).chain(dense).chain([rows]);
        for parameter in all {
            parameter.change(device, schedule, step)?;
        }
        Ok(())
    }

    fn parameters(&self) -> impl Iterator<Item = &Parameter<D>> {
        let direct = self.direct.iter().flat_map(|(_, rows, coarse)| [rows].into_iter().chain(coarse));
        let dense = self.dense.iter().flat_map(|(weights, biases)| [weights, biases]);
        [&self.rows, &self.biases].into_iter().chain(&self.coarse).chain(direct).chain(dense)
    }

    pub(crate) fn save(&self) -> Result<Vec<SavedParameter>, ComputeError> {
        self.parameters().map(|parameter| parameter.save(&self.device)).collect()
    }

    /// Takes over saved numbers; the names must be those of this model, or `false` is returned.
    pub(crate) fn restore(&mut self, saved: &[SavedParameter]) -> Result<bool, ComputeError> {
        let lengths = self.parameters().map(|parameter| self.device.read(&parameter.values).map(|values| values.len()));
        let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
        let fits = saved.len() == lengths.len()
            && self.parameters().zip(&lengths).zip(saved).all(|((parameter, &length), saved)| {
                let lists = [&saved.values, &saved.momentum, &saved.variance];
                parameter.name == saved.name && lists.iter().all(|list| list.len() == length)
            });
        if !fits {
            return Ok(false);
        }
        let Self { device, rows, coarse, biases, direct, dense, .. } = self;
        let direct = direct.iter_mut().flat_map(|(_, rows, coarse)| [rows].into_iter().chain(coarse));
        let dense = dense.iter_mut().flat_map(|(weights, biases)| [weights, biases]);
        let all = [rows, biases].into_iter().chain(coarse).chain(direct).chain(dense);
        for (parameter, saved) in all.zip(saved) {
            parameter.restore(device, saved)?;
        }
        Ok(true)
    }

    /// The weights as they are learned, not rounded.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn weights(&self) -> Result<FloatWeights, ComputeError> {
        let device = &self.device;
        let joined = |rows: &Parameter<D>, coarse: &Option<Parameter<D>>| {
            let mut numbers = device.read(&rows.values)?;
            if let Some(coarse) = coarse {
                numbers.extend(device.read(&coarse.values)?);
            }
            Ok::<_, ComputeError>(numbers)
        };
        let mut weights = FloatWeights::zero(&self.spec);
        weights.accumulator_biases = device.read(&self.biases.values)?;
        weights.accumulator_weights = joined(&self.rows, &self.coarse)?;
        if let Some((_, rows, coarse)) = &self.direct {
            weights.shortcut_weights = joined(rows, coarse)?;
        }
        for (number, (layer_weights, layer_biases)) in self.dense.iter().enumerate() {
            let (all_weights, all_biases) = (device.read(&layer_weights.values)?, device.read(&layer_biases.values)?);
            for (bucket, stack) in weights.stacks.iter_mut().enumerate() {
                let layer = &mut stack[number];
                let (size, outputs) = (layer.weights.len(), layer.biases.len());
                layer.weights.copy_from_slice(&all_weights[bucket * size..][..size]);
                layer.biases.copy_from_slice(&all_biases[bucket * outputs..][..outputs]);
            }
        }
        Ok(weights)
    }
}
