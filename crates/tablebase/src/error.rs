//! What can be wrong with tables.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why tables could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The list of folders is empty.
    #[error("the list of tablebase folders is empty: name at least one folder")]
    NoFolder,
    /// A folder is missing or cannot be listed.
    #[error("cannot read the tablebase folder {folder}: {source}", folder = folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not what its name says.
    #[error("{file} is not a whole Syzygy table ({reason}): download it again or remove it", file = file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// There is nothing to probe.
    #[error("there are no Syzygy tables (*.rtbw, *.rtbz) in {folders}")]
    NoTables {
        /// The list of folders as it was given.
        folders: String,
    },
}

/// Why a probe gave no answer.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// Tables hold no positions in which somebody may still castle.
    #[error("tables hold no position with castling rights")]
    Castling,
    /// No table covers so many pieces.
    #[error("{pieces} pieces stand on the board, the largest table covers {largest}")]
    TooManyPieces {
        /// Pieces on the board, kings included.
        pieces: usize,
        /// The most that any table covers.
        largest: usize,
    },
    /// The board cannot be expressed in the terms of the tables.
    #[error("the tables' reader refuses the position: {reason}")]
    Refused {
        /// What it says.
        reason: String,
    },
    /// A table is missing, unreadable or damaged.
    #[error("{reason}")]
    Table {
        /// What and which.
        reason: String,
    },
}
