//! Dense layers and their activations.

use cudarc::driver::{CudaSlice, CudaView, DeviceRepr, LaunchConfig};

use super::{Batch, Cuda, SumGradients, driver, launch, over, warps};
use crate::device::Input;
use crate::{ComputeError, DenseShape, LayerActivation, SumActivation, UnitActivation};

/// Layers with at most so many outputs have kernels of their own.
const NARROW: usize = 4;
/// Samples of a block of the forward pass.
const FORWARD: usize = 32;

/// How a layer sees its input; laid out as in the kernels.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Lens {
    kind: u32,
    inputs: u32,
    width: u32,
    stride: u32,
    views: u32,
    activated: u32,
    gain: f32,
}

// SAFETY: a plain structure of 32-bit numbers, laid out as in C, as the kernels declare it.
unsafe impl DeviceRepr for Lens {}

impl Lens {
    fn plain(inputs: usize) -> Self {
        Self { kind: 0, inputs: inputs as u32, width: 0, stride: 0, views: 1, activated: inputs as u32, gain: 1.0 }
    }

    fn through(activation: LayerActivation, stride: usize, inputs: usize) -> Self {
        let kind = match activation.activation {
            SumActivation::Clipped => 1,
            SumActivation::Squared => 2,
            SumActivation::Pairwise => 3,
        };
        Self {
            kind,
            inputs: inputs as u32,
            width: activation.width as u32,
            stride: stride as u32,
            views: activation.views as u32,
            activated: activation.activated() as u32,
            gain: activation.gain,
        }
    }
}

/// The bytes of an input, which the kernels take for what the lens says.
fn looked_at<'a>(input: Input<'a, Cuda>, shape: DenseShape) -> Result<(CudaView<'a, u8>, Lens), ComputeError> {
    let unfit = || ComputeError::Driver("a view of bytes was refused".to_owned());
    match input {
        Input::Plain(numbers) => {
            // SAFETY: floats may be seen as bytes; the length is theirs.
            let bytes = unsafe { numbers.transmute::<u8>(size_of::<f32>() * numbers.len()) };
            Ok((bytes.ok_or_else(unfit)?, Lens::plain(shape.inputs)))
        }
        Input::Sums(sums, activation) => {
            // SAFETY: half floats may be seen as bytes; the length is theirs.
            let bytes = unsafe { sums.halves.transmute::<u8>(size_of::<u16>() * sums.halves.len()) };
            Ok((bytes.ok_or_else(unfit)?, Lens::through(activation, sums.stride, shape.inputs)))
        }
    }
}

/// Two bits an activation, as the kernels read them.
fn kinds(ways: &[UnitActivation]) -> u32 {
    ways.iter().rev().fold(0, |kinds, way| {
        kinds << 2
            | match way {
                UnitActivation::Clipped => 1,
                UnitActivation::Squared => 2,
                UnitActivation::Folded => 3,
            }
    })
}

impl Cuda {
    pub(super) fn layer_sums(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        weights: &CudaSlice<f32>,
        biases: &CudaSlice<f32>,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        self.join()?;
        let (x, lens) = looked_at(input, shape)?;
        let bucket_ends = batch.bucket_ends();
        let (buckets, outputs, samples) = (shape.buckets as u32, shape.outputs as u32, batch.samples as u32);
        if shape.outputs <= NARROW {
            let config = warps(batch.samples);
            launch!(self, narrow_forward, config, &x, &lens, weights, biases, &bucket_ends, &samples, &outputs, out);
        } else {
            let grid = (batch.blocks(FORWARD), shape.outputs.div_ceil(32) as u32, 1);
            let config = LaunchConfig { grid_dim: grid, block_dim: (128, 1, 1), shared_mem_bytes: 0 };
            launch!(self, dense_forward, config, &x, &lens, weights, biases, &bucket_ends, &buckets, &outputs, out);
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "an operation with two results")]
    pub(super) fn layer_gradients(
        &self,
        shape: DenseShape,
        input: Input<'_, Self>,
        gradients: &CudaSlice<f32>,
        batch: &Batch,
        scale: f32,
        weights: &mut CudaSlice<f32>,
        biases: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        let (x, lens) = looked_at(input, shape)?;
        let columns = shape.inputs + 1;
        // Narrow layers have little work a sample, so more blocks share it.
        let size = if shape.outputs <= NARROW { 64 } else { 128 };
        let blocks = batch.blocks(size);
        let size = size as u32;
        let needed = blocks as usize * shape.outputs * columns;
        let mut partial = self.partial.lock().map_err(|_| ComputeError::Driver("a thread died".to_owned()))?;
        if partial.as_ref().is_none_or(|partial| partial.len() < needed) {
            self.join()?;
            *partial = Some(self.zeroed(needed)?);
        }
        let Some(partial) = partial.as_mut() else { return Err(ComputeError::OutOfMemory) };
        self.fork_for(&self.owes_gradients)?;
        let bucket_ends = batch.bucket_ends();
        let (buckets, outputs, inputs) = (shape.buckets as u32, shape.outputs as u32, shape.inputs as u32);
        if shape.outputs <= NARROW {
            let grid = (blocks, columns.div_ceil(128) as u32, 1);
            let config = LaunchConfig { grid_dim: grid, block_dim: (128, 1, 1), shared_mem_bytes: 0 };
            launch!(
                on self.side, self,
                narrow_partial,
                config,
                &x,
                &lens,
                gradients,
                &bucket_ends,
                &buckets,
                &outputs,
                &size,
                &mut *partial,
            );
        } else {
            let grid = (blocks, columns.div_ceil(64) as u32, shape.outputs.div_ceil(32) as u32);
            let config = LaunchConfig { grid_dim: grid, block_dim: (128, 1, 1), shared_mem_bytes: 0 };
            launch!(
                on self.side, self,
                dense_partial,
                config,
                &x,
                &lens,
                gradients,
                &bucket_ends,
                &buckets,
                &outputs,
                &size,
                &mut *partial
            );
        }
        launch!(
            on self.side, self,
            reduce_partial,
            over(shape.buckets * shape.outputs * columns, 256),
            &*partial,
            &bucket_ends,
            &buckets,
            &inputs,
            &outputs,
            &size,
            &scale,
            weights,
            biases,
        );
        Ok(())
    }

