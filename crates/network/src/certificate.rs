//! A network's certificate: what was proved about its integers, and how far they are from the floats.

use kiebitz_chess::Position;
use serde::{Deserialize, Serialize};

use crate::bounds::{self, Bounds};
use crate::reference::{evaluate_floats, evaluate_integers};
use crate::spec::NetworkSpec;
use crate::weights::{FloatWeights, QuantisedWeights};

/// Proofs and measurements, stored in the network file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// What every step can reach.
    pub bounds: Vec<Bounds>,
    /// What the steps can reach that vector instructions take in 16 bits and plain arithmetic does not. Play goes around those of the
    /// accumulator that are not proved; pairs of products fit with any weights of 8 bits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vector_steps: Vec<Bounds>,
    /// The distance to the float network, where there was one.
    pub rounding: Option<RoundingReport>,
}

/// How a stored certificate compares with a new proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It says the same.
    Same,
    /// All that it says was proved again, but it lacks so many steps.
    Older(usize),
    /// It says something else.
    Different,
}

/// How far integers are from floats on a fixed set of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundingReport {
    /// How many positions were compared.
    pub positions: usize,
    /// The mean distance in centipawns.
    pub mean_centipawns: f64,
    /// The largest distance in centipawns.
    pub largest_centipawns: f64,
    /// The share of positions in which the best move of a search of one ply is another one.
    pub changed_best_moves: f64,
}

impl Certificate {
    /// Proves what can be proved about a network.
    #[must_use]
    pub fn new(spec: &NetworkSpec, weights: &QuantisedWeights) -> Self {
        let (bounds, vector_steps) = bounds::of_network(spec, weights);
        Self { bounds, vector_steps, rounding: None }
    }

    /// Adds the comparison with the floats that the integers were made from.
    #[must_use]
    pub fn with_rounding(
        mut self,
        spec: &NetworkSpec,
        weights: &QuantisedWeights,
        parent: &FloatWeights,
        positions: &[Position],
    ) -> Self {
        self.rounding = Some(compare(spec, weights, parent, positions));
        self
    }

    /// How what was proved just now compares with what a file says.
    #[must_use]
    pub fn compared_with(&self, stored: &Self) -> Agreement {
        let mut proved = self.steps();
        // Newer programs prove more steps, never others.
        let is_part = stored.steps().all(|known| proved.any(|bounds| bounds.is_told_by(known)));
        match self.steps().count().checked_sub(stored.steps().count()) {
            Some(0) if is_part => Agreement::Same,
            Some(missing) if is_part && !stored.bounds.is_empty() => Agreement::Older(missing),
            _ => Agreement::Different,
        }
    }

    fn steps(&self) -> impl Iterator<Item = &Bounds> {
        self.bounds.iter().chain(&self.vector_steps)
    }

    /// The steps that may overflow for all that is known; a network without any is safe in every position.
    pub fn unproved(&self) -> impl Iterator<Item = &Bounds> {
        self.bounds.iter().filter(|bounds| !bounds.is_proved())
    }
}

/// Compares integers with floats.
#[must_use]
pub fn compare(
    spec: &NetworkSpec,
    weights: &QuantisedWeights,
    parent: &FloatWeights,
    positions: &[Position],
) -> RoundingReport {
    let in_centipawns = f64::from(spec.centipawns.times) / f64::from(spec.centipawns.per.max(1));
    let (mut sum, mut largest, mut changed) = (0.0_f64, 0.0_f64, 0_usize);
    for position in positions {
        let exact = f64::from(evaluate_floats(spec, parent, position));
        let rounded = f64::from(evaluate_integers(spec, weights, position).units);
        let distance = (exact - rounded).abs() * in_centipawns;
        sum += distance;
        largest = largest.max(distance);
        let best_of_floats = best_move(position, |next| evaluate_floats(spec, parent, next));
        let best_of_integers = best_move(position, |next| evaluate_integers(spec, weights, next).units as f32);
        changed += usize::from(best_of_floats != best_of_integers);
    }
    let count = positions.len().max(1) as f64;
    RoundingReport {
        positions: positions.len(),
        mean_centipawns: sum / count,
        largest_centipawns: largest,
        changed_best_moves: changed as f64 / count,
    }
}

/// The first of the best moves of a search of one ply.
fn best_move(position: &Position, evaluate: impl Fn(&Position) -> f32) -> Option<kiebitz_chess::Move> {
    let mut best = None;
    for mv in &position.legal_moves() {
        let value = -evaluate(&position.after(mv));
        if best.is_none_or(|(_, found)| value > found) {
            best = Some((mv, value));
        }
    }
    best.map(|(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_certificates_may_say_less_but_nothing_else() {
        let bounds = |step: &str, highest| Bounds { step: step.to_owned(), lowest: 0, highest, limit: 100 };
        let certificate =
            |bounds: &[Bounds]| Certificate { bounds: bounds.to_vec(), vector_steps: Vec::new(), rounding: None };
        let proved = certificate(&[bounds("one", 1), bounds("two", 2), bounds("three", 3)]);
        let compared = |stored: &[Bounds]| proved.compared_with(&certificate(stored));
        assert_eq!(compared(&proved.bounds), Agreement::Same);
        assert_eq!(compared(&[bounds("one", 1), bounds("three", 3)]), Agreement::Older(1));
        assert_eq!(compared(&[bounds("one", 1), bounds("three", 2)]), Agreement::Different);
        assert_eq!(compared(&[bounds("three", 3), bounds("one", 1)]), Agreement::Different);
        assert_eq!(compared(&[]), Agreement::Different);
        let more = [proved.bounds.clone(), vec![bounds("four", 4)]].concat();
        assert_eq!(compared(&more), Agreement::Different);
        let vectors = |highest| Certificate { vector_steps: vec![bounds("four", highest)], ..proved.clone() };
        assert_eq!(vectors(4).compared_with(&vectors(4)), Agreement::Same);
        assert_eq!(vectors(4).compared_with(&vectors(5)), Agreement::Different);
        assert_eq!(vectors(4).compared_with(&proved), Agreement::Older(1));
        assert_eq!(proved.compared_with(&vectors(4)), Agreement::Different);
    }
}
