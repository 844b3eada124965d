//! The algorithms, written once over [`Vector`].
//!
//! Every function is inlined into an entry that is compiled for one instruction set. Slices have been checked by the
//! safe entries: lengths are whole multiples of [`crate::PADDING`] integers, rows lie inside of their matrix.
//!
//! There are plain loops and no closures here: a closure is compiled without the features of the entry it ends up in,
//! and where it is not inlined every operation becomes a call (measured: five times slower).

use crate::vector::Vector;

/// Registers that are worked on together, so that every row is read once while sums stay in registers.
const TILE: usize = 8;

/// `target = source + rows of `added` − rows of `removed``, all of length `width`.
///
/// # Safety
/// The CPU has the instructions of `V`; the pointers are valid for `width` integers, a multiple of the register; all rows
/// lie inside of the matrix. `source` and `target` may be the same.
#[inline(always)]
pub(crate) unsafe fn update<V: Vector>(
    matrix: *const i16,
    width: usize,
    source: *const i16,
    target: *mut i16,
    added: &[u32],
    removed: &[u32],
) {
    // SAFETY: offsets stay below `width`, rows inside of the matrix.
    unsafe {
        let mut at = 0;
        while at + TILE * V::WORDS <= width {
            let mut sums = [V::splat_words(0); TILE];
            for (number, sum) in sums.iter_mut().enumerate() {
                *sum = V::load_words(source.add(at + number * V::WORDS));
            }
            for &row in added {
                let row = matrix.add(row as usize * width + at);
                for (number, sum) in sums.iter_mut().enumerate() {
                    *sum = V::add_words(*sum, V::load_words(row.add(number * V::WORDS)));
                }
            }
            for &row in removed {
                let row = matrix.add(row as usize * width + at);
                for (number, sum) in sums.iter_mut().enumerate() {
                    *sum = V::sub_words(*sum, V::load_words(row.add(number * V::WORDS)));
                }
            }
            for (number, sum) in sums.into_iter().enumerate() {
                V::store_words(target.add(at + number * V::WORDS), sum);
            }
            at += TILE * V::WORDS;
        }
        while at < width {
            let mut sum = V::load_words(source.add(at));
            for &row in added {
                sum = V::add_words(sum, V::load_words(matrix.add(row as usize * width + at)));
            }
            for &row in removed {
                sum = V::sub_words(sum, V::load_words(matrix.add(row as usize * width + at)));
            }
            V::store_words(target.add(at), sum);
            at += V::WORDS;
        }
    }
}

/// A register of clipped sums.
#[inline(always)]
unsafe fn clipped<V: Vector>(from: *const i16, limit: V::Words) -> V::Words {
    // SAFETY: handed on to the caller.
    unsafe { V::clip_words(V::load_words(from), limit) }
}

/// Clips sums and shifts them to bytes.
///
/// # Safety
/// As for [`update`]; `length` is a multiple of two registers.
#[inline(always)]
pub(crate) unsafe fn clip<V: Vector>(sums: *const i16, length: usize, bytes: *mut u8, limit: i16, shift: u32) {
    // SAFETY: offsets stay below `length`.
    unsafe {
        let limit = V::splat_words(limit);
        let mut at = 0;
        while at < length {
            let low = V::shift_words(clipped::<V>(sums.add(at), limit), shift);
            let high = V::shift_words(clipped::<V>(sums.add(at + V::WORDS), limit), shift);
            V::store_bytes(bytes.add(at), low, high);
            at += 2 * V::WORDS;
        }
    }
}

/// A register of products of clipped sums, shifted down.
#[inline(always)]
unsafe fn product<V: Vector>(left: *const i16, right: *const i16, limit: V::Words, shift: u32) -> V::Words {
    // SAFETY: handed on to the caller.
    unsafe { V::shift_words(V::multiply_words(clipped::<V>(left, limit), clipped::<V>(right, limit)), shift) }
}

/// Clips two rows of sums, multiplies them and shifts the products to bytes; products must fit 16 bits without sign.
///
/// # Safety
/// As for [`clip`].
#[inline(always)]
pub(crate) unsafe fn multiply<V: Vector>(
    left: *const i16,
    right: *const i16,
    length: usize,
    bytes: *mut u8,
    limit: i16,
    shift: u32,
) {
    // SAFETY: offsets stay below `length`.
    unsafe {
        let limit = V::splat_words(limit);
        let mut at = 0;
        while at < length {
            let low = product::<V>(left.add(at), right.add(at), limit, shift);
            let high = product::<V>(left.add(at + V::WORDS), right.add(at + V::WORDS), limit, shift);
            V::store_bytes(bytes.add(at), low, high);
            at += 2 * V::WORDS;
        }
    }
}

