//! What the algorithms need of a vector register.

/// Registers of 16-bit and 32-bit integers with the operations that networks need.
///
/// # Safety
/// Every method requires that the CPU has the instructions of the implementing type. Pointers must be valid for a
/// whole register; they need not be aligned.
pub(crate) trait Vector {
    /// A register of 16-bit integers.
    type Words: Copy;
    /// A register of 32-bit integers, half as many.
    type Ints: Copy;
    /// How many 16-bit integers a register holds.
    const WORDS: usize;
    /// How many 32-bit integers a register holds.
    const INTS: usize = Self::WORDS / 2;

    unsafe fn load_words(from: *const i16) -> Self::Words;
    unsafe fn store_words(to: *mut i16, words: Self::Words);
    unsafe fn splat_words(word: i16) -> Self::Words;
    /// Wrapping sums.
    unsafe fn add_words(left: Self::Words, right: Self::Words) -> Self::Words;
    /// Wrapping differences.
    unsafe fn sub_words(left: Self::Words, right: Self::Words) -> Self::Words;
    /// Limited to 0..=`limit`.
    unsafe fn clip_words(words: Self::Words, limit: Self::Words) -> Self::Words;
    /// The low 16 bits of every product.
    unsafe fn multiply_words(left: Self::Words, right: Self::Words) -> Self::Words;
    /// Shifted down without sign.
    unsafe fn shift_words(words: Self::Words, bits: u32) -> Self::Words;
    /// Products of neighbours, added in pairs.
    unsafe fn multiply_add_words(left: Self::Words, right: Self::Words) -> Self::Ints;
    /// Writes two registers of values from 0 to 255 as bytes, in order.
    unsafe fn store_bytes(to: *mut u8, low: Self::Words, high: Self::Words);

    unsafe fn load_ints(from: *const i32) -> Self::Ints;
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints);
    unsafe fn splat_ints(int: i32) -> Self::Ints;
    unsafe fn add_ints(left: Self::Ints, right: Self::Ints) -> Self::Ints;
    /// Shifted down with sign.
    unsafe fn shift_ints(ints: Self::Ints, bits: u32) -> Self::Ints;
    /// Writes every lane, limited to 0..=127, as a byte.
    unsafe fn store_narrow(to: *mut u8, ints: Self::Ints);
    /// The sum of all lanes.
    unsafe fn total(ints: Self::Ints) -> i64;
    /// Adds to every lane the dot product of four inputs (0 to 127) with four weights.
    unsafe fn add_dot(sums: Self::Ints, inputs: Self::Ints, weights: *const i8) -> Self::Ints;
    /// A bit for every group of four bytes, as many groups as there are lanes, that is not all zero.
    unsafe fn nonzero_groups(from: *const u8) -> u32;
}
