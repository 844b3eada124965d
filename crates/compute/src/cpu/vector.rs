//! Loops over floats, compiled once for each instruction set and chosen at run time.
//!
//! Every loop names its own order of additions and fuses multiplication and addition explicitly, so that all instruction
//! sets give the same bits.

use std::sync::OnceLock;

use kiebitz_kernels::prefetch;

use crate::AdamStep;

/// Sums of so many columns are kept in registers at a time.
const COLUMNS: usize = 64;
/// And so many where there are 32 registers of 16 numbers.
const WIDE_COLUMNS: usize = 256;
/// A dot product has so many partial sums, and a tile so many outputs.
pub(super) const LANES: usize = 16;
/// Rows that are sent for before they are needed.
const AHEAD: usize = 3;
/// Numbers of a cache line.
const LINE: usize = 16;
/// Samples of a tile.
pub(super) const TILE: usize = 4;

#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Plain,
    Avx2,
    Avx512,
}

#[cfg(target_arch = "x86_64")]
fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        match (has_avx2, is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")) {
            (true, true) => Level::Avx512,
            (true, false) => Level::Avx2,
            _ => Level::Plain,
        }
    })
}

/// Compiles a function for every instruction set; the body is the same, so the results are.
macro_rules! for_every_instruction_set {
    ($(#[$about:meta])* $visibility:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$about])*
        #[inline]
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            fn plain($($argument: $kind),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($argument: $kind),*) $(-> $result)? { plain($($argument),*) }
                #[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
                fn avx512($($argument: $kind),*) $(-> $result)? { plain($($argument),*) }
                match level() {
                    // SAFETY: the CPU has these instructions: `level` looked.
                    Level::Avx512 => unsafe { avx512($($argument),*) },
                    // SAFETY: as above.
                    Level::Avx2 => unsafe { avx2($($argument),*) },
                    Level::Plain => plain($($argument),*),
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            plain($($argument),*)
        }
    };
}

/// Sums of columns `column..column + COLUMNS`, kept in registers while the rows go by.
#[inline(always)]
fn sum_columns<const COLUMNS: usize>(
    out: &mut [f32],
    start: &[f32],
    table: &[f32],
    rows: &[u32],
    scale: f32,
    column: usize,
) {
    let width = out.len();
    let mut sums = [0.0_f32; COLUMNS];
    if let Some(start) = start.get(column..column + COLUMNS) {
        sums.copy_from_slice(start);
    }
    for (number, &row) in rows.iter().enumerate() {
        // Rows lie anywhere in a table larger than the caches: the one after the next is sent for.
        if let Some(&later) = rows.get(number + AHEAD) {
            let at = later as usize * width + column;
            if let Some(row) = table.get(at..at + COLUMNS) {
                row.iter().step_by(LINE).for_each(prefetch);
            }
        }
        let at = row as usize * width + column;
        if let Some(row) = table.get(at..at + COLUMNS) {
            for lane in 0..COLUMNS {
                sums[lane] += row[lane];
            }
        }
    }
    out[column..column + COLUMNS].iter_mut().zip(&sums).for_each(|(out, sum)| *out = sum * scale);
}

for_every_instruction_set! {
    /// As [`sum_rows`] for all columns from one on.
    fn sum_some_columns(out: &mut [f32], start: &[f32], table: &[f32], rows: &[u32], scale: f32, first: usize) {
        let (width, mut column) = (out.len(), first);
        while column + COLUMNS <= width {
            sum_columns::<COLUMNS>(out, start, table, rows, scale, column);
            column += COLUMNS;
        }
        for (column, out) in out.iter_mut().enumerate().skip(column) {
            let mut sum = start.get(column).copied().unwrap_or(0.0);
            for &row in rows {
                sum += table.get(row as usize * width + column).copied().unwrap_or(0.0);
            }
            *out = sum * scale;
        }
    }
}

/// `out = (start + the rows named) · scale`, rows as long as `out`; in the order of the list.
///
/// Where registers are many and long, more columns are summed at a time: a row is then read in one piece, and its page looked up
/// once.
#[inline]
pub(super) fn sum_rows(out: &mut [f32], start: &[f32], table: &[f32], rows: &[u32], scale: f32) {
    let mut first = 0;
    #[cfg(target_arch = "x86_64")]
    if level() == Level::Avx512 {
        #[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
        fn wide(out: &mut [f32], start: &[f32], table: &[f32], rows: &[u32], scale: f32) -> usize {
            let mut column = 0;
            while column + WIDE_COLUMNS <= out.len() {
                sum_columns::<WIDE_COLUMNS>(out, start, table, rows, scale, column);
                column += WIDE_COLUMNS;
            }
            column
        }
        // SAFETY: the CPU has these instructions: `level` looked.
        first = unsafe { wide(out, start, table, rows, scale) };
    }
    if first < out.len() {
        sum_some_columns(out, start, table, rows, scale, first);
    }
}

/// The dot product of two vectors of one length, in sixteen partial sums.
#[inline(always)]
fn dot_of(x: &[f32], row: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (row, row_rest) = row.as_chunks::<LANES>();
    for (x, row) in x.iter().zip(row) {
        for lane in 0..LANES {
            sums[lane] = x[lane].mul_add(row[lane], sums[lane]);
        }
    }
    for (sum, (x, row)) in sums.iter_mut().zip(x_rest.iter().zip(row_rest)) {
        *sum = x.mul_add(*row, *sum);
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

for_every_instruction_set! {
    /// The dot product of two vectors of one length.
    pub(super) fn dot(x: &[f32], row: &[f32]) -> f32 {
        dot_of(x, row)
    }
}

for_every_instruction_set! {
    /// `out[sample][lane] += x[sample][input] · weights[input][lane]`: sixteen outputs of a layer for some samples at a time, inputs
    /// in their order.
    pub(super) fn add_products(out: &mut [[f32; LANES]; TILE], x: [&[f32]; TILE], weights: &[[f32; LANES]]) {
        let mut sums = *out;
        for (input, weights) in weights.iter().enumerate() {
            for sample in 0..TILE {
                let value = x[sample][input];
                for lane in 0..LANES {
                    sums[sample][lane] = value.mul_add(weights[lane], sums[sample][lane]);
                }
            }
        }
        *out = sums;
    }
}

for_every_instruction_set! {
    /// `out += from`.
    pub(super) fn add(out: &mut [f32], from: &[f32]) {
        out.iter_mut().zip(from).for_each(|(out, from)| *out += from);
    }
}

for_every_instruction_set! {
    /// `out = from` limited to 0..1.
    pub(super) fn clip(out: &mut [f32], from: &[f32]) {
        out.iter_mut().zip(from).for_each(|(out, from)| *out = from.clamp(0.0, 1.0));
    }
}

for_every_instruction_set! {
    /// A step of Adam on some numbers.
    pub(super) fn adam(values: &mut [f32], gradients: &[f32], momentum: &mut [f32], variance: &mut [f32], step: AdamStep) {
        let length = values.len();
        let (gradients, momentum, variance) = (&gradients[..length], &mut momentum[..length], &mut variance[..length]);
        for at in 0..length {
            let gradient = gradients[at];
            let first = momentum[at].mul_add(step.beta1, (1.0 - step.beta1) * gradient);
            let second = variance[at].mul_add(step.beta2, (1.0 - step.beta2) * gradient * gradient);
            momentum[at] = first;
            variance[at] = second;
            let decayed = values[at] - step.rate * step.decay * values[at];
            let moved = decayed - step.rate * (first * step.correction1) / ((second * step.correction2).sqrt() + step.epsilon);
            values[at] = moved.clamp(-step.limit, step.limit);
        }
    }
}
