//! Registers of 16 bytes: NEON.

use std::arch::aarch64::*;

use crate::vector::Vector;

/// Registers of 16 bytes: NEON.
pub(crate) struct Neon;

impl Vector for Neon {
    type Words = int16x8_t;
    type Ints = int32x4_t;
    const WORDS: usize = 8;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { vld1q_s16(from) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { vst1q_s16(to, words) }
    }

    #[inline(always)]
    unsafe fn splat_words(word: i16) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { vdupq_n_s16(word) }
    }

    #[inline(always)]
    unsafe fn add_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { vaddq_s16(left, right) }
    }

    #[inline(always)]
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { vsubq_s16(left, right) }
    }

    #[inline(always)]
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { vminq_s16(vmaxq_s16(words, vdupq_n_s16(0)), limit) }
    }

    #[inline(always)]
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words {
        // SAFETY: the caller promises the instructions.
        unsafe { vmulq_s16(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words {
        // SAFETY: the caller promises the instructions. A negative shift to the left goes to the right.
        unsafe { vreinterpretq_s16_u16(vshlq_u16(vreinterpretq_u16_s16(words), vdupq_n_s16(-(bits as i16)))) }
    }

    #[inline(always)]
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let low = vmull_s16(vget_low_s16(left), vget_low_s16(right));
            let high = vmull_s16(vget_high_s16(left), vget_high_s16(right));
            vpaddq_s32(low, high)
        }
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { vst1q_u8(to, vcombine_u8(vqmovun_s16(low), vqmovun_s16(high))) }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { vld1q_s32(from) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe { vst1q_s32(to, ints) }
    }

    #[inline(always)]
    unsafe fn splat_ints(int: i32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { vdupq_n_s32(int) }
    }

    #[inline(always)]
    unsafe fn add_ints(left: Self::Ints, right: Self::Ints) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { vaddq_s32(left, right) }
    }

    #[inline(always)]
    unsafe fn shift_ints(ints: Self::Ints, bits: u32) -> Self::Ints {
        // SAFETY: the caller promises the instructions.
        unsafe { vshlq_s32(ints, vdupq_n_s32(-(bits as i32))) }
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut u8, ints: Self::Ints) {
        // SAFETY: the caller promises the instructions and room for four bytes.
        unsafe {
            // Narrowing saturates at 32767 and at 127; what is negative becomes zero in between.
            let words = vmax_s16(vqmovn_s32(ints), vdup_n_s16(0));
            let bytes = vreinterpret_s32_s8(vqmovn_s16(vcombine_s16(words, words)));
            to.cast::<i32>().write_unaligned(vget_lane_s32(bytes, 0));
        }
    }

    #[inline(always)]
    unsafe fn total(ints: Self::Ints) -> i64 {
        // SAFETY: the caller promises the instructions.
        unsafe { vaddlvq_s32(ints) }
    }

    #[inline(always)]
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints {
        // SAFETY: the caller promises the instructions and a valid pointer. Inputs up to 127 are signed bytes as well,
        // and sums of two products stay within 16 bits.
        unsafe {
            let (inputs, weights) = (vreinterpretq_s8_s32(inputs), vld1q_s8(weights));
            let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
            let high = vmull_s8(vget_high_s8(inputs), vget_high_s8(weights));
            vpadalq_s16(sums, vpaddq_s16(low, high))
        }
    }

    #[inline(always)]
    unsafe fn nonzero_groups(from: *const u8) -> u32 {
        // SAFETY: the caller promises the instructions and a valid pointer.
        unsafe {
            let groups = vreinterpretq_u32_u8(vld1q_u8(from));
            let bits = vandq_u32(vtstq_u32(groups, groups), vld1q_u32([1, 2, 4, 8].as_ptr()));
            vaddvq_u32(bits)
        }
    }
}
