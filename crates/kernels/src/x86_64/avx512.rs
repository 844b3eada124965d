//! Registers of 64 bytes: AVX-512 F, BW and VNNI.

use std::arch::x86_64::*;

use crate::vector::Vector;

/// Registers of 64 bytes: AVX-512 F, BW and VNNI.
pub(crate) struct Avx512;

impl Vector for Avx512 {
    type Words = __m512i;
    type Ints = __m512i;
    const WORDS: usize = 32;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm512_storeu_si512(to.cast(), words) }
    }

    #[inline(always)]
    unsafe fn splat_words(word: i16) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_set1_epi16(word) }
    }

    #[inline(always)]
    unsafe fn add_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_add_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_sub_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_min_epi16(_mm512_max_epi16(words, _mm512_setzero_si512()), limit) }
    }

    #[inline(always)]
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_mullo_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_srl_epi16(words, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_madd_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            // Packing works on every quarter by itself; the eighths are put in order afterwards.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let packed = _mm512_packus_epi16(low, high);
            _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi64(order, packed));
        }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm512_storeu_si512(to.cast(), ints) }
    }

    #[inline(always)]
    unsafe fn splat_ints(int: i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_set1_epi32(int) }
    }

    #[inline(always)]
    unsafe fn add_ints(left: Self::Ints, right: Self::Ints) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_add_epi32(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_ints(ints: Self::Ints, bits: u32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_sra_epi32(ints, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut u8, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and room for sixteen bytes.
        unsafe {
            // The narrowing instruction saturates at 127.
            let positive = _mm512_max_epi32(ints, _mm512_setzero_si512());
            _mm_storeu_si128(to.cast(), _mm512_cvtsepi32_epi8(positive));
        }
    }

    #[inline(always)]
    unsafe fn total(ints: Self::Ints) -> i64 {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(ints));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(ints, 1));
            _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
        }
    }

    #[inline(always)]
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm512_dpbusd_epi32(sums, inputs, _mm512_loadu_si512(weights.cast())) }
    }

    #[inline(always)]
    unsafe fn nonzero_groups(from: *const u8) -> u32 {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            let groups = _mm512_loadu_si512(from.cast());
            u32::from(_mm512_test_epi32_mask(groups, groups))
        }
    }
}
