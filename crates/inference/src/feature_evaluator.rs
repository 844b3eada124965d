//! The played value of samples that come as lists of features, as a trainer has them.

use kiebitz_chess::Color;

use crate::evaluator::{Buffers, Gathered};
use crate::network::Network;
use crate::sums::Sums;

/// Evaluates lists of features with the arithmetic of play: same rows, same kernels, same layers as [`crate::Evaluator`].
pub struct FeatureEvaluator {
    network: Network,
    sums: Sums,
    buffers: Buffers,
}

/// A position as a network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Features<'a> {
    /// The features that White sees.
    pub white: &'a [u32],
    /// The features that Black sees; not looked at by networks of one view.
    pub black: &'a [u32],
    /// Pieces on the board, kings included.
    pub pieces: usize,
    /// Who is to move.
    pub mover: Color,
}

impl FeatureEvaluator {
    /// An evaluator of a network.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        let packed = network.packed();
        Self { network: network.clone(), sums: Sums::empty(packed), buffers: Buffers::new(packed) }
    }

    /// The value in the network's internal units for the side to move; nothing if a feature is not one of the network's.
    pub fn units(&mut self, features: Features<'_>) -> Option<i32> {
        let network = self.network.packed();
        let spec = &network.spec;
        let count = network.features().count();
        let bucket = spec.buckets.index(features.pieces);
        let order = match (spec.views(), features.mover) {
            (2, Color::Black) => [features.black, features.white],
            _ => [features.white, features.black],
        };
        let mut gathered = Gathered::default();
        for (number, active) in order[..spec.views()].iter().enumerate() {
            if active.iter().any(|&index| index >= count) {
                return None;
            }
            self.sums.clear(network);
            self.sums.update_in_place(network, active, &[]);
            gathered.add(network, &self.sums, number, bucket, &mut self.buffers);
        }
        Some(gathered.outcome(network, bucket, features.mover, &mut self.buffers).units())
    }
}
