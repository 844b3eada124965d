//! Loops over floats, compiled once for each instruction set and chosen at run time.
//!
//! Every loop names its own order of additions and fuses multiplication and addition explicitly, so that all instruction
//! sets give the same bits.

use std::sync::OnceLock;

use crate::AdamStep;

/// Sums of so many columns are kept in registers at a time.
const COLUMNS: usize = 64;
/// And so many where there are 32 registers of 16 numbers.
const WIDE_COLUMNS: usize = 256;
/// A dot product has so many partial sums.
const LANES: usize = 16;

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
    for &row in rows {
        let at = row as usize * width + column;
        if let Some(row) = table.get(at..at + COLUMNS) {
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
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

for_every_instruction_set! {
    /// The dot products of one vector with four others of its length.
    pub(super) fn four_dots(x: &[f32], rows: [&[f32]; 4]) -> [f32; 4] {
        let mut sums = [[0.0_f32; LANES]; 4];
        let length = x.len();
        let whole = length / LANES * LANES;
        let rows = rows.map(|row| &row[..length]);
        for at in (0..whole).step_by(LANES) {
            let x = &x[at..at + LANES];
            for (sums, row) in sums.iter_mut().zip(&rows) {
                let row = &row[at..at + LANES];
                for lane in 0..LANES {
                    sums[lane] = x[lane].mul_add(row[lane], sums[lane]);
                }
            }
        }
        for (number, sums) in sums.iter_mut().enumerate() {
            for at in whole..length {
                sums[at - whole] = x[at].mul_add(rows[number][at], sums[at - whole]);
            }
        }
        sums.map(|sums| {
            let mut sums = sums;
            let mut half = LANES / 2;
            while half > 0 {
                for lane in 0..half {
                    sums[lane] += sums[lane + half];
                }
                half /= 2;
            }
            sums[0]
        })
    }
}

for_every_instruction_set! {
    /// `out += factors · rows`, four rows as long as `out`.
    pub(super) fn add_four_rows(out: &mut [f32], factors: [f32; 4], rows: [&[f32]; 4]) {
        let length = out.len();
        let [a, b, c, d] = rows.map(|row| &row[..length]);
        for at in 0..length {
            let sum = a[at].mul_add(factors[0], out[at]);
            let sum = b[at].mul_add(factors[1], sum);
            let sum = c[at].mul_add(factors[2], sum);
            out[at] = d[at].mul_add(factors[3], sum);
        }
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
