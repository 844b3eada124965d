//! What can go wrong in a run.

use std::path::{Path, PathBuf};

use kiebitz_compute::ComputeError;
use kiebitz_dataset::DatasetError;
use kiebitz_network::{FileError, QuantiseError, ShapeError};

use crate::recipe::RecipeError;

/// Why a run could not start, go on, or end.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The recipe is not understood.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The samples cannot be read.
    #[error(transparent)]
    Data(#[from] DatasetError),
    /// The device fails.
    #[error(transparent)]
    Device(#[from] ComputeError),
    /// The network cannot be written.
    #[error(transparent)]
    Network(#[from] FileError),
    /// The weights cannot become integers.
    #[error("the network cannot be quantised: {0}")]
    Quantise(#[from] QuantiseError),
    /// The weights do not fit the description.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The network cannot be played.
    #[error("the network cannot be played: {0}")]
    Unplayable(#[from] kiebitz_inference::NetworkError),
    /// Samples were made for another set of features.
    #[error(
        "the samples have features that the network does not know; this is an error of this program, please report it"
    )]
    OtherFeatures,
    /// A file or folder cannot be used.
    #[error("{path}: {error}")]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file of samples does not exist.
    #[error(
        "the samples {0} do not exist; paths are relative to where the program runs, and `kiebitz-lab data` makes such files"
    )]
    MissingData(PathBuf),
    /// There is nothing to begin with.
    #[error(
        "{0} is named as training.start and holds no checkpoint; it should be the folder `checkpoints` of a finished run, or a network file"
    )]
    NoStart(PathBuf),
    /// The weights to begin with belong to another network.
    #[error(
        "{0} is named as training.start and belongs to another network; a run can only begin with weights of its own network"
    )]
    OtherStart(PathBuf),
    /// The network file to begin with cannot be read.
    #[error("{path} is named as training.start: {error}")]
    StartFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// A line of triplets makes no sense.
    #[error("{path}, line {line}: {reason}; `kiebitz-lab data pqr` writes such files")]
    Triplet {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint is broken.
    #[error(
        "{path}: this checkpoint cannot be used: {reason}; delete it, and --resume goes on from an older one, or begins anew where there is none"
    )]
    Checkpoint {
        /// Where it lies.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint is of a version that is not known here.
    #[error("{path} has version {version}, which this program cannot read; go on with the program that has written it")]
    UnknownVersion {
        /// Where it lies.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The checkpoint belongs to another run.
    #[error("{path} was made by another recipe ({what} differs); choose another folder with --out, or delete this one")]
    OtherRun {
        /// Where it lies.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// The samples are not those that the run began with.
    #[error(
        "{path} has learned from other samples: {what}; bring back the files that it began with, or begin anew in another folder with --out"
    )]
    OtherData {
        /// The run's folder.
        path: PathBuf,
        /// What differs first.
        what: String,
    },
    /// The folder holds a run already.
    #[error("{0} already holds a run; go on with --resume, or choose another folder with --out")]
    Taken(PathBuf),
    /// Two runs in one folder.
    #[error("another program trains in {0}; wait for it, or choose another folder with --out")]
    Busy(PathBuf),
    /// The loss is no number any more.
    #[error("the loss of batch {batch} of seed {seed} is not a number; lower the learning rate, or look at that batch")]
    NotANumber {
        /// The batch, counted from 0.
        batch: u64,
        /// The seed of the loader.
        seed: u64,
    },
    /// The loss of the validation samples is no number any more.
    #[error(
        "after {step} steps the loss of the validation samples is not a number; lower the learning rate, or look at those samples"
    )]
    ValidationNotANumber {
        /// Steps done; the last checkpoint is from before.
        step: u64,
    },
    /// Somebody asked the run to stop; a checkpoint was written.
    #[error("stopped after {0} steps; go on with --resume")]
    Stopped(u64),
}

impl TrainError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}
