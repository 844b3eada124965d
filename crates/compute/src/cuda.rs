//! The operations on an NVIDIA GPU, by kernels that are compiled when the device is opened.
//!
//! Operations run in the order in which they are asked for, on one stream. Only what a training step can do beside its long way
//! through the layers and the large table runs on a second stream: sorting the hits of a batch, gradients of dense weights, steps of
//! small parameters. It begins after all that was asked for before, and ends before anything needs it. The driver and the
//! compiler are looked for at run time: a program with this device runs on machines that have neither.

mod dense;
mod kernels;
mod operations;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use cudarc::driver::{
    CudaContext, CudaEvent, CudaSlice, CudaStream, CudaView, DeviceRepr, DriverError, LaunchConfig, PinnedHostSlice,
    ValidAsZeroBits,
};

use self::kernels::Kernels;
use crate::{AdamStep, ComputeError, Samples};

use self::table::{Direct, SumGradients, Sums, Table};

/// Parameters of at most so many numbers make their steps beside the stream.
const SMALL: usize = 1 << 20;

/// A GPU.
#[derive(Debug)]
pub struct Cuda {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    /// For work beside the stream.
    side: Arc<CudaStream>,
    /// Whether the stream has yet to wait for gradients, or for steps, on the side.
    owes_gradients: AtomicBool,
    owes_steps: AtomicBool,
    kernels: Kernels,
    /// Batches are copied from here, so that copying overlaps with the host's work.
    staging: Mutex<Staging>,
    /// Room for partial sums, grown on demand.
    partial: Mutex<Option<CudaSlice<f32>>>,
}

/// Two buffers take turns: one is filled while the other is copied.
#[derive(Debug, Default)]
struct Staging {
    buffers: [Option<PinnedHostSlice<u32>>; 2],
    /// When the last copy from each buffer is done; only then may it be filled again.
    copied: [Option<CudaEvent>; 2],
    next: usize,
}

/// A batch in one piece of device memory, part behind part.
#[derive(Debug)]
pub struct Batch {
    words: CudaSlice<u32>,
    /// Where ends and indices of each view begin, then bucket ends, then targets.
    parts: [usize; 6],
    lengths: [usize; 6],
    samples: usize,
    views: usize,
    buckets: usize,
}

impl Batch {
    fn part(&self, number: usize) -> CudaView<'_, u32> {
        let begin = self.parts[number];
        self.words.slice(begin..begin + self.lengths[number])
    }

    fn ends(&self, view: usize) -> CudaView<'_, u32> {
        self.part(2 * view)
    }

    fn indices(&self, view: usize) -> CudaView<'_, u32> {
        self.part(2 * view + 1)
    }

    fn bucket_ends(&self) -> CudaView<'_, u32> {
        self.part(4)
    }

    /// Targets, which are floats, or places of triplets; kernels take the words for what they are.
    fn targets(&self) -> CudaView<'_, u32> {
        self.part(5)
    }

    /// The largest number of blocks of so many samples, none of which mixes buckets.
    fn blocks(&self, size: usize) -> u32 {
        (self.samples / size + self.buckets.max(1)) as u32
    }
}

// SAFETY: a plain structure of floats, laid out as in C, as the kernel declares it.
unsafe impl DeviceRepr for AdamStep {}

fn driver(error: DriverError) -> ComputeError {
    use cudarc::driver::sys::CUresult;
    if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
        ComputeError::OutOfMemory
    } else {
        ComputeError::Driver(error.to_string())
    }
}

/// Blocks of so many threads for so many numbers.
fn over(count: usize, threads: u32) -> LaunchConfig {
    let blocks = (count as u64).div_ceil(u64::from(threads)).max(1) as u32;
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 }
}

/// One warp for each of so many things, eight warps a block.
fn warps(count: usize) -> LaunchConfig {
    over(count * 32, 256)
}

/// Asks for a kernel on the device's stream, or another one. Its parameters must be those that the kernel declares.
macro_rules! launch {
    ($device:expr, $kernel:ident, $config:expr, $($argument:expr),+ $(,)?) => {
        launch!(on $device.stream, $device, $kernel, $config, $($argument),+)
    };
    (on $stream:expr, $device:expr, $kernel:ident, $config:expr, $($argument:expr),+ $(,)?) => {{
        let mut builder = $stream.launch_builder(&$device.kernels.$kernel);
        $(cudarc::driver::PushKernelArg::arg(&mut builder, $argument);)+
        // SAFETY: the arguments are those the kernel declares, in its order; sizes were computed from the same shapes
        // as the buffers, and indices in a batch were checked when it was made.
        unsafe { builder.launch($config) }.map_err($crate::cuda::driver)?;
    }};
}
use launch;

