//! What can be wrong with samples and their files.

use std::io;
use std::path::{Path, PathBuf};

use kiebitz_chess::Move;
use thiserror::Error;

/// Why a chain cannot be written or read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ChainError {
    /// No positions, or too many.
    #[error("a chain has {count} positions; it must have between 1 and 65535")]
    Length {
        /// How many.
        count: usize,
    },
    /// A move is illegal, or missing before the end.
    #[error("position {number} of a chain, {fen}: {}", illegal(*mv))]
    Move {
        /// The position's number in the chain, from 0.
        number: usize,
        /// The move.
        mv: Option<Move>,
        /// The position.
        fen: String,
    },
    /// The start position is none.
    #[error("a chain begins with an impossible position: {reason}")]
    Start {
        /// What is wrong with it.
        reason: String,
    },
    /// The bytes make no sense.
    #[error("the bytes of a chain make no sense at {reason}")]
    Damaged {
        /// Where.
        reason: &'static str,
    },
}

fn illegal(mv: Option<Move>) -> String {
    match mv {
        Some(mv) => format!("{mv} is not legal"),
        None => "only the last one may be without a move".to_owned(),
    }
}

/// What to do about what the system says.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; make room and give the same command again: what is finished stays finished"
        }
        _ => "",
    }
}

/// Why a file cannot be written or read.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The system refused.
    #[error("{}: {source}{}", file.display(), advice(source))]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is of another kind, or of a version we do not know.
    #[error("{} is not {expected}: {reason}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What was expected.
        expected: &'static str,
        /// What it is instead.
        reason: String,
    },
    /// The file ends in the middle of something; everything before has been read.
    #[error("{} is cut off at byte {at}; everything before was read", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Where what is incomplete begins.
        at: u64,
    },
    /// Training would use a part of the samples without a word.
    #[error(
        "{} is cut off at byte {at}, so that samples are missing; fetch it again, or make a whole file of what is left with \
         `kiebitz-lab data convert`",
        file.display()
    )]
    Incomplete {
        /// The file.
        file: PathBuf,
        /// Where what is incomplete begins.
        at: u64,
    },
    /// A part of the file is damaged.
    #[error("{} is damaged at byte {at}: {reason}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where the damaged part begins.
        at: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// There is nothing to learn from.
    #[error("there are no samples: the files are empty, or the filter leaves nothing")]
    Empty,
    /// A sample cannot be written in this form.
    #[error("{}: {reason}", file.display())]
    Inexpressible {
        /// The file that is being written.
        file: PathBuf,
        /// What the format cannot say.
        reason: String,
    },
}

impl DatasetError {
    /// For `map_err` on what the system does with a file.
    pub(crate) fn io(file: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Io { file: file.to_owned(), source }
    }

    /// For `map_err` on what is wrong with a chain that begins at a byte of a file.
    pub(crate) fn damaged(file: &Path, at: u64, reason: impl ToString) -> Self {
        Self::Damaged { file: file.to_owned(), at, reason: reason.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_with_what_to_do() {
        let said = |kind: io::ErrorKind| DatasetError::io(Path::new("out.kbz"))(kind.into()).to_string();
        assert!(
            said(io::ErrorKind::StorageFull).contains("out.kbz: ")
                && said(io::ErrorKind::StorageFull).contains("make room")
        );
        assert!(!said(io::ErrorKind::NotFound).contains("make room"));
    }
}
