//! The feature-set algebra: from a position to active indices, from a move to changed ones, with names and counts.
//!
//! A feature set is written as an expression and compiled once ([`FeatureSet::parse`]). Its letters are *attributes*,
//! a property of a thing on the board:
//!
//! | thing | what it stands for |
//! |---|---|
//! | `king` | the own king; it does not range but gives the others their context |
//! | `piece`, `any`, `pawn`, `kings`, `enemy_king` | every piece but the kings, every piece, … |
//! | `move` | every way in which a piece could go |
//! | `first`, `second` | the two pieces of a pair, inside of `pairs(…)` |
//!
//! with the properties `square file rank diagonal antidiagonal role color relative_file relative_rank target` and
//! `bucket[…]`. `A * B` has an index for every combination (A changes slowest), `A + B` puts one set behind the
//! other, `pairs(A, filter, …)` speaks of pairs of pieces, `live(A)` numbers anew without dead features, `top(A, […])`
//! keeps the listed features, `dead(n)` leaves n indices unused, and `A ^ B` adds coarser features for training.
//! `half(A)` looks at the board once for either side, `rotated` or mirrored (`king_on_efgh`, `king_on_abcd`) on demand.
//!
//! The crate stands on `chess` alone; networks, data loaders, players and pictures all ask it the same questions.
//!
//! **Invariants:** the text printed for a set reads back to an equal set; the features of a position after any moves are
//! those of the position before them changed move by move; no text makes this crate panic or use unbounded memory; a
//! dead feature is never active.

mod attribute;
mod board_delta;
mod dynamic_block;
mod error;
mod expression;
mod factoriser;
mod feature_names;
mod feature_set;
mod layout;
mod named_sets;
mod parser;
mod piece_tables;
mod reach;
mod selection;
mod survey;
mod thing;
mod view;

pub use attribute::{Attribute, BucketTable, Property};
pub use board_delta::BoardDelta;
pub use dynamic_block::OwnedFeature;
pub use error::FeatureError;
pub use expression::{Expression, PairFilter};
pub use factoriser::Factoriser;
pub use feature_set::{FeatureDelta, FeatureSet, Update};
pub use named_sets::{NAMED_SETS, NamedSet, named_set};
pub use piece_tables::PieceView;
pub use survey::FeatureSurvey;
pub use thing::Thing;
pub use view::{Half, Mirror, Turn};