    pub(super) fn plain_gradients(
        &self,
        shape: DenseShape,
        weights: &CudaSlice<f32>,
        gradients: &CudaSlice<f32>,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        let bucket_ends = batch.bucket_ends();
        let (samples, inputs, outputs) = (batch.samples as u32, shape.inputs as u32, shape.outputs as u32);
        let config = over(batch.samples * shape.inputs, 256);
        launch!(self, input_gradients, config, weights, gradients, &bucket_ends, &samples, &inputs, &outputs, out);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the activation is part of the operation")]
    pub(super) fn through_activation(
        &self,
        shape: DenseShape,
        sums: &super::Sums,
        activation: LayerActivation,
        weights: &CudaSlice<f32>,
        gradients: &CudaSlice<f32>,
        batch: &Batch,
        out: &mut SumGradients,
    ) -> Result<(), ComputeError> {
        let lens = Lens::through(activation, sums.stride, shape.inputs);
        let bucket_ends = batch.bucket_ends();
        let (buckets, outputs) = (shape.buckets as u32, shape.outputs as u32);
        let columns = if lens.activated.is_multiple_of(2) { 2 } else { 1 };
        let config = LaunchConfig {
            grid_dim: (batch.blocks(16), shape.inputs.div_ceil(columns * 128) as u32, 1),
            block_dim: (128, 1, 1),
            shared_mem_bytes: (16 * shape.outputs * size_of::<f32>()) as u32,
        };
        let (x, out) = (&sums.halves, &mut out.halves);
        if columns == 2 {
            launch!(
                self,
                sum_gradients_in_pairs,
                config,
                x,
                &lens,
                weights,
                gradients,
                &bucket_ends,
                &buckets,
                &outputs,
                out,
            );
        } else {
            launch!(self, sum_gradients, config, x, &lens, weights, gradients, &bucket_ends, &buckets, &outputs, out);
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "sizes of two layers meet here")]
    pub(super) fn activate_units(
        &self,
        sums: &CudaSlice<f32>,
        width: usize,
        outputs: usize,
        ways: &[UnitActivation],
        gain: f32,
        batch: &Batch,
        out: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        let config = over(batch.samples * width, 256);
        let (samples, kinds, count) = (batch.samples as u32, kinds(ways), ways.len() as u32);
        let (width, outputs) = (width as u32, outputs as u32);
        launch!(self, activate, config, sums, out, &samples, &width, &outputs, &kinds, &count, &gain);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "sizes of two layers meet here")]
    pub(super) fn unit_gradients(
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
        let config = over(batch.samples * outputs, 256);
        let (samples, kinds, count) = (batch.samples as u32, kinds(ways), ways.len() as u32);
        let (width, outputs) = (width as u32, outputs as u32);
        launch!(
            self,
            activate_backward,
            config,
            sums,
            gradients,
            value_gradients,
            out,
            &samples,
            &width,
            &outputs,
            &kinds,
            &count,
            &gain,
        );
        Ok(())
    }

    pub(super) fn column(
        &self,
        sums: &CudaSlice<f32>,
        outputs: usize,
        column: usize,
        batch: &Batch,
        values: &mut CudaSlice<f32>,
    ) -> Result<(), ComputeError> {
        let (samples, outputs, column) = (batch.samples as u32, outputs as u32, column as u32);
        launch!(self, add_column, over(batch.samples, 256), sums, values, &samples, &outputs, &column);
        Ok(())
    }

    pub(super) fn synchronise(&self) -> Result<(), ComputeError> {
        self.join()?;
        self.stream.synchronize().map_err(driver)
    }
}
