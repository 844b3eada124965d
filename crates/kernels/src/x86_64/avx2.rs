//! Registers of 32 bytes: AVX2.

use std::arch::x86_64::*;

use crate::vector::Vector;

/// Registers of 32 bytes: AVX2.
pub(crate) struct Avx2;

impl Vector for Avx2 {
    type Words = __m256i;
    type Ints = __m256i;
    const WORDS: usize = 16;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm256_storeu_si256(to.cast(), words) }
    }

    #[inline(always)]
    unsafe fn splat_words(word: i16) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_set1_epi16(word) }
    }

    #[inline(always)]
    unsafe fn add_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_add_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_sub_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_min_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), limit) }
    }

    #[inline(always)]
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_mullo_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_srl_epi16(words, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_madd_epi16(left, right) }
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            // Packing works on either half by itself; the quarters are put in order afterwards.
            let packed = _mm256_packus_epi16(low, high);
            _mm256_storeu_si256(to.cast(), _mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
        }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { _mm256_storeu_si256(to.cast(), ints) }
    }

    #[inline(always)]
    unsafe fn splat_ints(int: i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_set1_epi32(int) }
    }

    #[inline(always)]
    unsafe fn add_ints(left: Self::Ints, right: Self::Ints) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_add_epi32(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_ints(ints: Self::Ints, bits: u32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm256_sra_epi32(ints, _mm_cvtsi32_si128(bits as i32)) }
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut u8, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and room for eight bytes.
        unsafe {
            // Packing saturates at 32767 and at 127; what is negative becomes zero in between.
            let words = _mm_packs_epi32(_mm256_castsi256_si128(ints), _mm256_extracti128_si256(ints, 1));
            let words = _mm_max_epi16(words, _mm_setzero_si128());
            _mm_storel_epi64(to.cast(), _mm_packs_epi16(words, words));
        }
    }

    #[inline(always)]
    unsafe fn total(ints: Self::Ints) -> i64 {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(ints));
            let sums = _mm256_add_epi64(low, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(ints, 1)));
            let pair = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
            _mm_cvtsi128_si64(_mm_add_epi64(pair, _mm_unpackhi_epi64(pair, pair)))
        }
    }

    #[inline(always)]
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            // Inputs up to 127 keep the sums of two products within 16 bits.
            let pairs = _mm256_maddubs_epi16(inputs, _mm256_loadu_si256(weights.cast()));
            _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }

    #[inline(always)]
    unsafe fn nonzero_groups(from: *const u8) -> u32 {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            let zero = _mm256_cmpeq_epi32(_mm256_loadu_si256(from.cast()), _mm256_setzero_si256());
            !(_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u32) & 0xff
        }
    }
}
