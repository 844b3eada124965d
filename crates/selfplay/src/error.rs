//! What can go wrong when games are produced.

use std::path::PathBuf;

use kiebitz_dataset::DatasetError;
use thiserror::Error;

/// Why games could not be produced.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// A file could not be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The folder could not be created.
    #[error("cannot create the folder {}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder was begun with other rules, another program or another network.
    #[error("{} holds games of other rules: `{what}` was {was} and is {is} now; take another folder", folder.display())]
    OtherRules {
        /// The folder.
        folder: PathBuf,
        /// The rule that differs first.
        what: String,
        /// As the folder has it.
        was: String,
        /// As it is asked for.
        is: String,
    },
    /// A shard of the folder is not what its name says.
    #[error("{} does not hold games {first} to {last}: {reason}; remove it, and it will be made again", shard.display())]
    Shard {
        /// The shard.
        shard: PathBuf,
        /// Its first game.
        first: u64,
        /// Its last game.
        last: u64,
        /// What is wrong.
        reason: String,
    },
    /// The first game does not begin a shard.
    #[error("game {first} does not begin a shard: shards have {per_shard} games each")]
    First {
        /// The game.
        first: u64,
        /// Games in a shard.
        per_shard: u32,
    },
    /// Somebody asked to stop; finished parts stay.
    #[error("stopped; the same job goes on where it was")]
    Stopped,
}
