//! What can go wrong on a device.

/// Why a device or an operation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComputeError {
    /// There is no such device.
    #[error("no CUDA device: {0}; use --device cpu, or look at what `nvidia-smi` says")]
    NoCuda(String),
    /// The device has too little memory.
    #[error("the device has too little memory left; choose a smaller batch or a smaller network")]
    OutOfMemory,
    /// The kernels could not be compiled.
    #[error("the kernels could not be compiled for this device: {0}")]
    Kernels(String),
    /// The driver reports an error.
    #[error("the CUDA driver reports: {0}")]
    Driver(String),
    /// The samples do not fit the network.
    #[error("the samples do not fit: {0}")]
    Samples(String),
}
