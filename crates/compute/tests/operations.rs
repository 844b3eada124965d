//! One suite for every device: gradients against finite differences, devices against each other, bits against
//! themselves.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use kiebitz_compute::{
    AdamStep, Cpu, DenseShape, Device, Input, LayerActivation, Samples, SparseView, SumActivation, TableShape,
    UnitActivation,
};

const ROWS: usize = 60;
const COARSE: usize = 7;
const SAMPLES: usize = 96;
const ACTIVE: usize = 9;
const GAIN: f32 = 0.9921875;
/// Parameters are multiples of it: half precision loses nothing of them.
const STEP: f32 = 1.0 / 1024.0;

/// Chance that is the same everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn float(&mut self, size: f32) -> f32 {
        (self.next() % 20_001) as f32 / 10_000.0 * size - size
    }

    /// Numbers that half precision holds exactly.
    fn floats(&mut self, count: usize, size: f32) -> Vec<f32> {
        (0..count).map(|_| (self.float(size) / STEP).round() * STEP).collect()
    }
}

/// A network with every operation in it.
#[derive(Clone, Copy, Debug)]
struct Net {
    activation: SumActivation,
    width: usize,
    views: usize,
    buckets: usize,
    hidden: usize,
    ways: &'static [UnitActivation],
    ranking: bool,
}

const NETS: [Net; 5] = [
    Net {
        activation: SumActivation::Clipped,
        width: 16,
        views: 2,
        buckets: 1,
        hidden: 8,
        ways: &[UnitActivation::Clipped],
        ranking: false,
    },
    Net {
        activation: SumActivation::Squared,
        width: 12,
        views: 2,
        buckets: 3,
        hidden: 5,
        ways: &[UnitActivation::Folded, UnitActivation::Clipped],
        ranking: false,
    },
    Net {
        activation: SumActivation::Pairwise,
        width: 300,
        views: 2,
        buckets: 2,
        hidden: 33,
        ways: &[UnitActivation::Squared],
        ranking: false,
    },
    Net {
        activation: SumActivation::Clipped,
        width: 7,
        views: 1,
        buckets: 4,
        hidden: 3,
        ways: &[UnitActivation::Clipped],
        ranking: false,
    },
    Net {
        activation: SumActivation::Clipped,
        width: 24,
        views: 2,
        buckets: 3,
        hidden: 6,
        ways: &[UnitActivation::Clipped],
        ranking: true,
    },
];

impl Net {
    fn samples(&self) -> Samples {
        let mut chance = Chance(self.width as u64);
        let view = |chance: &mut Chance| {
            let mut view = SparseView::default();
            for _ in 0..SAMPLES {
                // Row 0 is in nearly every sample, so that it has several chunks.
                view.indices.push(0);
                for _ in 1..ACTIVE - (chance.next() % 4) as usize {
                    view.indices.push(1 + (chance.next() % (ROWS as u64 - 1)) as u32);
                }
                view.ends.push(view.indices.len() as u32);
            }
            view
        };
        let views = (0..self.views).map(|_| view(&mut chance)).collect();
        let mut bucket_ends: Vec<u32> = (1..self.buckets).map(|_| (chance.next() % SAMPLES as u64) as u32).collect();
        bucket_ends.sort_unstable();
        bucket_ends.push(SAMPLES as u32);
        let targets = if self.ranking { Vec::new() } else { (0..SAMPLES).map(|_| chance.float(0.5) + 0.5).collect() };
        let mut triplets: Vec<u32> = if self.ranking { (0..SAMPLES as u32).collect() } else { Vec::new() };
        for last in (1..triplets.len()).rev() {
            triplets.swap(last, chance.next() as usize % (last + 1));
        }
        Samples { views, bucket_ends, targets, triplets }
    }

    fn table(&self, width: usize) -> TableShape {
        TableShape::linked(ROWS, width, COARSE, |row| vec![row % COARSE as u32, (row / 9) % COARSE as u32])
    }

    fn lens(&self) -> LayerActivation {
        LayerActivation { activation: self.activation, width: self.width, views: self.views, gain: GAIN }
    }

    fn first(&self) -> DenseShape {
        let inputs = self.views * self.lens().activated();
        DenseShape { inputs, outputs: self.hidden + 1, buckets: self.buckets }
    }

