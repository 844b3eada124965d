//! Registers of x86-64 CPUs.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod sse41;
