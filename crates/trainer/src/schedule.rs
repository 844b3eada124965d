//! How learning rate, target and rounding change over a run.

use kiebitz_compute::AdamStep;

use crate::recipe::{Optimiser, RateShape, Recipe};

/// The course of a run: a function of the step alone.
#[derive(Clone, Debug)]
pub struct Schedule {
    recipe: Recipe,
    steps: u64,
}

impl Schedule {
    /// The course that a recipe asks for.
    #[must_use]
    pub fn new(recipe: &Recipe) -> Self {
        Self { recipe: recipe.clone(), steps: recipe.steps() }
    }

    fn share(&self, step: u64) -> f64 {
        step as f64 / self.steps as f64
    }

    /// The learning rate of a step.
    #[must_use]
    pub fn rate(&self, step: u64) -> f64 {
        let optimiser = &self.recipe.optimiser;
        let (share, warm_up) = (self.share(step), optimiser.warm_up);
        if share < warm_up {
            return optimiser.rate * (step + 1) as f64 / (warm_up * self.steps as f64).max(1.0);
        }
        let way = if warm_up < 1.0 { (share - warm_up) / (1.0 - warm_up) } else { 0.0 };
        let last = optimiser.final_share;
        let factor = match optimiser.shape {
            RateShape::Cosine => last + (1.0 - last) * 0.5 * (1.0 + (std::f64::consts::PI * way).cos()),
            RateShape::Linear => 1.0 + (last - 1.0) * way,
            RateShape::Exponential => last.max(1e-9).powf(way),
            RateShape::Constant => 1.0,
        };
        optimiser.rate * factor
    }

    /// The share of the result in the target of a step.
    #[must_use]
    pub fn result_share(&self, step: u64) -> f64 {
        let loss = &self.recipe.loss;
        loss.result_start + (loss.result_end - loss.result_start) * self.share(step)
    }

    /// Whether weights are rounded while they are used.
    #[must_use]
    pub fn is_rounded(&self, step: u64) -> bool {
        self.recipe.training.round_from < 1.0 && self.share(step) >= self.recipe.training.round_from
    }

    /// The optimiser's numbers for a step, for weights that stay within a limit.
    #[must_use]
    pub fn adam(&self, step: u64, limit: f32, decays: bool) -> AdamStep {
        let optimiser = &self.recipe.optimiser;
        let (beta1, beta2, count) = (optimiser.beta1, optimiser.beta2, (step + 1) as f64);
        let rate = self.rate(step);
        let decay = if decays { optimiser.decay } else { 0.0 };
        let adam = AdamStep {
            rate: rate as f32,
            beta1: beta1 as f32,
            beta2: beta2 as f32,
            epsilon: optimiser.epsilon as f32,
            decay: decay as f32,
            correction1: (1.0 / (1.0 - beta1.powf(count))) as f32,
            correction2: (1.0 / (1.0 - beta2.powf(count))) as f32,
            limit,
        };
        match optimiser.method {
            Optimiser::AdamW => adam,
            Optimiser::RAdam => rectified(adam, rate, decay, beta2, count),
        }
    }
}

/// The variance of few gradients is not to be trusted: the step is made smaller by what theory says, or does without it.
fn rectified(adam: AdamStep, rate: f64, decay: f64, beta2: f64, count: f64) -> AdamStep {
    let longest = 2.0 / (1.0 - beta2) - 1.0;
    let length = longest - 2.0 * count * beta2.powf(count) / (1.0 - beta2.powf(count));
    if length <= 5.0 {
        // Divided by 1 instead of the root of the variance.
        return AdamStep { correction2: 0.0, epsilon: 1.0, ..adam };
    }
    let factor = (((length - 4.0) * (length - 2.0) * longest) / ((longest - 4.0) * (longest - 2.0) * length)).sqrt();
    AdamStep { rate: (rate * factor) as f32, decay: (decay / factor) as f32, ..adam }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(optimiser: &str) -> Schedule {
        let text = format!(
            "name = 'x'\nnetwork = 'inputs = piece768 trunk = accumulate 8 clipped heads = value'\n[data]\ntrain = ['x']\n\
             [training]\npositions = 1000\nbatch = 1\n[optimiser]\nrate = 0.5\n{optimiser}"
        );
        Schedule::new(&Recipe::parse(&text).expect("a recipe"))
    }

    #[test]
    fn the_rate_rises_and_falls_as_asked() {
        let cosine = schedule("warm_up = 0.1\nfinal_share = 0.2");
        assert!((cosine.rate(49) - 0.25).abs() < 1e-9, "half way up");
        assert!((cosine.rate(100) - 0.5).abs() < 1e-9, "the top");
        assert!((cosine.rate(550) - 0.3).abs() < 1e-9, "half way down");
        assert!((cosine.rate(1000) - 0.1).abs() < 1e-9, "the end");
        let linear = schedule("warm_up = 0.0\nfinal_share = 0.0\nshape = 'linear'");
        assert!((linear.rate(250) - 0.375).abs() < 1e-9);
    }

    #[test]
    fn rectified_steps_do_without_the_variance_first_and_are_adam_in_the_end() {
        // With beta2 = 0.9 the longest average has length 19; the first with more than 5 is the sixth step.
        let steps = schedule("method = 'radam'\nbeta2 = 0.9\nwarm_up = 0.0\nshape = 'constant'");
        let first = steps.adam(0, 1.0, true);
        assert_eq!((first.correction2, first.epsilon), (0.0, 1.0));
        let late = steps.adam(900, 1.0, true);
        assert!((late.rate - 0.5).abs() < 1e-4 && late.correction2 >= 1.0, "{late:?}");
        let middle = steps.adam(9, 1.0, true);
        assert!(middle.rate > 0.1 && middle.rate < 0.5, "{middle:?}");
        assert!((middle.rate * middle.decay - 0.5 * 0.01).abs() < 1e-6, "decay is not rectified");
    }
}
