//! The trainable model, built from a network's description.
//!
//! The order of operations is that of the reference in `kiebitz-network`; sizes come from the description alone.

use kiebitz_compute::{
    ComputeError, DenseShape, Device, Input, LayerActivation, SumActivation, TableShape, UnitActivation,
};
use kiebitz_network::{
    ACTIVATION_RANGE, AccumulatorActivation, Dense, DenseActivation, FloatWeights, NetworkSpec, Numbers, OutputNumbers,
};

use crate::parameter::{Parameter, SavedParameter};
use crate::schedule::Schedule;

/// What values are judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// |s(slope · value) − target|^power.
    Value {
        /// What a value is multiplied with before the sigmoid.
        slope: f32,
        /// The power of the difference.
        power: f32,
    },
    /// Triplets of positions: the played move should lead to a worse position for the opponent than another one.
    Ranking {
        /// As above.
        slope: f32,
        /// The weight of "a position is as good for its mover as the next one is bad for the opponent".
        weight: f32,
    },
}

/// A dense layer, its sums and their activations.
#[derive(Debug)]
struct LayerState<D: Device> {
    shape: DenseShape,
    width: usize,
    ways: Vec<UnitActivation>,
    has_skip: bool,
    sums: D::Numbers,
    sum_gradients: D::Numbers,
    units: D::Numbers,
    unit_gradients: D::Numbers,
}

/// The weights that go directly from features to the value: table, rows, coarse rows.
type Shortcut<D> = (<D as Device>::Direct, Parameter<D>, Option<Parameter<D>>);

/// A network that learns.
#[derive(Debug)]
pub struct Model<D: Device> {
    device: D,
    spec: NetworkSpec,
    batch: usize,
    lens: LayerActivation,
    table: D::Table,
    rows: Parameter<D>,
    coarse: Option<Parameter<D>>,
    biases: Parameter<D>,
    direct: Option<Shortcut<D>>,
    /// Weights and biases of every layer, that of the value last.
    dense: Vec<(Parameter<D>, Parameter<D>)>,
    layers: Vec<LayerState<D>>,
    head: DenseShape,
    sums: D::Sums,
    sum_gradients: D::SumGradients,
    values: D::Numbers,
    value_gradients: D::Numbers,
}

fn units(ways: &[DenseActivation]) -> Vec<UnitActivation> {
    let unit = |way: &DenseActivation| match way {
        DenseActivation::Clipped => UnitActivation::Clipped,
        DenseActivation::Squared => UnitActivation::Squared,
        DenseActivation::Folded => UnitActivation::Folded,
    };
    ways.iter().map(unit).collect()
}

fn lens(spec: &NetworkSpec) -> LayerActivation {
    let trunk = spec.accumulated();
    let activation = match trunk.activation {
        AccumulatorActivation::Clipped => SumActivation::Clipped,
        AccumulatorActivation::Squared => SumActivation::Squared,
        AccumulatorActivation::Pairwise => SumActivation::Pairwise,
    };
    let gain = match spec.numbers.output {
        OutputNumbers::Wide { .. } => 1.0,
        OutputNumbers::Narrow { .. } => spec.numbers.activation_gain(trunk.activation),
    };
    LayerActivation { activation, width: trunk.width, views: spec.views(), gain }
}

/// A table's shape, with the coarse rows of the feature set's factoriser.
fn table_shape(spec: &NetworkSpec, width: usize) -> TableShape {
    let features = spec.features();
    let rows = features.count() as usize;
    match features.factoriser() {
        None => TableShape::plain(rows, width),
        Some(factoriser) => {
            TableShape::linked(rows, width, factoriser.count() as usize, |row| features.virtual_features(row))
        }
    }
}

/// Steps a unit, and the largest weight, of a dense layer's weights.
fn dense_numbers(spec: &NetworkSpec, is_head: bool) -> (f32, f32) {
    match spec.numbers.output {
        OutputNumbers::Wide { scale, .. } => (f32::from(scale), f32::from(i16::MAX) / f32::from(scale)),
        OutputNumbers::Narrow { scale, .. } if is_head => {
            let steps = scale as f32 / ACTIVATION_RANGE as f32;
            (steps, f32::from(i8::MAX) / steps)
        }
        OutputNumbers::Narrow { .. } => {
            let steps = f32::from(spec.numbers.dense);
            (steps, f32::from(i8::MAX) / steps)
        }
    }
}

