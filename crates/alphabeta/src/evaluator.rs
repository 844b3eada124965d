//! What a position is worth without looking ahead.

use kiebitz_chess::{Move, Position, Unobserved};
use kiebitz_handcrafted as handcrafted;
use kiebitz_inference::{self as inference, BoardDelta, Network};

use crate::value::Value;

/// Which evaluation a searcher uses.
#[derive(Clone, Default)]
pub enum Evaluation {
    /// The tapered hand-crafted evaluation with all its terms.
    #[default]
    Handcrafted,
    /// Material and piece-square tables alone: the yardstick for networks.
    MaterialAndTables,
    /// A network.
    Network(Network),
}

/// An evaluation at work on the path of one thread.
pub(crate) enum Evaluator {
    Handcrafted(Box<handcrafted::Evaluator>),
    MaterialAndTables,
    Network(Box<inference::Evaluator>),
}

impl Evaluator {
    pub(crate) fn new(evaluation: &Evaluation) -> Self {
        match evaluation {
            Evaluation::Handcrafted => Self::Handcrafted(Box::new(handcrafted::Evaluator::new())),
            Evaluation::MaterialAndTables => Self::MaterialAndTables,
            Evaluation::Network(network) => Self::Network(Box::new(inference::Evaluator::new(network))),
        }
    }

    /// A new game begins.
    pub(crate) fn clear(&mut self) {
        if let Self::Handcrafted(evaluator) = self {
            evaluator.clear();
        }
    }

    /// A search begins from this position.
    pub(crate) fn reset(&mut self, root: &Position) {
        if let Self::Network(evaluator) = self {
            evaluator.reset(root);
        }
    }

    /// Plays a move into the next position.
    #[inline]
    pub(crate) fn play(&mut self, position: &Position, mv: Move, next: &mut Position) {
        if let Self::Network(evaluator) = self {
            let mut delta = BoardDelta::default();
            position.play_into(mv, next, &mut delta);
            evaluator.push(&delta);
        } else {
            position.play_into(mv, next, &mut Unobserved);
        }
    }

    /// The turn was passed.
    pub(crate) fn pass(&mut self) {
        if let Self::Network(evaluator) = self {
            evaluator.push(&BoardDelta::default());
        }
    }

    /// The last move or pass was taken back.
    #[inline]
    pub(crate) fn take_back(&mut self) {
        if let Self::Network(evaluator) = self {
            evaluator.pop();
        }
    }

    /// Centipawns for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Value {
        match self {
            Self::Handcrafted(evaluator) => evaluator.evaluate(position),
            Self::MaterialAndTables => handcrafted::material_and_tables(position),
            Self::Network(evaluator) => evaluator.evaluate(position),
        }
    }

    /// What the search makes of an evaluation, as the network's description says.
    #[inline]
    pub(crate) fn scaled(&self, position: &Position, evaluation: Value) -> Value {
        match self {
            Self::Network(evaluator) => evaluator.network().spec().search.of(evaluation, position),
            Self::Handcrafted(_) | Self::MaterialAndTables => evaluation,
        }
    }
}
