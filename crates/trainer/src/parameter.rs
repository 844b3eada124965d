//! Numbers that are learned, with what their optimiser remembers.

use kiebitz_compute::{ComputeError, Device};

use crate::schedule::Schedule;

/// A list of weights.
#[derive(Debug)]
pub(crate) struct Parameter<D: Device> {
    pub(crate) name: String,
    pub(crate) values: D::Numbers,
    pub(crate) gradients: D::Numbers,
    momentum: D::Numbers,
    variance: D::Numbers,
    /// What the forward pass uses while weights are rounded.
    rounded: Option<D::Numbers>,
    /// Weights stay within ± this.
    limit: f32,
    /// Steps a unit in the played network.
    steps: f32,
    decays: bool,
}

/// A parameter's numbers as a checkpoint holds them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SavedParameter {
    pub(crate) name: String,
    pub(crate) values: Vec<f32>,
    pub(crate) momentum: Vec<f32>,
    pub(crate) variance: Vec<f32>,
}

impl SavedParameter {
    /// The same values for an optimiser that remembers nothing.
    pub(crate) fn at_rest(&self) -> Self {
        let nothing = vec![0.0; self.values.len()];
        Self { momentum: nothing.clone(), variance: nothing, ..self.clone() }
    }
}

impl<D: Device> Parameter<D> {
    pub(crate) fn new(
        device: &D,
        name: String,
        values: &[f32],
        limit: f32,
        steps: f32,
        decays: bool,
    ) -> Result<Self, ComputeError> {
        Ok(Self {
            values: device.numbers(values)?,
            gradients: device.zeros(values.len())?,
            momentum: device.zeros(values.len())?,
            variance: device.zeros(values.len())?,
            rounded: None,
            name,
            limit,
            steps,
            decays,
        })
    }

    /// What the forward pass uses.
    pub(crate) fn used(&self) -> &D::Numbers {
        self.rounded.as_ref().unwrap_or(&self.values)
    }

    /// Prepares [`Self::used`] for the next forward pass.
    pub(crate) fn prepare(&mut self, device: &D, count: usize, is_rounded: bool) -> Result<(), ComputeError> {
        if !is_rounded || self.steps <= 0.0 {
            self.rounded = None;
            return Ok(());
        }
        if self.rounded.is_none() {
            self.rounded = Some(device.zeros(count)?);
        }
        match &mut self.rounded {
            Some(rounded) => device.round(&self.values, rounded, self.steps),
            None => Ok(()),
        }
    }

    pub(crate) fn steps(&self) -> f32 {
        self.steps
    }

    pub(crate) fn change(&mut self, device: &D, schedule: &Schedule, step: u64) -> Result<(), ComputeError> {
        let adam = schedule.adam(step, self.limit, self.decays);
        device.adam(&mut self.values, &self.gradients, &mut self.momentum, &mut self.variance, adam)
    }

    pub(crate) fn save(&self, device: &D) -> Result<SavedParameter, ComputeError> {
        Ok(SavedParameter {
            name: self.name.clone(),
            values: device.read(&self.values)?,
            momentum: device.read(&self.momentum)?,
            variance: device.read(&self.variance)?,
        })
    }

    pub(crate) fn restore(&mut self, device: &D, saved: &SavedParameter) -> Result<(), ComputeError> {
        self.values = device.numbers(&saved.values)?;
        self.momentum = device.numbers(&saved.momentum)?;
        self.variance = device.numbers(&saved.variance)?;
        Ok(())
    }
}
