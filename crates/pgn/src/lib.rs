//! Games in PGN: a streaming reader that never trusts its input, and a writer.
//!
//! ```text
//! Source ──▶ Chunks ──▶ Tokens ──▶ replay on a Position ──▶ Visitor (streaming)
//! (file,     (whole     (words of                      └──▶ Game (tree in memory) ──▶ writer
//!  .zst …)    games)     movetext)
//! ```
//!
//! - [`Source`] opens plain, zstd, gzip and bzip2 files.
//! - [`GameReader`] yields whole [`Game`]s; [`visit`] shows moves to a [`Visitor`] without keeping anything, which is
//!   what an import wants; [`read_parallel`] does either on several threads, results in the order of the file.
//! - A broken game is reported as a [`BrokenGame`], with file, number, line and reason, and skipped; the rest is read.
//! - [`Game`] prints itself as PGN; [`write_game`] writes it to a file.
//!
//! **Invariants:** every move that comes out was found legal on our own [`kiebitz_chess::Position`]. Memory is bounded
//! whatever the input. Nothing here prints, panics on bad input, or knows what games are wanted for.

mod annotation;
mod boundary;
mod chunk;
mod comment;
mod encoding;
mod error;
mod game;
mod marker;
mod nag;
mod notation;
mod parallel;
mod reader;
mod replay;
mod source;
mod tags;
mod token;
mod variant;
mod writer;

pub use annotation::{BoardMark, Command, Commands, EngineNote, Evaluation, EvaluationScore, MarkColor, RawComment};
pub use chunk::{CHUNK_BYTES, Chunk, Chunks, MAX_GAME_BYTES};
pub use comment::Comment;
pub use error::{BrokenGame, BrokenKind, BrokenReason, MoveNumber, SourceError, SourceProblem};
pub use game::{Game, NodeId};
pub use nag::Nag;
pub use parallel::read_parallel;
pub use reader::{GameReader, visit};
pub use replay::{MAX_VARIATION_DEPTH, Visitor, Want};
pub use source::{Compression, Source};
pub use tags::{SEVEN_TAG_ROSTER, Tags};
pub use writer::write_game;
