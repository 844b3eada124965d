//! Forward, loss, backward: the operations of a step in their order.

use kiebitz_compute::{ComputeError, Device, Input};
use kiebitz_network::Numbers;

use super::{Model, Objective};
use crate::schedule::Schedule;

/// Where a step's loss goes.
#[derive(Debug)]
pub struct LossPlace<'a, D: Device> {
    /// The list.
    pub losses: &'a mut D::Losses,
    /// The place in it.
    pub place: usize,
}

impl<D: Device> Model<D> {
    /// One step: everything from the weights that are used to the change of those that are learned. The loss is the mean over
    /// so many things.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn learn(
        &mut self,
        batch: &D::Batch,
        objective: Objective,
        things: usize,
        loss: LossPlace<'_, D>,
        schedule: &Schedule,
        step: u64,
    ) -> Result<(), ComputeError> {
        self.device.crew().work(|| {
            self.device.begin_table_backward(&mut self.table, batch)?;
            self.prepare(schedule.is_rounded(step))?;
            self.forward(batch)?;
            self.judge(batch, objective, loss.losses, loss.place)?;
            self.backward(batch, things)?;
            self.change(schedule, step)
        })
    }

    /// Makes the weights that the forward pass uses from those that are learned.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn prepare(&mut self, is_rounded: bool) -> Result<(), ComputeError> {
        let steps = if is_rounded { self.rows.steps() } else { 0.0 };
        let coarse = self.coarse.as_ref().map(|coarse| &coarse.values);
        self.device.refresh_table(&mut self.table, &self.rows.values, coarse, steps)?;
        if let Some((direct, rows, coarse)) = &mut self.direct {
            self.device.refresh_direct(direct, &rows.values, coarse.as_ref().map(|coarse| &coarse.values))?;
        }
        for ((weights, _), shape) in
            self.dense.iter_mut().zip(self.layers.iter().map(|layer| layer.shape).chain([self.head]))
        {
            weights.prepare(&self.device, shape.inputs * shape.outputs * shape.buckets, is_rounded)?;
        }
        Ok(())
    }

    /// The values of a batch.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn forward(&mut self, batch: &D::Batch) -> Result<(), ComputeError> {
        let device = &self.device;
        device.table_forward(&self.table, &self.rows.values, &self.biases.values, batch, &mut self.sums)?;
        let gain = Numbers::square_gain();
        for number in 0..self.layers.len() {
            let (before, rest) = self.layers.split_at_mut(number);
            let Some(layer) = rest.first_mut() else { continue };
            let input = match before.last() {
                Some(before) => Input::Plain(&before.units),
                None => Input::Sums(&self.sums, self.lens),
            };
            let (weights, biases) = &self.dense[number];
            device.dense_forward(layer.shape, input, weights.used(), &biases.values, batch, &mut layer.sums)?;
            device.activate(
                &layer.sums,
                layer.width,
                layer.shape.outputs,
                &layer.ways,
                gain,
                batch,
                &mut layer.units,
            )?;
        }
        let (weights, biases) = &self.dense[self.layers.len()];
        let input = match self.layers.last() {
            Some(last) => Input::Plain(&last.units),
            None => Input::Sums(&self.sums, self.lens),
        };
        device.dense_forward(self.head, input, weights.used(), &biases.values, batch, &mut self.values)?;
        for layer in self.layers.iter().filter(|layer| layer.has_skip) {
            device.add_column(&layer.sums, layer.shape.outputs, layer.width, batch, &mut self.values)?;
        }
        if let Some((direct, rows, _)) = &self.direct {
            device.direct_forward(direct, &rows.values, batch, &mut self.values)?;
        }
        Ok(())
    }

    /// The loss of the last forward pass, into a list at a place, and the gradients of the values.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn judge(
        &mut self,
        batch: &D::Batch,
        objective: Objective,
        losses: &mut D::Losses,
        place: usize,
    ) -> Result<(), ComputeError> {
        let (device, values, gradients) = (&self.device, &self.values, &mut self.value_gradients);
        match objective {
            Objective::Value { slope, power } => {
                device.value_loss(values, batch, slope, power, gradients, losses, place)
            }
            Objective::Ranking { slope, weight } => {
                device.ranking_loss(values, batch, slope, weight, gradients, losses, place)
            }
        }
    }

    /// Gradients of everything from those of the values, as of the mean over so many things.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn backward(&mut self, batch: &D::Batch, things: usize) -> Result<(), ComputeError> {
        let (device, scale) = (&self.device, 1.0 / things as f32);
        let gain = Numbers::square_gain();
        let count = self.layers.len();
        let (weights, biases) = &mut self.dense[count];
        let input = match self.layers.last() {
            Some(last) => Input::Plain(&last.units),
            None => Input::Sums(&self.sums, self.lens),
        };
        device.dense_backward(
            self.head,
            input,
            &self.value_gradients,
            batch,
            scale,
            &mut weights.gradients,
            &mut biases.gradients,
        )?;
        if let Some(last) = self.layers.last_mut() {
            let weights = self.dense[count].0.used();
            device.input_gradients(self.head, weights, &self.value_gradients, batch, &mut last.unit_gradients)?;
        }
        for number in (0..count).rev() {
            let (before, rest) = self.layers.split_at_mut(number);
            let Some(layer) = rest.first_mut() else { continue };
            device.activate_backward(
                &layer.sums,
                &layer.unit_gradients,
                &self.value_gradients,
                layer.width,
                layer.shape.outputs,
                &layer.ways,
                gain,
                batch,
                &mut layer.sum_gradients,
            )?;
            let (weights, biases) = &mut self.dense[number];
            let input = match before.last() {
                Some(before) => Input::Plain(&before.units),
                None => Input::Sums(&self.sums, self.lens),
            };
            device.dense_backward(
                layer.shape,
                input,
                &layer.sum_gradients,
                batch,
                scale,
                &mut weights.gradients,
                &mut biases.gradients,
            )?;
            if let Some(before) = before.last_mut() {
                let weights = self.dense[number].0.used();
                device.input_gradients(
                    layer.shape,
                    weights,
                    &layer.sum_gradients,
                    batch,
                    &mut before.unit_gradients,
                )?;
            }
        }
        let (shape, gradients) = match self.layers.first() {
            Some(first) => (first.shape, &first.sum_gradients),
            None => (self.head, &self.value_gradients),
        };
        let weights = self.dense[0].0.used();
        device.gradients_of_sums(shape, &self.sums, self.lens, weights, gradients, batch, &mut self.sum_gradients)?;
        device.table_backward(
            &mut self.table,
            batch,
            &self.sum_gradients,
            scale,
            &mut self.rows.gradients,
            self.coarse.as_mut().map(|coarse| &mut coarse.gradients),
            &mut self.biases.gradients,
        )?;
        if let Some((direct, rows, coarse)) = &mut self.direct {
            let coarse = coarse.as_mut().map(|coarse| &mut coarse.gradients);
            device.direct_backward(direct, batch, &self.value_gradients, scale, &mut rows.gradients, coarse)?;
        }
        Ok(())
    }
}
