//! Files of samples in our own and in foreign forms, behind two traits.
//!
//! | format | file ending | a position costs | says |
//! |---|---|---|---|
//! | [`kiebitz`](Format::Kiebitz) | `.kbz` | about 2 bytes | everything |
//! | [`binpack`](Format::Binpack) | `.binpack` | about 2 bytes | move, score, ply, result |
//! | [`viriformat`](Format::Viriformat) | `.vf` | 4 bytes | move, score, result |
//! | [`bulletformat`](Format::Bulletformat) | `.bf` | 32 bytes | score, result; no counters, no castling, no en passant |
//! | [`plain`](Format::Plain) | `.plain` | about 110 bytes | move, score, ply, result |
//! | [`text`](Format::Text) | `.txt` | about 75 bytes | score, result |
//! | [`epd`](Format::Epd) | `.epd` | about 100 bytes | move, score, result |
//! | [`npy`](Format::Npy) | `.npy` | 835 bytes | move; no counters, no castling, no en passant |
//! | [`parquet`](Format::Parquet) | `.parquet` | about 30 bytes | everything, position by position |
//!
//! A format that needs what a sample does not have refuses it, and says what is missing; nothing is made up.

pub(crate) mod binpack;
mod bulletformat;
mod epd;
mod fixed_records;
mod linking;
mod npy;
mod own;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
mod text;
mod text_lines;
mod viriformat;

use std::fmt;
use std::path::Path;

use crate::{Chain, ChainDecoder, DatasetError, Description, EncodedChains, WrittenFile};

pub use own::{OwnSink, OwnSource};

/// Where chains come from.
pub trait ChainSource {
    /// Reads the next chain into `chain`; `false` behind the last.
    ///
    /// # Errors
    ///
    /// When the file is damaged or cut off; what was read before is good.
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError>;

    /// Bytes of the file that have been read.
    fn consumed(&self) -> u64;
}

/// Where chains go.
pub trait ChainSink {
    /// Writes a chain; positions that are not kept are left out where the format cannot mark them.
    ///
    /// # Errors
    ///
    /// When the format needs something that the chain does not say, or the disk is full.
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError>;

    /// Writes chains that were encoded elsewhere.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    fn write_encoded(&mut self, chains: &EncodedChains) -> Result<(), DatasetError> {
        let mut decoder = ChainDecoder::new(&chains.bytes);
        let mut chain = Chain::default();
        // Chains that were encoded can be decoded; if not, the rest is lost, and the counts show it.
        while decoder.next_chain(&mut chain).unwrap_or(false) {
            self.write(&chain)?;
        }
        Ok(())
    }

    /// Bytes so far, roughly.
    fn bytes(&self) -> u64;

    /// Completes the file and gives it its name; some formats are several files.
    ///
    /// # Errors
    ///
    /// When the disk is full.
    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError>;
}

/// A form in which samples are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Our own shards.
    Kiebitz,
    /// Stockfish's compressed training data.
    Binpack,
    /// Viridithas' games: a packed board and four bytes a move.
    Viriformat,
    /// Bullet's boards of 32 bytes, seen by the side to move.
    Bulletformat,
    /// Stockfish's readable training data: `fen`, `move`, `score`, `ply`, `result`, `e`.
    Plain,
    /// Lines of `FEN | score | result`, both from White's view.
    Text,
    /// Lines of EPD with `ce`, `sm` and `c9`.
    Epd,
    /// Pairs of NumPy arrays: 833 truth values, and a move.
    Npy,
    /// A table with a row for each sample; there with the feature `parquet`.
    Parquet,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Kiebitz,
        Self::Binpack,
        Self::Viriformat,
        Self::Bulletformat,
        Self::Plain,
        Self::Text,
        Self::Epd,
        Self::Npy,
        Self::Parquet,
    ];

    /// The name, as commands take it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kiebitz => "kiebitz",
            Self::Binpack => "binpack",
            Self::Viriformat => "viriformat",
            Self::Bulletformat => "bulletformat",
            Self::Plain => "plain",
            Self::Text => "text",
            Self::Epd => "epd",
            Self::Npy => "npy",
            Self::Parquet => "parquet",
        }
    }

    /// The file endings that mean this format.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Kiebitz => &["kbz"],
            Self::Binpack => &["binpack"],
            Self::Viriformat => &["vf", "viri", "viriformat"],
            Self::Bulletformat => &["bf", "bullet", "bulletformat"],
            Self::Plain => &["plain"],
            Self::Text => &["txt"],
            Self::Epd => &["epd"],
            Self::Npy => &["npy"],
            Self::Parquet => &["parquet"],
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that a file's ending means.
    #[must_use]
    pub fn of_file(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.endings().contains(&ending.as_str()))
    }

    /// Opens a file of this format.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is something else.
    pub fn open(self, path: &Path) -> Result<Box<dyn ChainSource + Send>, DatasetError> {
        Ok(match self {
            Self::Kiebitz => Box::new(OwnSource::open(path)?),
            Self::Binpack => Box::new(binpack::BinpackSource::open(path)?),
            Self::Viriformat => Box::new(viriformat::ViriformatSource::open(path)?),
            Self::Bulletformat => Box::new(bulletformat::BulletformatSource::open(path)?),
            Self::Plain => Box::new(plain::PlainSource::open(path)?),
            Self::Text => Box::new(text::TextSource::open(path)?),
            Self::Epd => Box::new(epd::EpdSource::open(path)?),
            Self::Npy => Box::new(npy::NpySource::open(path)?),
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::new(parquet::ParquetSource::open(path)?),
            #[cfg(not(feature = "parquet"))]
            Self::Parquet => return Err(without_parquet(path)),
        })
    }

    /// Begins a file of this format; only our own keeps the description.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn create(self, path: &Path, description: &Description) -> Result<Box<dyn ChainSink + Send>, DatasetError> {
        Ok(match self {
            Self::Kiebitz => Box::new(OwnSink::create(path, description)?),
            Self::Binpack => Box::new(binpack::BinpackSink::create(path)?),
            Self::Viriformat => Box::new(viriformat::ViriformatSink::create(path)?),
            Self::Bulletformat => Box::new(bulletformat::BulletformatSink::create(path)?),
            Self::Plain => Box::new(plain::PlainSink::create(path)?),
            Self::Text => Box::new(text::TextSink::create(path)?),
            Self::Epd => Box::new(epd::EpdSink::create(path)?),
            Self::Npy => Box::new(npy::NpySink::create(path)?),
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::new(parquet::ParquetSink::create(path)?),
            #[cfg(not(feature = "parquet"))]
            Self::Parquet => return Err(without_parquet(path)),
        })
    }
}

#[cfg(not(feature = "parquet"))]
fn without_parquet(path: &Path) -> DatasetError {
    let reason = "this program was built without Parquet".to_owned();
    DatasetError::Foreign { file: path.to_owned(), expected: "readable here", reason }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
/// What is said when a format needs something that a sample does not have.
fn lacking(what: &str) -> String {
    let advice = if what == "score" { "; `--scored-only` leaves such samples out" } else { "" };
    format!("the format needs a {what}, and a sample has none{advice}")
}