impl Cuda {
    /// Opens a GPU and compiles the kernels for it.
    ///
    /// # Errors
    ///
    /// When there is no such GPU, no driver, or no compiler.
    pub fn open(ordinal: usize) -> Result<Self, ComputeError> {
        // SAFETY: both calls only try to open a library.
        let (has_driver, has_compiler) =
            unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
        if !has_driver {
            return Err(ComputeError::NoCuda("the driver's library libcuda is not installed".to_owned()));
        }
        if !has_compiler {
            return Err(ComputeError::NoCuda("the compiler's library libnvrtc of CUDA 13 is not installed".to_owned()));
        }
        let context = CudaContext::new(ordinal).map_err(|error| ComputeError::NoCuda(error.to_string()))?;
        // SAFETY: what the second stream works on is ordered by `fork` and `join`, so nothing has to be tracked.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(driver)?;
        let side = context.new_stream().map_err(driver)?;
        let kernels = Kernels::compile(&context)?;
        let (staging, partial) = (Mutex::default(), Mutex::default());
        let (owes_gradients, owes_steps) = (AtomicBool::default(), AtomicBool::default());
        Ok(Self { context, stream, side, owes_gradients, owes_steps, kernels, staging, partial })
    }

    /// What is asked for on the side from now on begins after all that was asked for on the stream.
    fn fork(&self) -> Result<(), ComputeError> {
        let so_far = self.stream.record_event(None).map_err(driver)?;
        self.side.wait(&so_far).map_err(driver)
    }

    /// The same for work that the stream will have to wait for.
    fn fork_for(&self, owed: &AtomicBool) -> Result<(), ComputeError> {
        owed.store(true, Ordering::Relaxed);
        self.fork()
    }

    /// What is asked for on the stream from now on begins after all that was asked for on the side.
    fn join(&self) -> Result<(), ComputeError> {
        let owes_gradients = self.owes_gradients.swap(false, Ordering::Relaxed);
        if self.owes_steps.swap(false, Ordering::Relaxed) || owes_gradients {
            let so_far = self.side.record_event(None).map_err(driver)?;
            self.stream.wait(&so_far).map_err(driver)?;
        }
        Ok(())
    }

    fn zeroed<T: DeviceRepr + ValidAsZeroBits>(&self, count: usize) -> Result<CudaSlice<T>, ComputeError> {
        self.stream.alloc_zeros(count.max(1)).map_err(driver)
    }

    fn uploaded<T: DeviceRepr>(&self, values: &[T]) -> Result<CudaSlice<T>, ComputeError> {
        self.stream.clone_htod(values).map_err(driver)
    }

    fn upload_batch(&self, samples: &Samples) -> Result<Batch, ComputeError> {
        let empty = crate::SparseView::default();
        let (own, other) = (&samples.views[0], samples.views.get(1).unwrap_or(&empty));
        let targets: Vec<u32> = match samples.triplets.is_empty() {
            true => samples.targets.iter().map(|target| target.to_bits()).collect(),
            false => samples.triplets.clone(),
        };
        let lists: [&[u32]; 6] = [&own.ends, &own.indices, &other.ends, &other.indices, &samples.bucket_ends, &targets];
        let total: usize = lists.iter().map(|list| list.len().max(1)).sum();
        let mut staging = self.staging.lock().map_err(|_| ComputeError::Driver("a thread died".to_owned()))?;
        let turn = staging.next;
        staging.next = 1 - turn;
        if let Some(copied) = staging.copied[turn].take() {
            copied.synchronize().map_err(driver)?;
        }
        let buffer = &mut staging.buffers[turn];
        if buffer.as_ref().is_none_or(|buffer| buffer.len() < total) {
            // SAFETY: every word that a kernel reads is written below before it is copied.
            *buffer = Some(unsafe { self.context.alloc_pinned(total + total / 8) }.map_err(driver)?);
        }
        let Some(buffer) = buffer else { return Err(ComputeError::OutOfMemory) };
        let words = buffer.as_mut_slice().map_err(driver)?;
        let (mut parts, mut lengths, mut at) = ([0; 6], [0; 6], 0);
        for (number, list) in lists.into_iter().enumerate() {
            parts[number] = at;
            lengths[number] = list.len().max(1);
            match list.is_empty() {
                true => words[at] = 0,
                false => words[at..at + list.len()].copy_from_slice(list),
            }
            at += lengths[number];
        }
        let words = self.stream.clone_htod(&*buffer).map_err(driver)?;
        staging.copied[turn] = Some(self.stream.record_event(None).map_err(driver)?);
        Ok(Batch {
            words,
            parts,
            lengths,
            samples: samples.len(),
            views: samples.views.len(),
            buckets: samples.bucket_ends.len(),
        })
    }
}
