//! Bit tricks and vector arithmetic, chosen at run time for the CPU at hand.
//!
//! This crate knows no chess and sits at the bottom of the workspace: it is the one place where intrinsics
//! and `unsafe` live. What it offers is safe to call. A CPU feature is represented by a *token* — a value that
//! can only be obtained when the feature was found — so that holding the token is the proof that an
//! instruction exists.
//!
//! **Invariant:** no entry of this crate changes a result; it only changes how fast the result comes.
#![allow(unsafe_code, reason = "the only home of intrinsics; every block states why it is sound")]

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod aligned;
#[cfg(target_arch = "x86_64")]
mod bmi2;
mod generic;
mod huge_pages;
mod instruction_set;
mod network_kernels;
mod prefetch;
mod scalar;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use aligned::{AlignedSlice, PlainInteger};
#[cfg(target_arch = "x86_64")]
pub use bmi2::Bmi2;
pub use huge_pages::prefer_huge_pages;
pub use instruction_set::InstructionSet;
pub use network_kernels::{NetworkKernels, OUTPUT_PADDING, PADDING};
pub use prefetch::prefetch;
