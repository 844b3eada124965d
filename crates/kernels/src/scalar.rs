//! Registers made of arrays: the meaning of every operation, and the fallback on every CPU. Loops of eight lanes are what
//! compilers recognise and turn into whatever the CPU has.

use crate::vector::Vector;

/// Arrays instead of registers.
pub(crate) struct Scalar;

const WORDS: usize = 8;
const INTS: usize = WORDS / 2;

impl Vector for Scalar {
    type Words = [i16; WORDS];
    type Ints = [i32; INTS];
    const WORDS: usize = WORDS;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller promises a whole register behind the pointer.
        unsafe { from.cast::<Self::Words>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: the caller promises room for a whole register.
        unsafe { to.cast::<Self::Words>().write_unaligned(words) }
    }

    #[inline(always)]
    unsafe fn splat_words(word: i16) -> Self::Words {
        [word; WORDS]
    }

    #[inline(always)]
    unsafe fn add_words(left: Self::Words, right: Self::Words) -> Self::Words {
        let mut result = left;
        for lane in 0..WORDS {
            result[lane] = left[lane].wrapping_add(right[lane]);
        }
        result
    }

    #[inline(always)]
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words {
        let mut result = left;
        for lane in 0..WORDS {
            result[lane] = left[lane].wrapping_sub(right[lane]);
        }
        result
    }

    #[inline(always)]
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words {
        let mut result = words;
        for lane in 0..WORDS {
            result[lane] = words[lane].max(0).min(limit[lane]);
        }
        result
    }

    #[inline(always)]
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words {
        let mut result = left;
        for lane in 0..WORDS {
            result[lane] = left[lane].wrapping_mul(right[lane]);
        }
        result
    }

    #[inline(always)]
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words {
        let mut result = words;
        for lane in 0..WORDS {
            result[lane] = (words[lane] as u16 >> bits) as i16;
        }
        result
    }

    #[inline(always)]
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints {
        let mut result = [0; INTS];
        for lane in 0..INTS {
            result[lane] = i32::from(left[2 * lane]) * i32::from(right[2 * lane])
                + i32::from(left[2 * lane + 1]) * i32::from(right[2 * lane + 1]);
        }
        result
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words) {
        let mut bytes = [0_u8; 2 * WORDS];
        for lane in 0..WORDS {
            bytes[lane] = low[lane] as u8;
            bytes[WORDS + lane] = high[lane] as u8;
        }
        // SAFETY: the caller promises room for a whole register.
        unsafe { to.cast::<[u8; 2 * WORDS]>().write_unaligned(bytes) }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: the caller promises a whole register behind the pointer.
        unsafe { from.cast::<Self::Ints>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: the caller promises room for a whole register.
        unsafe { to.cast::<Self::Ints>().write_unaligned(ints) }
    }

    #[inline(always)]
    unsafe fn splat_ints(int: i32) -> Self::Ints {
        [int; INTS]
    }

    #[inline(always)]
    unsafe fn add_ints(left: Self::Ints, right: Self::Ints) -> Self::Ints {
        let mut result = left;
        for lane in 0..INTS {
            result[lane] = left[lane].wrapping_add(right[lane]);
        }
        result
    }

    #[inline(always)]
    unsafe fn shift_ints(ints: Self::Ints, bits: u32) -> Self::Ints {
        let mut result = ints;
        for lane in 0..INTS {
            result[lane] = ints[lane] >> bits;
        }
        result
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut u8, ints: Self::Ints) {
        let mut bytes = [0_u8; INTS];
        for lane in 0..INTS {
            bytes[lane] = ints[lane].clamp(0, 127) as u8;
        }
        // SAFETY: the caller promises room for a byte a lane.
        unsafe { to.cast::<[u8; INTS]>().write_unaligned(bytes) }
    }

    #[inline(always)]
    unsafe fn total(ints: Self::Ints) -> i64 {
        ints.iter().map(|&int| i64::from(int)).sum()
    }

    #[inline(always)]
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints {
        // SAFETY: the caller promises four weights a lane.
        let weights = unsafe { weights.cast::<[[i8; 4]; INTS]>().read_unaligned() };
        let mut result = sums;
        for lane in 0..INTS {
            let four = inputs[lane].to_le_bytes();
            for place in 0..4 {
                result[lane] = result[lane].wrapping_add(i32::from(four[place]) * i32::from(weights[lane][place]));
            }
        }
        result
    }

    #[inline(always)]
    unsafe fn nonzero_groups(from: *const u8) -> u32 {
        // SAFETY: the caller promises four bytes a lane.
        let groups = unsafe { from.cast::<[u32; INTS]>().read_unaligned() };
        let mut mask = 0;
        for (lane, &group) in groups.iter().enumerate() {
            mask |= u32::from(group != 0) << lane;
        }
        mask
    }
}