impl<D: Device> Model<D> {
    /// A model with given weights, for batches of a size.
    ///
    /// # Errors
    ///
    /// When the device has too little memory.
    pub fn new(device: D, spec: &NetworkSpec, weights: &FloatWeights, batch: usize) -> Result<Self, ComputeError> {
        let trunk = spec.accumulated();
        let (views, width, buckets) = (spec.views(), trunk.width, spec.buckets.count);
        let most_active = spec.features().max_active() as usize;
        let real = spec.features().count() as usize;
        let steps = f32::from(spec.numbers.accumulator);
        // However many of the largest weights meet, their sum and a bias fit 16 bits; a coarse row counts with each.
        let limit = f32::from(i16::MAX) / steps / (most_active + 2) as f32;
        let (row_limit, coarse_limit) = match spec.features().factoriser() {
            Some(_) => (limit * 0.5, limit * 0.5),
            None => (limit, 0.0),
        };
        let split = |numbers: &[f32], width: usize| {
            let (rows, coarse) = numbers.split_at((real * width).min(numbers.len()));
            (rows.to_vec(), coarse.to_vec())
        };
        let (rows, coarse) = split(&weights.accumulator_weights, width);
        let parameter = |name: &str, values: &[f32], limit: f32, steps: f32, decays: bool| {
            Parameter::new(&device, name.to_owned(), values, limit, steps, decays)
        };
        let optional = |name: &str, values: &[f32], limit: f32| {
            if values.is_empty() { Ok(None) } else { parameter(name, values, limit, 0.0, true).map(Some) }
        };
        let direct = match trunk.shortcut {
            false => None,
            true => {
                let (rows, coarse) = split(&weights.shortcut_weights, buckets);
                let direct = device.direct(table_shape(spec, buckets))?;
                let rows = parameter("shortcut.rows", &rows, f32::MAX, 0.0, true)?;
                Some((direct, rows, optional("shortcut.coarse", &coarse, f32::MAX)?))
            }
        };
        let shapes: Vec<DenseShape> = spec
            .layer_shapes()
            .iter()
            .map(|shape| DenseShape { inputs: shape.inputs, outputs: shape.outputs, buckets })
            .collect();
        let mut dense = Vec::new();
        for (number, shape) in shapes.iter().enumerate() {
            let all = |part: fn(&Dense<f32, f32>) -> &[f32]| -> Vec<f32> {
                weights.stacks.iter().flat_map(|stack| part(&stack[number]).iter().copied()).collect()
            };
            let (steps, limit) = dense_numbers(spec, number + 1 == shapes.len());
            let weights = all(|layer| &layer.weights);
            debug_assert_eq!(weights.len(), shape.inputs * shape.outputs * buckets);
            dense.push((
                parameter(&format!("layer{}.weights", number + 1), &weights, limit, steps, true)?,
                parameter(&format!("layer{}.biases", number + 1), &all(|layer| &layer.biases), f32::MAX, 0.0, false)?,
            ));
        }
        let mut layers = Vec::new();
        for (layer, &shape) in spec.dense_layers().zip(&shapes) {
            let seen = batch * layer.width * layer.activations.len();
            layers.push(LayerState {
                shape,
                width: layer.width,
                ways: units(&layer.activations),
                has_skip: layer.skip,
                sums: device.zeros(batch * shape.outputs)?,
                sum_gradients: device.zeros(batch * shape.outputs)?,
                units: device.zeros(seen)?,
                unit_gradients: device.zeros(seen)?,
            });
        }
        let head = shapes[shapes.len() - 1];
        Ok(Self {
            table: device.table(table_shape(spec, width), batch, views, most_active)?,
            rows: parameter("accumulator.rows", &rows, row_limit, steps, true)?,
            coarse: optional("accumulator.coarse", &coarse, coarse_limit)?,
            biases: parameter("accumulator.biases", &weights.accumulator_biases, limit, 0.0, false)?,
            direct,
            dense,
            layers,
            head,
            sums: device.sums(batch, views, width)?,
            sum_gradients: device.sum_gradients(batch, views, width)?,
            values: device.zeros(batch)?,
            value_gradients: device.zeros(batch)?,
            lens: lens(spec),
            spec: spec.clone(),
            batch,
            device,
        })
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &D {
        &self.device
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
        device.table_forward(&self.table, &self.biases.values, batch, &mut self.sums)?;
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
        if let Some((direct, ..)) = &self.direct {
            device.direct_forward(direct, batch, &mut self.values)?;
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
        device.begin_table_backward(&mut self.table, batch)?;
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

    /// The values of the last forward pass.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn values(&self) -> Result<Vec<f32>, ComputeError> {
        self.device.read(&self.values)
    }

    /// The size of a batch.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.batch
    }
}
