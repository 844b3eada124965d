//! Everything that decides what is forged.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use kiebitz_dataset::LabelLimit;
use kiebitz_tournament::TimeControl;
use kiebitz_trainer::Recipe;
use kiebitz_uci::EngineCommand;

/// The recipe of a network that two cores train in minutes, from the few million samples that they can label.
pub const DEFAULT_RECIPE: &str = include_str!("default_recipe.toml");

/// Who scores samples that have no score.
#[derive(Clone, Debug)]
pub enum Teacher {
    /// Our own search with the hand-crafted evaluation, in this process.
    Own {
        /// Nodes for each position.
        nodes: u64,
    },
    /// Any UCI engine.
    Engine {
        /// How it is started.
        command: EngineCommand,
        /// How long it may look at each position.
        limit: LabelLimit,
    },
}

/// How the network is tried in play.
#[derive(Clone, Debug)]
pub struct ContestSettings {
    /// The engine program: it plays with the new network, and with what it is compared to.
    pub engine: PathBuf,
    /// A network to be compared with instead of the hand-crafted evaluation.
    pub against: Option<PathBuf>,
    /// What limits thinking.
    pub limit: TimeControl,
    /// Games against each opponent; rounded up to pairs.
    pub games: u32,
}

/// A whole job.
#[derive(Clone, Debug)]
pub struct ForgeSettings {
    /// Files of games (PGN) or samples (any format of `kiebitz-dataset`).
    pub inputs: Vec<PathBuf>,
    /// Where the network goes; its card stands beside it, and the stages in a folder of the same name with the ending `.forge`.
    pub out: PathBuf,
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// The most samples that are taken.
    pub samples: u64,
    /// Random positions of each game of a PGN file.
    pub per_game: usize,
    /// Who scores samples that have no score.
    pub teacher: Teacher,
    /// The share of games for validation.
    pub validation: f64,
    /// Network, loss, optimiser and length; its data are replaced, except for the filter.
    pub recipe: Recipe,
    /// How the network is tried.
    pub contest: ContestSettings,
    /// Threads for everything.
    pub threads: NonZeroUsize,
    /// The program with version and commit, for the card.
    pub program: String,
}

impl ForgeSettings {
    /// The folder of the stages.
    #[must_use]
    pub fn workshop(&self) -> PathBuf {
        self.out.with_extension("forge")
    }

    /// The network's name: that of its file without the ending.
    #[must_use]
    pub fn name(&self) -> String {
        self.out.file_stem().map_or_else(|| "network".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}
