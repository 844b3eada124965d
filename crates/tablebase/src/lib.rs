//! Endgames that are known exactly: Syzygy tables behind one trait, and root moves ranked by them.
//!
//! Sits on `chess` alone. Searchers and adjudication ask a [`Tablebase`]; [`SyzygyTables`] is the one that reads files.
//! Tables know two things about a position: who wins ([`TableResult`]), and how far the next capture or pawn move is
//! when that is done well ([`Dtz`]). Everything that depends on the fifty-move counter is derived from the two here,
//! once, for everybody.
//!
//! ```no_run
//! use kiebitz_chess::GameHistory;
//! use kiebitz_tablebase::{FiftyMoveRule, SyzygyTables, Tablebase};
//!
//! let tables = SyzygyTables::open("/tables/3-4-5:/tables/6")?;
//! let game = GameHistory::new("8/8/8/8/8/2k5/1p6/K7 b - - 0 1".parse()?);
//! if let Some(ranking) = tables.rank_root(&game, FiftyMoveRule::Honoured) {
//!     let candidates = ranking.keeping_the_result();
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariants:** no file and no position makes this crate panic. Nothing is guessed: what the tables cannot say is
//! `None`, castling rights above all, for tables hold no position with them. Probing changes nothing that another
//! thread could see.

mod dtz;
mod error;
mod foreign_position;
mod root;
mod syzygy;
mod table_file;
mod table_result;
mod tablebase;

pub use dtz::Dtz;
pub use error::{OpenError, ProbeError};
pub use root::{RootMove, RootRanking};
pub use syzygy::SyzygyTables;
pub use table_result::{FiftyMoveRule, TableResult};
pub use tablebase::Tablebase;
