//! Registers made of arrays: the meaning of every operation, and the fallback on every CPU.

use crate::vector::Vector;

/// Arrays instead of registers.
pub(crate) struct Scalar;

const WORDS: usize = 16;
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
        std::array::from_fn(|lane| left[lane].wrapping_add(right[lane]))
    }

    #[inline(always)]
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words {
        std::array::from_fn(|lane| left[lane].wrapping_sub(right[lane]))
    }

    #[inline(always)]
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words {
        std::array::from_fn(|lane| words[lane].max(0).min(limit[lane]))
    }

    #[inline(always)]
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words {
        std::array::from_fn(|lane| left[lane].wrapping_mul(right[lane]))
    }

    #[inline(always)]
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words {
        words.map(|word| (word as u16 >> bits) as i16)
    }

    #[inline(always)]
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints {
        let product = |lane: usize| i32::from(left[lane]) * i32::from(right[lane]);
        std::array::from_fn(|lane| product(2 * lane) + product(2 * lane + 1))
    }

    #[inline(always)]
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words) {
        let bytes: [u8; 2 * WORDS] =
            std::array::from_fn(|lane| if lane < WORDS { low[lane] } else { high[lane - WORDS] } as u8);
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
        std::array::from_fn(|lane| left[lane].wrapping_add(right[lane]))
    }

    #[inline(always)]
    unsafe fn total(ints: Self::Ints) -> i64 {
        ints.iter().map(|&int| i64::from(int)).sum()
    }

    #[inline(always)]
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints {
        // SAFETY: the caller promises four weights a lane.
        let weights = unsafe { weights.cast::<[[i8; 4]; INTS]>().read_unaligned() };
        std::array::from_fn(|lane| {
            let four = inputs[lane].to_le_bytes();
            let dot: i32 = (0..4).map(|place| i32::from(four[place]) * i32::from(weights[lane][place])).sum();
            sums[lane].wrapping_add(dot)
        })
    }

    #[inline(always)]
    unsafe fn nonzero_groups(from: *const u8) -> u32 {
        // SAFETY: the caller promises four bytes a lane.
        let groups = unsafe { from.cast::<[u32; INTS]>().read_unaligned() };
        groups.iter().enumerate().map(|(lane, &group)| u32::from(group != 0) << lane).sum()
    }
}
