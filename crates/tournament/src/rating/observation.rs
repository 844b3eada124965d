//! What some games between two players say: likelihood and derivatives of Davidson's model.

/// The score that Davidson's model expects of a difference in strength.
pub(super) fn expected_score(difference: f64, nu: f64) -> f64 {
    // Divided by the larger of the two exponentials, so that nothing overflows.
    let half = difference.abs() / 2.0;
    let (win, draw, loss) = (1.0, nu * (-half).exp(), (-2.0 * half).exp());
    let stronger = (win + draw / 2.0) / (win + draw + loss);
    if difference >= 0.0 { stronger } else { 1.0 - stronger }
}

/// Games between two players, one or both of whom may be imaginary (of strength 0).
pub(super) struct Observation {
    pub(super) white: Option<usize>,
    pub(super) black: Option<usize>,
    /// Whether White's advantage takes part.
    pub(super) advantage: bool,
    /// White's wins, draws, and losses.
    pub(super) counts: [f64; 3],
}

impl Observation {
    /// Logarithms of the proportions of win, draw and loss, and that of their sum.
    fn logits(&self, parameters: &[f64], players: usize) -> ([f64; 3], f64) {
        let strength = |player: Option<usize>| player.map_or(0.0, |player| parameters[player]);
        let advantage = if self.advantage { parameters[players] } else { 0.0 };
        let half = (strength(self.white) - strength(self.black) + advantage) / 2.0;
        let logits = [half, parameters[players + 1], -half];
        let largest = logits.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let sum = logits.iter().map(|logit| (logit - largest).exp()).sum::<f64>();
        (logits, largest + sum.ln())
    }

    /// The logarithm of the probability of these games; parameters are strengths, White's advantage, ln ν.
    pub(super) fn log_likelihood(&self, parameters: &[f64], players: usize) -> f64 {
        let (logits, total) = self.logits(parameters, players);
        self.counts.iter().zip(logits).map(|(count, logit)| count * (logit - total)).sum()
    }

    /// Adds the games' part of the gradient and of the negative Hessian.
    pub(super) fn add_derivatives(
        &self,
        parameters: &[f64],
        players: usize,
        gradient: &mut [f64],
        information: &mut [f64],
    ) {
        let (logits, total) = self.logits(parameters, players);
        let [win, draw, loss] = logits.map(|logit| (logit - total).exp());
        let games: f64 = self.counts.iter().sum();
        // Two numbers decide: h = d/2, with logits h, θ, −h, and θ = ln ν.
        let slope_h = self.counts[0] - self.counts[2] - games * (win - loss);
        let slope_theta = self.counts[1] - games * draw;
        let curve_hh = games * (win + loss - (win - loss).powi(2));
        let curve_theta = games * draw * (1.0 - draw);
        let curve_mixed = -games * draw * (win - loss);
        // How h depends on the parameters.
        let advantage = self.advantage.then_some((players, 0.5));
        let parts = [self.white.map(|player| (player, 0.5)), self.black.map(|player| (player, -0.5)), advantage];
        let size = parameters.len();
        let theta = players + 1;
        for &(row, weight) in parts.iter().flatten() {
            gradient[row] += weight * slope_h;
            for &(column, other) in parts.iter().flatten() {
                information[row * size + column] += weight * other * curve_hh;
            }
            information[row * size + theta] += weight * curve_mixed;
            information[theta * size + row] += weight * curve_mixed;
        }
        gradient[theta] += slope_theta;
        information[theta * size + theta] += curve_theta;
    }
}
