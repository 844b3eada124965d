//! From games to samples that can be trusted.
//!
//! Sits on `chess`, `pgn` and `features`, with mapped files from `network`; trainers, self-play and the workshop's `data` commands sit on it.
//!
//! ```text
//! PGN, engines, foreign files ──▶ Chain (a game: positions linked by moves) ──▶ shards of blocks ──▶ Sample after Sample
//! ```
//!
//! - A [`Chain`] is a start position and what followed: moves, scores, clocks, and which positions are samples.
//! - [`ShardWriter`] and [`ShardReader`] keep chains in our own format, about two bytes a position; [`ChainDecoder`]
//!   shows them as [`Sample`]s faster than anything could use them.
//! - [`Loader`] turns shards into [`Batch`]es of feature indices for a trainer.
//! - [`Labelling`] asks an engine for scores; [`triplets`] need none.
//! - [`import_files`] and [`convert_files`] take in whole files and survive interruptions.
//! - [`import()`], [`Filter`], [`deduplicate`], [`Shuffle`], [`Split`] and [`Statistics`] are the steps in between.
//! - A [`Manifest`] beside the files says what they are, where they come from and by which rules.
//! - [`Format`] names all forms of files; [`ChainSource`] and [`ChainSink`] read and write any of them.
//!
//! **Invariants:** every position that comes out of any file is legal, and every move in it. What a file cannot say is not
//! made up. Files appear under their names complete, and no input makes this crate panic.

mod bits;
mod chain;
mod chain_code;
mod chain_flags;
mod deduplication;
mod error;
mod filter;
mod formats;
mod import;
mod intake;
mod labelling;
mod loader;
mod manifest;
mod move_code;
mod number_code;
mod output_file;
mod packed_position;
mod parts;
mod pick;
mod seeded;
mod shard;
mod shuffle;
mod splitting;
mod statistics;
mod triplet;

pub use chain::{Chain, ChainHead, Link, Sample};
pub use chain_code::{ChainDecoder, ChainEncoder, EncodedChains, MAX_LINKS};
pub use deduplication::deduplicate;
pub use error::{ChainError, DatasetError};
pub use filter::{Filter, Removal, Removals};
pub use formats::{ChainSink, ChainSource, Format, OwnSink, OwnSource};
pub use import::{GameRemoval, ImportReport, ImportRules, import, import_from};
pub use intake::{
    ConversionReport, ConversionRules, IntakeError, IntakeOutput, IntakeProgress, convert_files, import_files,
    inputs_with_sizes,
};
pub use labelling::{LabelError, LabelLimit, LabelProgress, Labelled, Labelling, OldScores, Scorer, ScoringJob};
pub use loader::{Batch, Loader, LoaderSettings, SparseRows};
pub use manifest::{MANIFEST_VERSION, Manifest, ManifestFile};
pub use output_file::WrittenFile;
pub use parts::{PartFate, PartLimit, Parts};
pub use shard::{
    Block, BlockEntry, Counts, Description, SHARD_MAGIC, SHARD_VERSION, ShardIndex, ShardReader, ShardWriter,
};
pub use shuffle::{Shuffle, ShuffleUnit};
pub use splitting::{Division, GameTraces, Split};
pub use statistics::{Leakage, ScoreStep, Statistics};
pub use triplet::{Triplet, triplets};
