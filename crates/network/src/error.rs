//! What can be wrong with a network file.

use crate::spec::SpecError;
use crate::weights::ShapeError;

/// Why a file is not accepted as a network, or cannot be written as one.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read or written at all.
    #[error("{path}: {error}")]
    Io {
        /// Which file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A compressed file that cannot be unpacked.
    #[error("the file is compressed by gzip and cannot be unpacked: {0}")]
    Gzip(String),
    /// The first bytes belong to no format that is known.
    #[error(
        "not a network file: it starts with {found}; known are Kiebitz networks (magic 'KIEBNET') and Stockfish's .nnue \
         of versions 0x7AF32F16 and 0x7AF32F20"
    )]
    UnknownFormat {
        /// The first bytes.
        found: String,
    },
    /// A version of our own format from the future, or damage.
    #[error(
        "format version {found} is not understood; this program reads version {known}: use a newer program or convert the file again"
    )]
    UnknownVersion {
        /// The version in the file.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// The mark of the byte order is wrong.
    #[error(
        "the byte-order mark is {found:#010x} instead of {expected:#010x}: the file was written or changed by a program with another byte order"
    )]
    ByteOrder {
        /// The mark in the file.
        found: u32,
        /// What it should be.
        expected: u32,
    },
    /// The file ends too early.
    #[error("the file ends inside of {what}: at byte {at} another {wanted} bytes were expected, {left} are left")]
    Truncated {
        /// The part that is cut off.
        what: &'static str,
        /// Where it starts.
        at: usize,
        /// How long it should be.
        wanted: usize,
        /// How long it is.
        left: usize,
    },
    /// Bytes after the last part.
    #[error("{count} bytes follow the end of the network")]
    TrailingBytes {
        /// How many.
        count: usize,
    },
    /// The content is not what the checksum was made of.
    #[error("the checksum is {found}, but the content has {computed}: the file is damaged")]
    Checksum {
        /// As stored.
        found: String,
        /// As computed.
        computed: String,
    },
    /// One of Stockfish's networks, whose name is its only checksum.
    #[error(
        "by its name the SHA-256 of the file begins with {found}, but it begins with {computed}: the file is damaged, or has the \
         name of another one"
    )]
    Name {
        /// As the name says.
        found: String,
        /// As computed.
        computed: String,
    },
    /// The header cannot be read.
    #[error("the header cannot be read: {0}")]
    Header(String),
    /// The description in the header is wrong.
    #[error("the description cannot be used: {0}")]
    Spec(#[from] SpecError),
    /// The weights do not fit the description.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A hash of Stockfish's format that does not fit.
    #[error("{what} has the hash {found:#010x} instead of {expected:#010x}: another architecture, or damage")]
    Hash {
        /// Which part.
        what: &'static str,
        /// As stored.
        found: u32,
        /// As computed.
        expected: u32,
    },
    /// A compressed block that is not well-formed.
    #[error("{what}: the compressed block is malformed at byte {at}")]
    Compression {
        /// Which part.
        what: &'static str,
        /// Where in the block.
        at: usize,
    },
    /// Something that the other format cannot say.
    #[error("cannot be written as {format}: {reason}")]
    NotExpressible {
        /// The other format.
        format: &'static str,
        /// What it cannot say.
        reason: String,
    },
}
