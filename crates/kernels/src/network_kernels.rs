//! The coarse operations of networks, as safe functions behind one choice of instruction set.

use crate::generic;
use crate::instruction_set::InstructionSet;
use crate::scalar::Scalar;

/// Rows and vectors of 16-bit integers, and vectors of bytes, have lengths that are multiples of this.
pub const PADDING: usize = 64;

/// The outputs of [`NetworkKernels::affine`] are multiples of this.
pub const OUTPUT_PADDING: usize = 16;

/// Makes one set of functions compiled for some features.
macro_rules! entries {
    ($name:ident, $vector:ty, $safety:literal $(, #[$feature:meta])?) => {
        mod $name {
            use super::*;

            $(#[$feature])?
            unsafe fn update(
                matrix: *const i16,
                width: usize,
                source: *const i16,
                target: *mut i16,
                added: &[u32],
                removed: &[u32],
            ) {
                // SAFETY: handed on to the caller; the features are enabled here.
                unsafe { generic::update::<$vector>(matrix, width, source, target, added, removed) }
            }

            $(#[$feature])?
            unsafe fn clip(sums: *const i16, length: usize, bytes: *mut u8, limit: i16, shift: u32) {
                // SAFETY: as above.
                unsafe { generic::clip::<$vector>(sums, length, bytes, limit, shift) }
            }

            $(#[$feature])?
            unsafe fn multiply(left: *const i16, right: *const i16, length: usize, bytes: *mut u8, limit: i16, shift: u32) {
                // SAFETY: as above.
                unsafe { generic::multiply::<$vector>(left, right, length, bytes, limit, shift) }
            }

            $(#[$feature])?
            unsafe fn dot(sums: *const i16, weights: *const i16, length: usize, limit: i16) -> i64 {
                // SAFETY: as above.
                unsafe { generic::dot::<$vector, false>(sums, weights, length, limit) }
            }

            $(#[$feature])?
            unsafe fn dot_squared(sums: *const i16, weights: *const i16, length: usize, limit: i16) -> i64 {
                // SAFETY: as above.
                unsafe { generic::dot::<$vector, true>(sums, weights, length, limit) }
            }

            $(#[$feature])?
            unsafe fn affine(
                bytes: *const u8,
                inputs: usize,
                weights: *const i8,
                biases: *const i32,
                sums: *mut i32,
                outputs: usize,
            ) {
                // SAFETY: as above.
                unsafe { generic::affine::<$vector>(bytes, inputs, weights, biases, sums, outputs) }
            }

            $(#[$feature])?
            unsafe fn narrow(sums: *const i32, length: usize, bytes: *mut u8, shift: u32) {
                // SAFETY: as above.
                unsafe { generic::narrow::<$vector>(sums, length, bytes, shift) }
            }

            $(#[$feature])?
            unsafe fn dot_bytes(bytes: *const u8, weights: *const i8, length: usize) -> i64 {
                // SAFETY: as above.
                unsafe { generic::dot_bytes::<$vector>(bytes, weights, length) }
            }

            #[doc = $safety]
            pub(super) const ENTRIES: Entries =
                Entries { update, clip, multiply, dot, dot_squared, affine, narrow, dot_bytes };
        }
    };
}

entries!(plain, Scalar, "Every CPU can run these.");
#[cfg(target_arch = "x86_64")]
entries!(sse41, crate::x86_64::sse41::Sse41, "Needs SSE4.1.", #[target_feature(enable = "sse4.1,ssse3")]);
#[cfg(target_arch = "x86_64")]
entries!(avx2, crate::x86_64::avx2::Avx2, "Needs AVX2.", #[target_feature(enable = "avx2")]);
#[cfg(target_arch = "x86_64")]
entries!(
    avx512,
    crate::x86_64::avx512::Avx512,
    "Needs AVX-512 F, BW and VNNI.",
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
);
#[cfg(target_arch = "aarch64")]
entries!(neon, crate::aarch64::neon::Neon, "Needs NEON.", #[target_feature(enable = "neon")]);

type Update = unsafe fn(*const i16, usize, *const i16, *mut i16, &[u32], &[u32]);
type Clip = unsafe fn(*const i16, usize, *mut u8, i16, u32);
type Multiply = unsafe fn(*const i16, *const i16, usize, *mut u8, i16, u32);
type Dot = unsafe fn(*const i16, *const i16, usize, i16) -> i64;
type Affine = unsafe fn(*const u8, usize, *const i8, *const i32, *mut i32, usize);
type Narrow = unsafe fn(*const i32, usize, *mut u8, u32);
type DotBytes = unsafe fn(*const u8, *const i8, usize) -> i64;

/// One set of functions.
#[derive(Clone, Copy, Debug)]
struct Entries {
    update: Update,
    clip: Clip,
    multiply: Multiply,
    dot: Dot,
    dot_squared: Dot,
    affine: Affine,
    narrow: Narrow,
    dot_bytes: DotBytes,
}

/// The operations of networks for one instruction set that this CPU has.
///
/// All sets give the same results bit for bit. Lengths are checked: operations that do not fit their slices do nothing, and
/// assert so in debug builds.
#[derive(Clone, Copy, Debug)]
pub struct NetworkKernels {
    set: InstructionSet,
    entries: Entries,
}

impl Default for NetworkKernels {
    /// The fastest set this CPU has.
    fn default() -> Self {
        Self::new(InstructionSet::detect()).unwrap_or(Self { set: InstructionSet::Scalar, entries: plain::ENTRIES })
    }
}

impl NetworkKernels {
    /// The operations for a set, if this CPU has it.
    #[must_use]
    pub fn new(set: InstructionSet) -> Option<Self> {
        if !set.is_available() {
            return None;
        }
        let entries = match set {
            InstructionSet::Scalar => plain::ENTRIES,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse41 => sse41::ENTRIES,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2::ENTRIES,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512::ENTRIES,
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => neon::ENTRIES,
            #[allow(unreachable_patterns, reason = "which patterns are left depends on the CPU family")]
            _ => return None,
        };
        Some(Self { set, entries })
    }

    /// The instruction set in use.
    #[must_use]
    pub fn instruction_set(&self) -> InstructionSet {
        self.set
    }

    /// `target = source` plus the added rows less the removed rows of `matrix`, wrapping; all as long as `target`.
    #[inline]
    pub fn update(&self, matrix: &[i16], source: &[i16], target: &mut [i16], added: &[u32], removed: &[u32]) {
        let width = target.len();
        let rows = rows_needed(added, removed);
        let fits = width.is_multiple_of(PADDING) && source.len() == width && rows * width <= matrix.len();
        debug_assert!(fits, "rows of {width} outside of {} or not padded", matrix.len());
        if fits {
            // SAFETY: the set is available; all lengths were checked.
            unsafe {
                (self.entries.update)(matrix.as_ptr(), width, source.as_ptr(), target.as_mut_ptr(), added, removed)
            }
        }
    }

    /// Adds and removes rows of `matrix` in place.
    #[inline]
    pub fn update_in_place(&self, matrix: &[i16], target: &mut [i16], added: &[u32], removed: &[u32]) {
        let width = target.len();
        let rows = rows_needed(added, removed);
        let fits = width.is_multiple_of(PADDING) && rows * width <= matrix.len();
        debug_assert!(fits, "rows of {width} outside of {} or not padded", matrix.len());
        if fits {
            let target = target.as_mut_ptr();
            // SAFETY: the set is available; all lengths were checked; a tile is read before it is written.
            unsafe { (self.entries.update)(matrix.as_ptr(), width, target, target, added, removed) }
        }
    }

    /// Sums limited to 0..=`limit` and shifted down, as bytes; what remains must fit a byte.
    #[inline]
    pub fn clip(&self, sums: &[i16], bytes: &mut [u8], limit: i16, shift: u32) {
        let fits = sums.len().is_multiple_of(PADDING) && bytes.len() == sums.len();
        debug_assert!(fits, "{} sums to {} bytes", sums.len(), bytes.len());
        if fits {
            // SAFETY: the set is available; all lengths were checked.
            unsafe { (self.entries.clip)(sums.as_ptr(), sums.len(), bytes.as_mut_ptr(), limit, shift) }
        }
    }

    /// Products of sums limited to 0..=`limit` (at most 255), shifted down, as bytes; what remains must fit a byte.
    #[inline]
    pub fn multiply(&self, left: &[i16], right: &[i16], bytes: &mut [u8], limit: i16, shift: u32) {
        let fits = left.len().is_multiple_of(PADDING)
            && right.len() == left.len()
            && bytes.len() == left.len()
            && (0..=255).contains(&limit);
        debug_assert!(fits, "{} times {} sums to {} bytes", left.len(), right.len(), bytes.len());
        if fits {
            // SAFETY: the set is available; all lengths were checked.
            unsafe {
                (self.entries.multiply)(left.as_ptr(), right.as_ptr(), left.len(), bytes.as_mut_ptr(), limit, shift)
            }
        }
    }

    /// The dot product of sums limited to 0..=`limit` (at most 255) with weights.
    #[inline]
    #[must_use]
    pub fn dot(&self, sums: &[i16], weights: &[i16], limit: i16) -> i64 {
        if !Self::dot_fits(sums, weights, limit) {
            return 0;
        }
        // SAFETY: the set is available; all lengths were checked.
        unsafe { (self.entries.dot)(sums.as_ptr(), weights.as_ptr(), sums.len(), limit) }
    }

    /// The dot product of the squares of sums limited to 0..=`limit` (at most 255) with weights; limit times any
    /// weight must fit 16 bits, which whoever packs the weights has to check.
    #[inline]
    #[must_use]
    pub fn dot_squared(&self, sums: &[i16], weights: &[i16], limit: i16) -> i64 {
        if !Self::dot_fits(sums, weights, limit) {
            return 0;
        }
        // SAFETY: the set is available; all lengths were checked.
        unsafe { (self.entries.dot_squared)(sums.as_ptr(), weights.as_ptr(), sums.len(), limit) }
    }

    #[inline]
    fn dot_fits(sums: &[i16], weights: &[i16], limit: i16) -> bool {
        let fits = sums.len().is_multiple_of(PADDING) && weights.len() == sums.len() && (0..=255).contains(&limit);
        debug_assert!(fits, "{} sums with {} weights up to {limit}", sums.len(), weights.len());
        fits
    }

    /// `sums` becomes the biases plus the product of bytes (0 to 127) with a matrix laid out `[group of 4 inputs][output][4]`.
    #[inline]
    pub fn affine(&self, bytes: &[u8], weights: &[i8], biases: &[i32], sums: &mut [i32]) {
        let fits = bytes.len().is_multiple_of(PADDING)
            && sums.len().is_multiple_of(OUTPUT_PADDING)
            && biases.len() == sums.len()
            && weights.len() == bytes.len() * sums.len();
        debug_assert!(fits, "{} bytes times {} weights to {} sums", bytes.len(), weights.len(), sums.len());
        if fits {
            // SAFETY: the set is available; all lengths were checked.
            unsafe {
                (self.entries.affine)(
                    bytes.as_ptr(),
                    bytes.len(),
                    weights.as_ptr(),
                    biases.as_ptr(),
                    sums.as_mut_ptr(),
                    sums.len(),
                )
            }
        }
    }

    /// Sums of a layer shifted down with sign and limited to 0..=127, as bytes; their number is a multiple of
    /// [`OUTPUT_PADDING`].
    #[inline]
    pub fn narrow(&self, sums: &[i32], bytes: &mut [u8], shift: u32) {
        let fits = sums.len().is_multiple_of(OUTPUT_PADDING) && bytes.len() == sums.len() && shift < i32::BITS;
        debug_assert!(fits, "{} sums to {} bytes", sums.len(), bytes.len());
        if fits {
            // SAFETY: the set is available; all lengths were checked.
            unsafe { (self.entries.narrow)(sums.as_ptr(), sums.len(), bytes.as_mut_ptr(), shift) }
        }
    }

    /// The dot product of bytes (0 to 127) with weights; its partial sums must fit 32 bits, which whoever packs the
    /// weights has to check.
    #[inline]
    #[must_use]
    pub fn dot_bytes(&self, bytes: &[u8], weights: &[i8]) -> i64 {
        let fits = bytes.len().is_multiple_of(PADDING) && weights.len() == bytes.len();
        debug_assert!(fits, "{} bytes with {} weights", bytes.len(), weights.len());
        if !fits {
            return 0;
        }
        // SAFETY: the set is available; all lengths were checked.
        unsafe { (self.entries.dot_bytes)(bytes.as_ptr(), weights.as_ptr(), bytes.len()) }
    }
}

/// How many rows a matrix must have for all of these to lie inside; a plain loop, because this is asked before every update.
#[inline(always)]
fn rows_needed(added: &[u32], removed: &[u32]) -> usize {
    let mut rows = 0;
    for &row in added {
        rows = rows.max(row as usize + 1);
    }
    for &row in removed {
        rows = rows.max(row as usize + 1);
    }
    rows
}

#[cfg(test)]
mod tests;
