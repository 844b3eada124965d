//! Games: checked, kept as files, written and read as PGN.

mod check;
mod pgn;
mod store;

pub(crate) use check::check;
pub(crate) use pgn::{read_pgn, write_pgn};
pub(crate) use store::GameStore;
pub use store::StoreError;
