//! Whose evaluation is asked: the hand-crafted one, or a network.

use std::sync::Arc;

use kiebitz_chess::{Color, Position};
use kiebitz_engine::{BuiltIn, ELO_RANGE};
use kiebitz_handcrafted::explain;
use kiebitz_inference::{Evaluator, Network, NetworkError};
use kiebitz_messages::{Opponent, Side};
use kiebitz_network::NetworkFile;

/// How the hand-crafted evaluation is called in requests.
const HANDCRAFTED: &str = "handcrafted";
const HANDCRAFTED_NAME: &str = "Kiebitz without a network";
/// What stands before the name of a network.
const NETWORK: &str = "network:";

/// How the network that is part of the program is called.
pub const BUILT_IN: &str = "kiebitz";

/// A network with everything that is known about it.
pub struct LoadedNetwork {
    /// Its name in requests.
    pub id: String,
    /// What its file says.
    pub file: NetworkFile,
    /// The same packed for play.
    pub network: Network,
}

impl LoadedNetwork {
    /// The network that is part of the program; `None` if the program was built with a broken one.
    #[must_use]
    pub fn built_in() -> Option<Self> {
        let built_in = BuiltIn::get().ok()?;
        Some(Self { id: BUILT_IN.to_owned(), file: built_in.file.clone(), network: built_in.network.clone() })
    }

    /// Packs a network.
    ///
    /// # Errors
    /// Says why it cannot be played.
    pub fn new(id: &str, file: NetworkFile) -> Result<Self, NetworkError> {
        let network = Network::new(&file)?;
        Ok(Self { id: id.to_owned(), file, network })
    }
}

/// An evaluation to ask; clones are the same one.
#[derive(Clone)]
pub enum Mind {
    /// The evaluation without a network.
    Handcrafted,
    /// A network.
    Network(Arc<LoadedNetwork>),
}

impl Mind {
    /// Its name in requests.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Handcrafted => HANDCRAFTED.to_owned(),
            Self::Network(network) => format!("{NETWORK}{}", network.id),
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Handcrafted => HANDCRAFTED_NAME.to_owned(),
            Self::Network(network) => network_name(&network.id),
        }
    }

    /// The network that a name in requests asks for; `None` for the hand-crafted evaluation.
    #[must_use]
    pub fn network_of(opponent: &str) -> Option<&str> {
        opponent.strip_prefix(NETWORK)
    }

    /// Whether a name in requests is that of the hand-crafted evaluation.
    #[must_use]
    pub fn is_handcrafted(opponent: &str) -> bool {
        opponent == HANDCRAFTED
    }

    /// The network, packed for play.
    #[must_use]
    pub fn network(&self) -> Option<&Network> {
        match self {
            Self::Handcrafted => None,
            Self::Network(loaded) => Some(&loaded.network),
        }
    }

    /// The value of a position before search, in centipawns for White.
    #[must_use]
    pub fn white_value(&self, position: &Position) -> i32 {
        match self {
            Self::Handcrafted => explain(position).white_value,
            Self::Network(loaded) => {
                let mut evaluator = Evaluator::new(&loaded.network);
                evaluator.reset(position);
                let value = evaluator.evaluate(position);
                if position.side_to_move() == Color::White { value } else { -value }
            }
        }
    }

    /// Whether two names mean the very same evaluation.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Handcrafted, Self::Handcrafted) => true,
            (Self::Network(one), Self::Network(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// Everybody who can be played against: the networks in the order given, then the hand-crafted evaluation.
pub fn opponents<'a>(networks: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Opponent> {
    let bound = |elo: i64| u32::try_from(elo).unwrap_or_default();
    let elo_range = Some((bound(*ELO_RANGE.start()), bound(*ELO_RANGE.end())));
    let network = |(id, description): (&str, &str)| Opponent {
        id: format!("{NETWORK}{id}"),
        name: network_name(id),
        // What the file of our own network says is for those who train networks.
        description: if id == BUILT_IN { "Judges positions by a network that was trained." } else { description }
            .to_owned(),
        elo_range,
        network: Some(id.to_owned()),
    };
    let handcrafted = Opponent {
        id: HANDCRAFTED.to_owned(),
        name: HANDCRAFTED_NAME.to_owned(),
        description: "Judges positions by rules that people wrote down.".to_owned(),
        elo_range,
        network: None,
    };
    networks.map(network).chain([handcrafted]).collect()
}

fn network_name(id: &str) -> String {
    if id == BUILT_IN {
        return "Kiebitz".to_owned();
    }
    let endings = [".gz", ".net", ".nnue"];
    let plain = endings.iter().fold(id, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    format!("Kiebitz with the network {plain}")
}

/// A color in messages.
pub(crate) fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}
