//! The trainable model, built from a network's description.
//!
//! The order of operations is that of the reference in `kiebitz-network`; sizes come from the description alone.
//!
//! | file | what |
//! |---|---|
//! | `model.rs` | what a model is made of |
//! | `model/sizes.rs` | from the words of a description to those of a device |
//! | `model/passes.rs` | forward, loss, backward |
//! | `model/learned.rs` | the numbers that are learned: steps, checkpoints, weights |

mod learned;
mod passes;
mod sizes;

use kiebitz_compute::{ComputeError, DenseShape, Device, LayerActivation, UnitActivation};
use kiebitz_network::{Dense, FloatWeights, NetworkSpec};

pub use self::passes::LossPlace;
use self::sizes::{dense_numbers, lens, table_shape, units};
use crate::parameter::Parameter;

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
        // However many of the largest weights meet, their sum and a bias fit 16 bits; virtual rows count with each. Whole steps, for rounding must
        // not lead beyond.
        let limit_in_steps = |weights: usize| (f32::from(i16::MAX) / weights as f32).floor() / steps;
        let limit = limit_in_steps(most_active + 2);
        // A row and all of its virtual ones are one row of the played network.
        let rows_of_one = 1 + spec.features().factoriser().map_or(0, |virtual_rows| virtual_rows.most());
        let row_limit = limit_in_steps(rows_of_one * (most_active + 2));
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
            coarse: optional("accumulator.coarse", &coarse, row_limit)?,
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