/// After so many steps lanes of 32 bits are emptied into a sum of 64. A step adds two products, each at most 255 (the clipped sum) times
/// 32768 (any weight; with squares, what the caller keeps within 16 bits).
const STEPS_UNTIL_FLUSH: usize = 128;

// Even one chain that took all steps could not leave its lane, whatever the weights.
const _: () = assert!(STEPS_UNTIL_FLUSH as i64 * 2 * 255 * 32_768 <= i32::MAX as i64);

/// One register's part of a dot product.
#[inline(always)]
unsafe fn weighted<V: Vector, const SQUARED: bool>(sums: *const i16, weights: *const i16, limit: V::Words) -> V::Ints {
    // SAFETY: handed on to the caller.
    unsafe {
        let clipped = clipped::<V>(sums, limit);
        let weights = V::load_words(weights);
        let weights = if SQUARED { V::multiply_words(clipped, weights) } else { weights };
        V::multiply_add_words(clipped, weights)
    }
}

/// The dot product of clipped sums, squared if asked, with 16-bit weights.
///
/// # Safety
/// As for [`update`]. With `SQUARED`, limit times any weight must fit 16 bits; without, the limit must be at most 255.
#[inline(always)]
pub(crate) unsafe fn dot<V: Vector, const SQUARED: bool>(
    sums: *const i16,
    weights: *const i16,
    length: usize,
    limit: i16,
) -> i64 {
    // SAFETY: offsets stay below `length`.
    unsafe {
        let limit = V::splat_words(limit);
        let mut total = 0;
        let mut at = 0;
        while at < length {
            let end = length.min(at + STEPS_UNTIL_FLUSH * V::WORDS);
            // Two chains, so that one addition need not wait for the other.
            let (mut first, mut second) = (V::splat_ints(0), V::splat_ints(0));
            while at + 2 * V::WORDS <= end {
                first = V::add_ints(first, weighted::<V, SQUARED>(sums.add(at), weights.add(at), limit));
                let next = at + V::WORDS;
                second = V::add_ints(second, weighted::<V, SQUARED>(sums.add(next), weights.add(next), limit));
                at += 2 * V::WORDS;
            }
            while at < end {
                first = V::add_ints(first, weighted::<V, SQUARED>(sums.add(at), weights.add(at), limit));
                at += V::WORDS;
            }
            total += V::total(first) + V::total(second);
        }
        total
    }
}

/// `sums` = biases + the products of bytes with a matrix whose groups of four inputs are laid out
/// `[group][output][4]`; groups of zeros are skipped.
///
/// # Safety
/// As for [`update`]; `inputs` is a multiple of 64, `outputs` one of 16.
#[inline(always)]
pub(crate) unsafe fn affine<V: Vector>(
    bytes: *const u8,
    inputs: usize,
    weights: *const i8,
    biases: *const i32,
    sums: *mut i32,
    outputs: usize,
) {
    // SAFETY: groups stay below `inputs / 4`, outputs below `outputs`.
    unsafe {
        let mut output = 0;
        while output < outputs {
            let left = (outputs - output) / V::INTS;
            let (weights, biases, sums) = (weights.add(4 * output), biases.add(output), sums.add(output));
            output += V::INTS
                * if left >= 4 {
                    block::<V, 4, 2>(bytes, inputs, weights, outputs, biases, sums)
                } else if left >= 2 {
                    block::<V, 2, 2>(bytes, inputs, weights, outputs, biases, sums)
                } else {
                    block::<V, 1, 4>(bytes, inputs, weights, outputs, biases, sums)
                };
        }
    }
}

/// Adds the products of one group of four inputs.
#[inline(always)]
unsafe fn add_group<V: Vector, const REGISTERS: usize>(
    sums: &mut [V::Ints; REGISTERS],
    bytes: *const u8,
    group: usize,
    weights: *const i8,
    outputs: usize,
) {
    // SAFETY: handed on to the caller.
    unsafe {
        let four = V::splat_ints(bytes.add(4 * group).cast::<i32>().read_unaligned());
        let column = weights.add(4 * group * outputs);
        for (number, sum) in sums.iter_mut().enumerate() {
            *sum = V::add_dot(*sum, four, column.add(4 * number * V::INTS));
        }
    }
}

/// Groups that are looked through before their products are formed.
const GROUPS_AT_ONCE: usize = 256;

