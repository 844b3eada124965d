//! Which vector instructions are used.

use std::fmt;

/// A family of vector instructions, the slowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstructionSet {
    /// Plain code, whatever the compiler makes of it.
    Scalar,
    /// x86-64 with SSE4.1: 16 bytes at a time.
    Sse41,
    /// x86-64 with AVX2: 32 bytes at a time.
    Avx2,
    /// x86-64 with AVX-512 F, BW and VNNI: 64 bytes at a time, and dot products of bytes.
    Avx512,
    /// 64-bit ARM: 16 bytes at a time.
    Neon,
}

impl InstructionSet {
    /// All of them, those of other CPUs included.
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Sse41, Self::Avx2, Self::Avx512, Self::Neon];

    /// Whether this CPU has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[allow(unreachable_patterns, reason = "which patterns are left depends on the CPU family")]
            _ => false,
        }
    }

    /// The fastest one this CPU has.
    #[must_use]
    pub fn detect() -> Self {
        Self::ALL.into_iter().rev().find(|set| set.is_available()).unwrap_or(Self::Scalar)
    }

    /// The word used on command lines and in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse41 => "sse4.1",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}
