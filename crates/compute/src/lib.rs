//! The arithmetic of training: what a network with sparse inputs computes, and the gradients of it.
//!
//! Knows no chess. A trainer puts a network together from the operations of [`Device`]; they exist twice, on the CPU
//! ([`Cpu`]) and on CUDA (`Cuda`, behind the feature `cuda`), and one suite of tests holds both to finite differences.
//!
//! ```text
//! Samples ──▶ table_forward ──▶ dense_forward ──▶ activate ──▶ … ──▶ values ──▶ value_loss
//!                                                                                   │
//! adam ◀── table_backward ◀── sum_gradients ◀── activate_backward ◀── … ◀───────────┘
//! ```
//!
//! **Invariants:** the same numbers in give the same bits out: on the CPU for any number of threads and any instruction
//! set, on CUDA for any order in which threads happen to run. Samples that name a row that does not exist are refused
//! before any operation sees them.

#![allow(unsafe_code, reason = "GPU calls, and loops compiled for instructions that the CPU was seen to have")]

mod cpu;
mod crew;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod error;
mod samples;
mod shapes;

pub use cpu::Cpu;
pub use crew::Crew;
#[cfg(feature = "cuda")]
pub use cuda::Cuda;
pub use device::{Device, Input};
pub use error::ComputeError;
pub use samples::{CheckedSamples, Samples, SparseView};
pub use shapes::{AdamStep, DenseShape, LayerActivation, SumActivation, TableShape, UnitActivation};
