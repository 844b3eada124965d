//! Choosing what computes.

use clap::ValueEnum;

/// What computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeviceChoice {
    /// This machine's processor.
    Cpu,
    /// The first NVIDIA GPU.
    Cuda,
}

/// Opens the device chosen and hands it to an expression, which is compiled for each kind.
macro_rules! with_device {
    ($choice:expr, $threads:expr, |$device:ident| $body:expr) => {
        match $choice {
            $crate::train::device::DeviceChoice::Cpu => {
                let $device = kiebitz_compute::Cpu::new($threads)?;
                $body
            }
            #[cfg(feature = "cuda")]
            $crate::train::device::DeviceChoice::Cuda => {
                let $device = kiebitz_compute::Cuda::open(0)?;
                $body
            }
            #[cfg(not(feature = "cuda"))]
            $crate::train::device::DeviceChoice::Cuda => {
                anyhow::bail!("this program was built without CUDA; build it with --features cuda, or use --device cpu")
            }
        }
    };
}
pub(crate) use with_device;
