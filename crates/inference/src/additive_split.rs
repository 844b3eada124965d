//! What every piece adds to a network's value, so that all of it sums up to the value exactly.
//!
//! The accumulators are sums over features, and every feature speaks of a piece (or of two, who share it). On the straight
//! way from the accumulators of an empty board (biases alone) to those of the position, the value changes bit by bit, and
//! every bit is shared out by secants among the features ([`crate::smooth_layers`]). That is the split of Aumann and Shapley:
//! pieces that the network does not see get nothing, pieces that it cannot tell apart get the same, and no order of pieces
//! plays a part. What integers lose by rounding on the way is told as a share of its own.

use kiebitz_chess::{Color, Piece, Position, Square};

use crate::smooth_layers::SmoothLayers;
use crate::{Evaluator, Network};

/// Steps on the way from the empty board to the position.
const STEPS: usize = 64;

/// The share of one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceShare {
    /// Where it stands.
    pub square: Square,
    /// Which piece it is.
    pub piece: Piece,
    /// What it adds, in tenths of a centipawn as White sees them.
    pub tenths: i64,
}

/// The share of one active feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureShare {
    /// Whose view it belongs to.
    pub view: Color,
    /// Which feature.
    pub index: u32,
    /// The squares of the pieces it speaks of; the same one twice for a single piece.
    pub owners: [Square; 2],
    /// What it adds, in tenths of a centipawn as White sees them.
    pub tenths: i64,
}

/// The share of one neuron of an accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NeuronShare {
    /// Whose accumulator it belongs to.
    pub view: Color,
    /// Which neuron.
    pub neuron: usize,
    /// What it adds, in tenths of a centipawn as White sees them.
    pub tenths: i64,
}

/// A value and the shares it is made of, all as White sees them: the tenths of all pieces, [`Self::empty`] and
/// [`Self::rounding`] sum up to ten times [`Self::centipawns`], exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdditiveSplit {
    /// Every piece, kings included, from a1 to h8. A king of whom the features do not speak, except as the context of
    /// others, has no share.
    pub pieces: Vec<PieceShare>,
    /// The same shares by feature: every piece has those of its features, halved where two pieces share one.
    pub features: Vec<FeatureShare>,
    /// The same value by neurons, a shortcut left out: what flows through each on the way from the empty board.
    pub neurons: Vec<NeuronShare>,
    /// What the network says of an empty board, in tenths of a centipawn: biases, and who is to move.
    pub empty: i64,
    /// What rounding adds, in tenths of a centipawn: that of the network's integers, and that of the shares.
    pub rounding: i64,
    /// The value as the network gives it.
    pub centipawns: i32,
}

/// Splits the value of a position among its pieces.
#[must_use]
pub fn additive_split(network: &Network, position: &Position) -> AdditiveSplit {
    let mover = position.side_to_move();
    let mut evaluator = Evaluator::new(network);
    evaluator.reset(position);
    let value = evaluator.evaluate(position);
    let centipawns = if mover == Color::White { value } else { value.wrapping_neg() };

    let packed = network.packed();
    let (spec, views) = (&packed.spec, packed.spec.views());
    let order = if views == 2 { vec![mover, !mover] } else { vec![Color::White] };
    // A network of one view speaks for White already.
    let sign = if views == 2 && mover == Color::Black { -1.0 } else { 1.0 };
    let to_tenths = sign * 10.0 * f64::from(spec.centipawns.times) / f64::from(spec.centipawns.per.max(1));
    let bucket = spec.buckets.index(position.occupied().len());
    let layers = SmoothLayers::new(spec, packed.plain_stack(bucket));

    let empty = packed.plain_biases();
    let mut full = vec![empty.clone(); views];
    let mut features = Vec::new();
    for (number, &view) in order.iter().enumerate() {
        packed.features().for_each_owned(position, view, &mut |feature| {
            full[number].iter_mut().zip(packed.plain_row(feature.index)).for_each(|(sum, weight)| *sum += weight);
            features.push((number, feature));
        });
    }
    let at = |step: usize| {
        let part = step as f64 / STEPS as f64;
        let between = |full: &Vec<f64>| -> Vec<f64> {
            full.iter().zip(&empty).map(|(full, empty)| empty + part * (full - empty)).collect()
        };
        layers.pass(full.iter().map(between).collect())
    };
    let start = at(0);
    let empty_tenths = (start.units * to_tenths).round() as i64;
    let mut slopes = vec![vec![0.0; empty.len()]; views];
    let mut here = start;
    for step in 1..=STEPS {
        let there = at(step);
        for (slopes, secants) in slopes.iter_mut().zip(layers.secants(&here, &there)) {
            slopes.iter_mut().zip(secants).for_each(|(slope, secant)| *slope += secant / STEPS as f64);
        }
        here = there;
    }

    let in_tenths = |share: f64| (share * to_tenths).round() as i64;
    let mut neurons = Vec::new();
    for (number, (full, slopes)) in full.iter().zip(&slopes).enumerate() {
        for (neuron, ((full, empty), slope)) in full.iter().zip(&empty).zip(slopes).enumerate() {
            neurons.push(NeuronShare { view: order[number], neuron, tenths: in_tenths((full - empty) * slope) });
        }
    }
    let mut shares = [0.0; Square::COUNT];
    let mut feature_shares = Vec::new();
    for (number, feature) in features {
        let row = packed.plain_row(feature.index).zip(&slopes[number]);
        let direct = packed.plain_shortcut(feature.index, bucket) / 2.0 * layers.output_factor();
        let direct = if number == 0 { direct } else { -direct };
        let share = row.map(|(weight, slope)| weight * slope).sum::<f64>() + direct;
        feature.owners.into_iter().for_each(|owner| shares[owner.index()] += share / 2.0);
        let (view, index, owners) = (order[number], feature.index, feature.owners);
        feature_shares.push(FeatureShare { view, index, owners, tenths: in_tenths(share) });
    }
    let tenths = |square: Square| in_tenths(shares[square.index()]);
    let board = position.board();
    let pieces: Vec<PieceShare> =
        board.iter().map(|(square, piece)| PieceShare { square, piece, tenths: tenths(square) }).collect();
    let told = pieces.iter().map(|share| share.tenths).sum::<i64>() + empty_tenths;
    AdditiveSplit {
        pieces,
        features: feature_shares,
        neurons,
        empty: empty_tenths,
        rounding: 10 * i64::from(centipawns) - told,
        centipawns,
    }
}
