//! Registers of 16 bytes: SSE up to 4.1.

use std::arch::x86_64::*;

use crate::vector::Vector;

/// Registers of 16 bytes: SSE up to 4.1.
pub(crate) struct Sse41;

impl Vector for Sse41 {
    type Words = __m128i;
    type Ints = __m128i;
    const WORDS: usize = 8;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm_storeu_si128(to.cast(), words) }
    }

    #[inline(always)]
    unsafe fn splat_words(word: i16) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_set1_epi16(word) }
    }

    #[inline(always)]
    unsafe fn add_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_add_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_sub_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_min_epi16(_mm_max_epi16(words, _mm_setzero_si128()), limit) }
    }

    #[inline(always)]
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_mullo_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_srl_epi16(words, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_madd_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm_storeu_si128(to.cast(), _mm_packus_epi16(low, high)) }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm_storeu_si128(to.cast(), ints) }
    }

    #[inline(always)]
    unsafe fn splat_ints(int: i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_set1_epi32(int) }
    }

    #[inline(always)]
    unsafe fn add_ints(left: Self::Ints, right: Self::Ints) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_add_epi32(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_ints(ints: Self::Ints, bits: u32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm_sra_epi32(ints, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut u8, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and room for four bytes.
        unsafe {
            // Packing saturates at 32767 and at 127; what is negative becomes zero in between.
            let words = _mm_max_epi16(_mm_packs_epi32(ints, ints), _mm_setzero_si128());
            to.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(_mm_packs_epi16(words, words)));
        }
    }

    #[inline(always)]
    unsafe fn total(ints: Self::Ints) -> i64 {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let mut lanes = [0_i32; 4];
            _mm_storeu_si128(lanes.as_mut_ptr().cast(), ints);
            lanes.iter().map(|&lane| i64::from(lane)).sum()
        }
    }

    #[inline(always)]
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            // Inputs up to 127 keep the sums of two products within 16 bits.
            let pairs = _mm_maddubs_epi16(inputs, _mm_loadu_si128(weights.cast()));
            _mm_add_epi32(sums, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
        }
    }

    #[inline(always)]
    unsafe fn nonzero_groups(from: *const u8) -> u32 {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            let zero = _mm_cmpeq_epi32(_mm_loadu_si128(from.cast()), _mm_setzero_si128());
            !(_mm_movemask_ps(_mm_castsi128_ps(zero)) as u32) & 0xf
        }
    }
}
