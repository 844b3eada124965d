//! Adam (Kingma and Ba, 2015): every weight has its own step size, from running means of its gradient and its square.

use super::model::{Anchor, Gradient, Pair, Weights, anchors, clamp_shares};

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-10;

/// The running means of all weights.
pub(super) struct Adam {
    means: Vec<Pair>,
    squares: Vec<Pair>,
    anchors: Vec<Anchor>,
    steps: i32,
}

impl Adam {
    pub(super) fn new(length: usize) -> Self {
        Self { means: vec![[0.0; 2]; length], squares: vec![[0.0; 2]; length], anchors: anchors(), steps: 0 }
    }

    /// One step against the mean gradient of `examples` examples and against the pull of the anchors.
    pub(super) fn step(&mut self, weights: &mut Weights, gradient: &Gradient, examples: usize, step: f64, pull: f64) {
        self.steps += 1;
        let mean_correction = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_correction = 1.0 - SQUARE_DECAY.powi(self.steps);
        for (index, weight) in weights.0.iter_mut().enumerate() {
            for (half, weight) in weight.iter_mut().enumerate() {
                let anchor = &self.anchors[index];
                let pulled = pull as f32 * anchor.strength[half] * (*weight - anchor.at[half]);
                let slope = gradient.by_weight[index][half] / examples as f32 + pulled;
                let mean = &mut self.means[index][half];
                let square = &mut self.squares[index][half];
                *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
                *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
                let direction = (*mean / mean_correction) / ((*square / square_correction).sqrt() + EPSILON);
                *weight -= step as f32 * direction;
            }
        }
        clamp_shares(weights);
    }
}
