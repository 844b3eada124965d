//! What a network is: its description, its weights at every stage, its files, and what its numbers mean.
//!
//! A [`NetworkSpec`] describes a network once; sizes, scales and the order of every index follow from it. Weights pass
//! through the stages [`FloatWeights`], [`MergedWeights`] and [`QuantisedWeights`]; [`quantise`] refuses what would
//! overflow, and a [`Certificate`] proves what cannot. [`NetworkFile`] reads and writes our own format and reads those of
//! others ([`stockfish`] with its [`leb128`], [`bullet`]). The meaning of it all is in [`mod@reference`], slow and exact: whatever plays faster
//! must give the same integers.
//!
//! **Invariants:** a file that is read and written again has the same bytes; no bytes make this crate panic; a spec's text reads back to
//! an equal spec. Weights claim no memory out of proportion to the bytes they are read from. Two things do: a compressed file may unpack to
//! 1 GiB, and a description that numbers sets anew (`live(…)`, `top(…)`) has tables of two hundred megabytes at most. Whoever reads files of
//! strangers limits the memory of the program.

mod bounds;
pub mod bullet;
mod byte_reader;
mod certificate;
mod error;
mod hexadecimal;
pub mod leb128;
#[cfg(not(target_family = "wasm"))]
mod mapped_file;
mod network_file;
mod numbers;
mod quantiser;
pub mod reference;
mod rows;
mod spec;
mod spec_text;
pub mod stockfish;
mod vector_steps;
mod weights;

pub use bounds::Bounds;
pub use certificate::{Agreement, Certificate, RoundingReport, compare};
pub use error::FileError;
#[cfg(not(target_family = "wasm"))]
pub use mapped_file::MappedFile;
#[cfg(not(target_family = "wasm"))]
pub use network_file::write_file;
pub use network_file::{Header, NetworkFile, checksum};
pub use numbers::{ACTIVATION_RANGE, Centipawns, Numbers, OutputNumbers, SearchScale};
pub use quantiser::{QuantiseError, dequantise, quantise};
pub use reference::{Evaluation, LayerTrace, Trace, ViewTrace};
pub use rows::Rows;
pub use spec::{
    AccumulatedTrunk, AccumulatorActivation, DenseActivation, DenseLayer, Head, Inputs, Layer, LayerShape, NetworkSpec,
    OutputBuckets, SpecError, Trunk,
};
pub use weights::{Dense, FloatWeights, MergedWeights, QuantisedWeights, ShapeError};
