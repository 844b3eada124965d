//! Registers of 64-bit ARM CPUs.

pub(crate) mod neon;
