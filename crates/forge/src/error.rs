//! What can go wrong on the way from games to a network.

use std::path::{Path, PathBuf};

use kiebitz_compute::ComputeError;
use kiebitz_dataset::{DatasetError, IntakeError, LabelError};
use kiebitz_inference::NetworkError;
use kiebitz_network::FileError;
use kiebitz_tournament::runner::MatchError;
use kiebitz_trainer::{RecipeError, TrainError};
use thiserror::Error;

/// Why a job came to no end. What was finished stays finished.
#[derive(Debug, Error)]
pub enum ForgeError {
    /// Games or samples cannot be read.
    #[error(transparent)]
    Intake(IntakeError),
    /// Samples cannot be read or written.
    #[error(transparent)]
    Data(#[from] DatasetError),
    /// Samples cannot be labelled.
    #[error(transparent)]
    Label(LabelError),
    /// Training failed.
    #[error(transparent)]
    Train(TrainError),
    /// The device cannot be used.
    #[error(transparent)]
    Device(#[from] ComputeError),
    /// The recipe makes no sense.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A network cannot be read or written.
    #[error("{}: {source}", file.display())]
    Network {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
    /// The network cannot be played.
    #[error(transparent)]
    Inference(#[from] NetworkError),
    /// The match cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The system refused.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// No file of games or samples.
    #[error("{} is neither a PGN file nor a file of samples; known endings are .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, {endings}", file.display())]
    UnknownInput {
        /// The file.
        file: PathBuf,
        /// The endings of samples.
        endings: String,
    },
    /// The plan of a study makes no sense.
    #[error("the study: {0}")]
    Plan(String),
    /// A selection of features came to nothing.
    #[error("the features of entry {entry} cannot be selected: {source}")]
    Selection {
        /// The entry.
        entry: String,
        /// What is wrong.
        source: kiebitz_features::FeatureError,
    },
    /// Nothing is left to learn from.
    #[error("no position of the inputs is left to learn from: {0}")]
    NothingLeft(String),
    /// Samples would be missing without a word.
    #[error("{0}; fetch the file again, or make a shard of what is left with `kiebitz-lab data import` and take that")]
    CutOff(String),
    /// The network may overflow, or plays something else than its reference.
    #[error("the network is not proved: {0}")]
    Unproved(String),
    /// The output belongs to somebody else.
    #[error("{} exists and was not forged here; choose another --out, or remove it", .0.display())]
    Taken(PathBuf),
    /// Two jobs in one folder.
    #[error("another job is at work in {}; wait for it, or choose another --out", .0.display())]
    Busy(PathBuf),
    /// Somebody asked to stop.
    #[error("stopped while {0}; the same command goes on")]
    Stopped(&'static str),
}

impl ForgeError {
    pub(crate) fn io(file: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        |source| Self::Io { file: file.to_owned(), source }
    }

    pub(crate) fn network(file: &Path) -> impl FnOnce(FileError) -> Self + '_ {
        |source| Self::Network { file: file.to_owned(), source }
    }
}

impl From<IntakeError> for ForgeError {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::Stopped => Self::Stopped("importing"),
            other => Self::Intake(other),
        }
    }
}

impl From<TrainError> for ForgeError {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Stopped(_) => Self::Stopped("training"),
            other => Self::Train(other),
        }
    }
}

impl From<LabelError> for ForgeError {
    fn from(error: LabelError) -> Self {
        Self::Label(error)
    }
}
