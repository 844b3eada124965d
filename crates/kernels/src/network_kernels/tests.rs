//! Every instruction set against plain sums, over random numbers and many sizes.

use super::*;

struct Random(u64);

impl Random {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0 >> 33
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.draw() % (high - low + 1) as u64) as i64
    }

    fn words(&mut self, count: usize, low: i64, high: i64) -> Vec<i16> {
        (0..count).map(|_| self.between(low, high) as i16).collect()
    }
}

fn sets() -> Vec<NetworkKernels> {
    let found: Vec<NetworkKernels> = InstructionSet::ALL.into_iter().filter_map(NetworkKernels::new).collect();
    println!("tested: {:?}", found.iter().map(|kernels| kernels.instruction_set()).collect::<Vec<_>>());
    found
}

#[test]
fn updates_add_and_remove_rows() {
    let mut random = Random(1);
    for width in [64, 128, 192, 320, 1024] {
        let matrix = random.words(width * 9, -32768, 32767);
        let source = random.words(width, -32768, 32767);
        let (added, removed) = ([3, 8, 0], [1, 1]);
        let expected: Vec<i16> = (0..width)
            .map(|at| {
                let row = |row: &u32| matrix[*row as usize * width + at];
                let sum = added.iter().map(row).fold(source[at], i16::wrapping_add);
                removed.iter().map(row).fold(sum, i16::wrapping_sub)
            })
            .collect();
        for kernels in sets() {
            let mut target = vec![0; width];
            kernels.update(&matrix, &source, &mut target, &added, &removed);
            assert_eq!(target, expected, "{}", kernels.instruction_set());
            let mut target = source.clone();
            kernels.update_in_place(&matrix, &mut target, &added, &removed);
            assert_eq!(target, expected, "{}", kernels.instruction_set());
        }
    }
}

#[test]
fn activations_clip_multiply_and_shift() {
    let mut random = Random(2);
    for (limit, clip_shift, product_shift) in [(127, 0, 7), (255, 1, 9)] {
        for width in [64, 192, 512] {
            let (left, right) = (random.words(width, -300, 600), random.words(width, -300, 600));
            let clipped = |word: i16| i32::from(word).clamp(0, i32::from(limit));
            for kernels in sets() {
                let mut bytes = vec![0; width];
                kernels.clip(&left, &mut bytes, limit, clip_shift);
                assert!(bytes.iter().zip(&left).all(|(&byte, &word)| i32::from(byte) == clipped(word) >> clip_shift));
                kernels.multiply(&left, &right, &mut bytes, limit, product_shift);
                for at in 0..width {
                    let expected = (clipped(left[at]) * clipped(right[at])) >> product_shift;
                    assert_eq!(i32::from(bytes[at]), expected, "{}", kernels.instruction_set());
                }
            }
        }
    }
}

#[test]
fn dot_products_are_exact() {
    let mut random = Random(3);
    // The widest fills lanes several times, whatever the register.
    for width in [64, 192, 1024, 8192, 16_384] {
        let (drawn, highest) = (random.words(width, -300, 600), vec![i16::MAX; width]);
        for (sums, weights, squares) in [
            (&drawn, random.words(width, -128, 128), true),
            (&drawn, vec![128; width], true),
            (&drawn, random.words(width, -32768, 32767), false),
            (&highest, vec![128; width], true),
            (&highest, vec![-128; width], true),
            (&highest, vec![i16::MAX; width], false),
            (&highest, vec![i16::MIN; width], false),
        ] {
            let clipped = |word: i16| i64::from(word.clamp(0, 255));
            let plain: i64 = sums.iter().zip(&weights).map(|(&sum, &weight)| clipped(sum) * i64::from(weight)).sum();
            let squared: i64 =
                sums.iter().zip(&weights).map(|(&sum, &weight)| clipped(sum) * clipped(sum) * i64::from(weight)).sum();
            for kernels in sets() {
                assert_eq!(kernels.dot(sums, &weights, 255), plain, "{}", kernels.instruction_set());
                if squares {
                    assert_eq!(kernels.dot_squared(sums, &weights, 255), squared, "{}", kernels.instruction_set());
                }
            }
        }
    }
}

#[test]
fn affine_sums_all_products() {
    let mut random = Random(4);
    for (inputs, outputs) in [(64, 16), (64, 32), (512, 32), (128, 48), (1024, 16), (192, 128), (16384, 16)] {
        for extreme in [false, true] {
            let bytes: Vec<u8> =
                (0..inputs).map(|_| if extreme { 127 } else { random.between(-200, 127).max(0) as u8 }).collect();
            let weights: Vec<i8> =
                (0..inputs * outputs).map(|_| if extreme { -128 } else { random.between(-128, 127) as i8 }).collect();
            let start: Vec<i32> = (0..outputs).map(|_| random.between(-100_000, 100_000) as i32).collect();
            let expected: Vec<i32> = (0..outputs)
                .map(|output| {
                    let weight = |input: usize| i32::from(weights[(input / 4 * outputs + output) * 4 + input % 4]);
                    start[output] + (0..inputs).map(|input| i32::from(bytes[input]) * weight(input)).sum::<i32>()
                })
                .collect();
            for kernels in sets() {
                let mut sums = vec![77; outputs];
                kernels.affine(&bytes, &weights, &start, &mut sums);
                assert_eq!(sums, expected, "{} {inputs} {outputs}", kernels.instruction_set());
            }
        }
    }
}

#[test]
fn sums_of_layers_become_bytes() {
    let mut random = Random(5);
    for length in [16, 32, 48, 128] {
        for shift in [0, 5, 6, 31] {
            let mut sums: Vec<i32> = (0..length).map(|_| random.between(-20_000, 20_000) as i32).collect();
            sums[..4].copy_from_slice(&[i32::MIN, i32::MAX, 127 << shift.min(20), -1]);
            let expected: Vec<u8> = sums.iter().map(|&sum| (sum >> shift).clamp(0, 127) as u8).collect();
            for kernels in sets() {
                let mut bytes = vec![1; length];
                kernels.narrow(&sums, &mut bytes, shift);
                assert_eq!(bytes, expected, "{} {length} {shift}", kernels.instruction_set());
            }
        }
    }
}

#[test]
fn dot_products_of_bytes_are_exact() {
    let mut random = Random(6);
    for length in [64, 128, 448, 2048] {
        for extreme in [false, true] {
            let bytes: Vec<u8> =
                (0..length).map(|_| if extreme { 127 } else { random.between(0, 127) as u8 }).collect();
            let weights: Vec<i8> =
                (0..length).map(|_| if extreme { -128 } else { random.between(-128, 127) as i8 }).collect();
            let expected: i64 =
                bytes.iter().zip(&weights).map(|(&byte, &weight)| i64::from(byte) * i64::from(weight)).sum();
            for kernels in sets() {
                assert_eq!(kernels.dot_bytes(&bytes, &weights), expected, "{} {length}", kernels.instruction_set());
            }
        }
    }
}