    fn last(&self) -> DenseShape {
        DenseShape { inputs: self.hidden * self.ways.len(), outputs: 1, buckets: self.buckets }
    }

    /// Rows, coarse rows, biases, first layer, last layer, direct weights with their coarse rows.
    fn parameters(&self) -> Vec<Vec<f32>> {
        let mut chance = Chance(77);
        let (first, last) = (self.first(), self.last());
        let reach = 2.0 / (first.inputs as f32).sqrt();
        vec![
            chance.floats(ROWS * self.width, 0.15),
            chance.floats(COARSE * self.width, 0.1),
            // Not a multiple, so that no sum lies on a kink.
            chance.floats(self.width, 0.1).iter().map(|bias| bias + 0.4 + STEP / 3.0).collect(),
            chance.floats(first.inputs * first.outputs * first.buckets, reach),
            chance.floats(first.outputs * first.buckets, 0.3),
            chance.floats(last.inputs * last.buckets, 0.7),
            chance.floats(last.buckets, 0.2),
            chance.floats(ROWS * self.buckets, 0.2),
            chance.floats(COARSE * self.buckets, 0.2),
        ]
    }

    fn has_direct(&self) -> bool {
        self.views == 2
    }

    /// The loss and the gradients of all parameters.
    fn run<D: Device>(&self, device: &D, parameters: &[Vec<f32>]) -> (f64, Vec<Vec<f32>>) {
        let fail = "the device works";
        let p: Vec<_> = parameters.iter().map(|values| device.numbers(values).expect(fail)).collect();
        let mut g: Vec<_> = parameters.iter().map(|values| device.zeros(values.len()).expect(fail)).collect();
        let batch = device.batch(&self.samples().checked(ROWS).expect(fail)).expect(fail);
        let (first, last, lens) = (self.first(), self.last(), self.lens());
        let mut table = device.table(self.table(self.width), SAMPLES, self.views, ACTIVE).expect(fail);
        let mut direct = device.direct(self.table(self.buckets)).expect(fail);
        device.refresh_table(&mut table, &p[0], Some(&p[1]), 0.0).expect(fail);
        device.refresh_direct(&mut direct, &p[7], Some(&p[8])).expect(fail);
        let mut sums = device.sums(SAMPLES, self.views, self.width).expect(fail);
        let mut hidden = device.zeros(SAMPLES * first.outputs).expect(fail);
        let mut units = device.zeros(SAMPLES * last.inputs).expect(fail);
        let mut values = device.zeros(SAMPLES).expect(fail);
        device.table_forward(&table, &p[0], &p[2], &batch, &mut sums).expect(fail);
        device.dense_forward(first, Input::Sums(&sums, lens), &p[3], &p[4], &batch, &mut hidden).expect(fail);
        device.activate(&hidden, self.hidden, first.outputs, self.ways, GAIN, &batch, &mut units).expect(fail);
        device.dense_forward(last, Input::Plain(&units), &p[5], &p[6], &batch, &mut values).expect(fail);
        device.add_column(&hidden, first.outputs, self.hidden, &batch, &mut values).expect(fail);
        if self.has_direct() {
            device.direct_forward(&direct, &p[7], &batch, &mut values).expect(fail);
        }
        let mut value_gradients = device.zeros(SAMPLES).expect(fail);
        let mut losses = device.losses(3).expect(fail);
        let things = match self.ranking {
            true => {
                device.ranking_loss(&values, &batch, 0.8, 0.5, &mut value_gradients, &mut losses, 1).expect(fail);
                SAMPLES / 3
            }
            false => {
                device.value_loss(&values, &batch, 0.8, 2.5, &mut value_gradients, &mut losses, 1).expect(fail);
                SAMPLES
            }
        };
        let scale = 1.0 / things as f32;
        let mut unit_gradients = device.zeros(SAMPLES * last.inputs).expect(fail);
        let mut hidden_gradients = device.zeros(SAMPLES * first.outputs).expect(fail);
        let mut sum_gradients = device.sum_gradients(SAMPLES, self.views, self.width).expect(fail);
        let [rows, coarse, biases, w1, b1, w2, b2, direct_rows, direct_coarse] = &mut g[..] else { panic!("nine") };
        device.dense_backward(last, Input::Plain(&units), &value_gradients, &batch, scale, w2, b2).expect(fail);
        device.input_gradients(last, &p[5], &value_gradients, &batch, &mut unit_gradients).expect(fail);
        device
            .activate_backward(
                &hidden,
                &unit_gradients,
                &value_gradients,
                self.hidden,
                first.outputs,
                self.ways,
                GAIN,
                &batch,
                &mut hidden_gradients,
            )
            .expect(fail);
        device.dense_backward(first, Input::Sums(&sums, lens), &hidden_gradients, &batch, scale, w1, b1).expect(fail);
        device.gradients_of_sums(first, &sums, lens, &p[3], &hidden_gradients, &batch, &mut sum_gradients).expect(fail);
        device.table_backward(&mut table, &batch, &sum_gradients, scale, rows, Some(coarse), biases).expect(fail);
        if self.has_direct() {
            device
                .direct_backward(&mut direct, &batch, &value_gradients, scale, direct_rows, Some(direct_coarse))
                .expect(fail);
        }
        let loss = device.read_losses(&losses).expect(fail)[1];
        (loss, g.iter().map(|numbers| device.read(numbers).expect(fail)).collect())
    }
}

