//! Memory that starts at a multiple of 64 bytes: one cache line, one AVX-512 register.

use std::ops::{Deref, DerefMut};

use crate::prefer_huge_pages;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

const LINE: usize = 64;

/// Integers of which every bit pattern is a value and zero is all zeros.
///
/// # Safety
/// Implementors must be plain integers whose size divides 64.
pub unsafe trait PlainInteger: Copy + Default {}

// SAFETY: primitive integers of 1, 2 and 4 bytes.
unsafe impl PlainInteger for u8 {}
// SAFETY: as above.
unsafe impl PlainInteger for i8 {}
// SAFETY: as above.
unsafe impl PlainInteger for i16 {}
// SAFETY: as above.
unsafe impl PlainInteger for i32 {}

/// A slice of integers that starts at a cache line.
#[derive(Clone, Debug)]
pub struct AlignedSlice<T> {
    lines: Vec<Line>,
    length: usize,
    kind: std::marker::PhantomData<T>,
}

impl<T: PlainInteger> AlignedSlice<T> {
    /// Zeros.
    #[must_use]
    pub fn zeros(length: usize) -> Self {
        let count = length.saturating_mul(size_of::<T>()).div_ceil(LINE);
        let mut lines = Vec::with_capacity(count);
        prefer_huge_pages(&lines);
        lines.resize(count, Line([0; LINE]));
        Self { lines, length, kind: std::marker::PhantomData }
    }
}

impl<T: PlainInteger> From<&[T]> for AlignedSlice<T> {
    fn from(values: &[T]) -> Self {
        let mut slice = Self::zeros(values.len());
        slice.copy_from_slice(values);
        slice
    }
}

impl<T: PlainInteger> Deref for AlignedSlice<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `length` integers, are aligned more strictly than any of them, and every
        // bit pattern is valid.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl<T: PlainInteger> DerefMut for AlignedSlice<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_start_at_a_line_and_keep_their_values() {
        let mut slice = AlignedSlice::<i16>::zeros(33);
        assert_eq!(slice.len(), 33);
        assert_eq!(slice.as_ptr() as usize % LINE, 0);
        slice[32] = -7;
        assert_eq!(slice.iter().map(|&value| i64::from(value)).sum::<i64>(), -7);
        assert_eq!(*AlignedSlice::from(&[1_i32, 2, 3][..]), [1, 2, 3]);
    }
}