/// For every byte, the places of its ones.
static ONES: [[u16; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// Writes the numbers of all groups that are not zero and gives how many there are. Without a branch: which groups are
/// zero is as good as random.
#[inline(always)]
unsafe fn find_groups<V: Vector>(bytes: *const u8, groups: usize, found: &mut [u16; GROUPS_AT_ONCE + 8]) -> usize {
    // SAFETY: there are a multiple of 16 and at most `GROUPS_AT_ONCE` groups, so eight numbers fit behind any count.
    unsafe {
        let mut count = 0;
        let mut at = 0;
        while at < groups {
            let mut mask = 0;
            let mut lane = 0;
            while lane < 16 {
                mask |= V::nonzero_groups(bytes.add(4 * (at + lane))) << lane;
                lane += V::INTS;
            }
            for half in 0..2 {
                let byte = (mask >> (8 * half) & 0xff) as usize;
                let mut places = ONES[byte];
                for place in &mut places {
                    *place += (at + 8 * half) as u16;
                }
                found.as_mut_ptr().add(count).cast::<[u16; 8]>().write_unaligned(places);
                count += byte.count_ones() as usize;
            }
            at += 16;
        }
        count
    }
}

/// `REGISTERS` registers of outputs over all groups that are not zero; gives `REGISTERS`. There are `CHAINS` sums of
/// each (2 or 4), so that one addition need not wait for the other; they have names, because arrays of them end up in memory.
#[inline(always)]
unsafe fn block<V: Vector, const REGISTERS: usize, const CHAINS: usize>(
    bytes: *const u8,
    inputs: usize,
    weights: *const i8,
    outputs: usize,
    biases: *const i32,
    sums: *mut i32,
) -> usize {
    // SAFETY: groups and registers lie inside of the matrix.
    unsafe {
        let zeros = [V::splat_ints(0); REGISTERS];
        let (mut first, mut second, mut third, mut fourth) = (zeros, zeros, zeros, zeros);
        for (number, sum) in first.iter_mut().enumerate() {
            *sum = V::load_ints(biases.add(number * V::INTS));
        }
        let mut found = [0; GROUPS_AT_ONCE + 8];
        let mut start = 0;
        while start < inputs / 4 {
            let end = (inputs / 4).min(start + GROUPS_AT_ONCE);
            let (chunk, weights) = (bytes.add(4 * start), weights.add(4 * start * outputs));
            let count = find_groups::<V>(chunk, end - start, &mut found);
            let mut at = 0;
            while at + CHAINS <= count {
                add_group::<V, REGISTERS>(&mut first, chunk, found[at].into(), weights, outputs);
                add_group::<V, REGISTERS>(&mut second, chunk, found[at + 1].into(), weights, outputs);
                if CHAINS == 4 {
                    add_group::<V, REGISTERS>(&mut third, chunk, found[at + 2].into(), weights, outputs);
                    add_group::<V, REGISTERS>(&mut fourth, chunk, found[at + 3].into(), weights, outputs);
                }
                at += CHAINS;
            }
            while at < count {
                add_group::<V, REGISTERS>(&mut first, chunk, found[at].into(), weights, outputs);
                at += 1;
            }
            start = end;
        }
        for number in 0..REGISTERS {
            let near = V::add_ints(first[number], second[number]);
            let far = V::add_ints(third[number], fourth[number]);
            V::store_ints(sums.add(number * V::INTS), V::add_ints(near, far));
        }
        REGISTERS
    }
}

/// Shifts sums of a layer down and limits them to 0..=127, as bytes.
///
/// # Safety
/// As for [`update`]; `length` is a multiple of 16.
#[inline(always)]
pub(crate) unsafe fn narrow<V: Vector>(sums: *const i32, length: usize, bytes: *mut u8, shift: u32) {
    // SAFETY: offsets stay below `length`.
    unsafe {
        let mut at = 0;
        while at < length {
            V::store_narrow(bytes.add(at), V::shift_ints(V::load_ints(sums.add(at)), shift));
            at += V::INTS;
        }
    }
}

/// The dot product of bytes with bytes.
///
/// # Safety
/// As for [`update`]; `length` is a multiple of 64.
#[inline(always)]
pub(crate) unsafe fn dot_bytes<V: Vector>(bytes: *const u8, weights: *const i8, length: usize) -> i64 {
    // SAFETY: offsets stay below `length`.
    unsafe {
        let mut sums = V::splat_ints(0);
        let mut at = 0;
        while at < length {
            sums = V::add_dot(sums, V::load_ints(bytes.add(at).cast()), weights.add(at));
            at += 4 * V::INTS;
        }
        V::total(sums)
    }
}