/// The slope of the loss along a direction, by gradients and by differences, must agree.
fn gradients_agree_with_differences<D: Device>(device: &D, step: f32, tolerance: f64) {
    for (number, net) in NETS.iter().enumerate() {
        let parameters = net.parameters();
        let (_, gradients) = net.run(device, &parameters);
        for part in 0..parameters.len() {
            if part >= 7 && !net.has_direct() {
                continue;
            }
            let mut chance = Chance(number as u64 * 100 + part as u64);
            assert!(gradients[part].iter().any(|&gradient| gradient != 0.0), "net {number}, part {part}: no gradient");
            // A tenth of the numbers, each the way its gradient points: few enough to cross few kinks.
            let direction: Vec<f32> = gradients[part]
                .iter()
                .map(
                    |&gradient| {
                        if chance.next() % 10 < 1 || parameters[part].len() < 20 { gradient.signum() } else { 0.0 }
                    },
                )
                .collect();
            let moved = |sign: f32| {
                let mut parameters = parameters.clone();
                parameters[part].iter_mut().zip(&direction).for_each(|(value, way)| *value += sign * step * way);
                net.run(device, &parameters).0
            };
            let measured = (moved(1.0) - moved(-1.0)) / (2.0 * f64::from(step));
            let expected: f64 =
                gradients[part].iter().zip(&direction).map(|(g, d)| f64::from(*g) * f64::from(*d)).sum();
            let error = (measured - expected).abs() / expected.abs().max(1e-4);
            assert!(error < tolerance, "net {number}, part {part}: {measured} measured, {expected} by gradients");
        }
    }
}

fn the_same_bits_twice<D: Device>(devices: &[D]) {
    for net in NETS {
        let results: Vec<_> = devices.iter().chain(devices).map(|device| net.run(device, &net.parameters())).collect();
        for result in &results {
            assert_eq!(result.0.to_bits(), results[0].0.to_bits(), "{net:?}");
            for (one, other) in result.1.iter().zip(&results[0].1) {
                assert!(one.iter().zip(other).all(|(one, other)| one.to_bits() == other.to_bits()), "{net:?}");
            }
        }
    }
}

fn adam_is_adam<D: Device>(device: &D) {
    let count = 70_000;
    let mut chance = Chance(5);
    let (mut values, gradients) = (chance.floats(count, 1.0), chance.floats(count, 0.01));
    let (mut momentum, mut variance) = (vec![0.0_f64; count], vec![0.0_f64; count]);
    let mut exact: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
    let mut numbers = device.numbers(&values).expect("room");
    let given = device.numbers(&gradients).expect("room");
    let (mut first, mut second) = (device.zeros(count).expect("room"), device.zeros(count).expect("room"));
    for round in 1..=5 {
        let (beta1, beta2) = (0.9_f64, 0.99_f64);
        let corrections = (1.0 / (1.0 - beta1.powi(round)), 1.0 / (1.0 - beta2.powi(round)));
        let step = AdamStep {
            rate: 0.05,
            beta1: 0.9,
            beta2: 0.99,
            epsilon: 1e-8,
            decay: 0.1,
            correction1: corrections.0 as f32,
            correction2: corrections.1 as f32,
            limit: 0.9,
        };
        device.adam(&mut numbers, &given, &mut first, &mut second, step).expect("a step");
        for at in 0..count {
            let gradient = f64::from(gradients[at]);
            momentum[at] = beta1 * momentum[at] + (1.0 - beta1) * gradient;
            variance[at] = beta2 * variance[at] + (1.0 - beta2) * gradient * gradient;
            let change = momentum[at] * corrections.0 / ((variance[at] * corrections.1).sqrt() + 1e-8);
            exact[at] = (exact[at] * (1.0 - 0.05 * 0.1) - 0.05 * change).clamp(-0.9, 0.9);
        }
    }
    values = device.read(&numbers).expect("numbers");
    for (value, exact) in values.iter().zip(&exact) {
        assert!((f64::from(*value) - exact).abs() < 1e-4, "{value} instead of {exact}");
    }
}

fn rounding_steps<D: Device>(device: &D) {
    let mut rounded = device.zeros(4).expect("room");
    device.round(&device.numbers(&[0.1, -0.26, 0.5, 3.0]).expect("room"), &mut rounded, 4.0).expect("rounded");
    assert_eq!(device.read(&rounded).expect("numbers"), [0.0, -0.25, 0.5, 3.0]);
}

#[test]
fn cpu_gradients_are_right() {
    gradients_agree_with_differences(&Cpu::new(2).expect("threads"), STEP / 32.0, 0.02);
}

#[test]
fn cpu_gives_the_same_bits_for_any_number_of_threads() {
    the_same_bits_twice(&[1, 2, 3, 8].map(|threads| Cpu::new(threads).expect("threads")));
}

#[test]
fn cpu_steps_are_right() {
    let cpu = Cpu::new(2).expect("threads");
    adam_is_adam(&cpu);
    rounding_steps(&cpu);
}

#[test]
fn bad_samples_are_refused() {
    let good = NETS[0].samples();
    assert!(good.clone().checked(ROWS).is_ok());
    let refused = |samples: &Samples, word: &str| {
        let error = samples.clone().checked(ROWS).expect_err(word).to_string();
        assert!(error.contains(word), "{error}");
    };
    let mut bad = good.clone();
    bad.views[1].indices[3] = ROWS as u32;
    refused(&bad, "row 60 of a table of 60");
    let mut bad = good.clone();
    bad.views[0].ends.pop();
    refused(&bad, "95 ends");
    let mut bad = good.clone();
    bad.targets.pop();
    refused(&bad, "95 targets");
    refused(&Samples { triplets: vec![0, 1, 1], ..good }, "triplets");
    refused(&Samples::default(), "none");
}

#[cfg(feature = "cuda")]
mod cuda {
    use super::*;
    use kiebitz_compute::Cuda;

    fn opened() -> Option<Cuda> {
        match Cuda::open(0) {
            Ok(device) => Some(device),
            Err(error) => {
                eprintln!("skipped: {error}");
                None
            }
        }
    }

    #[test]
    fn cuda_gradients_are_right() {
        let Some(device) = opened() else { return };
        // The forward pass reads halves, so steps cannot be smaller, and some cross a kink.
        gradients_agree_with_differences(&device, STEP, 0.1);
    }

    #[test]
    fn cuda_agrees_with_the_cpu() {
        let Some(device) = opened() else { return };
        let cpu = Cpu::new(2).expect("threads");
        for (number, net) in NETS.iter().enumerate() {
            let (loss, gradients) = net.run(&device, &net.parameters());
            let (exact_loss, exact) = net.run(&cpu, &net.parameters());
            assert!((loss - exact_loss).abs() < 2e-3 * exact_loss, "net {number}: {loss}, {exact_loss}");
            for (part, (one, other)) in gradients.iter().zip(&exact).enumerate() {
                let size = other.iter().map(|value| value * value).sum::<f32>().sqrt();
                let distance = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
                // Weights and sums are halves there, so now and then a sum lies on the other side of a kink.
                assert!(distance <= 0.03 * size, "net {number}, part {part}: {distance} of {size}");
            }
        }
    }

    #[test]
    fn cuda_gives_the_same_bits_twice() {
        let Some(device) = opened() else { return };
        the_same_bits_twice(&[device]);
    }

    #[test]
    fn cuda_steps_are_right() {
        let Some(device) = opened() else { return };
        adam_is_adam(&device);
        rounding_steps(&device);
    }
}
