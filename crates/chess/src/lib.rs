//! Rules and vocabulary of chess: squares, bitboards, positions, legal moves, notation, hashing, game history.
//!
//! The ground everything else stands on. It does no I/O, prints nothing, holds no `unsafe` code and builds for
//! WebAssembly. Three types tell how much is known of a position:
//!
//! | type | what it promises |
//! |---|---|
//! | [`Board`] | who stands where, nothing more |
//! | [`Setup`] | everything a FEN can say, legal or not |
//! | [`Position`] | a legal position, by the one definition in [`validity`] |
//!
//! and [`GameHistory`] adds the past, which repetition and taking back need.
//!
//! ```
//! use kiebitz_chess::{Claims, GameHistory};
//!
//! let mut game = GameHistory::default();
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     game.play(game.position().parse_san(san)?);
//! }
//! assert_eq!(game.ending(Claims::Made).unwrap().to_string(), "checkmate, black wins");
//! # Ok::<(), kiebitz_chess::SanError>(())
//! ```
//!
//! **Invariants:** no input makes this crate panic; every [`Position`] is legal; a position's key equals the key
//! computed from scratch; the same moves come out on every CPU.

pub mod attacks;
mod bitboard;
mod board;
mod check_targets;
mod chess960;
mod chess_move;
mod color;
mod ending;
mod epd;
mod exchange;
mod fen;
mod history;
mod indexed;
mod move_list;
mod movegen;
pub mod perft;
mod piece;
mod play;
mod position;
mod san;
mod score;
mod setup;
mod square;
mod uci_move;
pub mod validity;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use check_targets::CheckTargets;
pub use chess_move::{CastlingSide, Move, MoveKind};
pub use color::Color;
pub use ending::{Ending, Outcome};
pub use epd::{Epd, EpdError, Operation};
pub use exchange::EXCHANGE_VALUES;
pub use fen::{FenError, FenField, FenMode};
pub use history::{Claims, GameHistory};
pub use move_list::MoveList;
pub use movegen::{Legality, Stage};
pub use piece::{Piece, PieceKind};
pub use play::{BoardObserver, Unobserved};
pub use position::Position;
pub use san::{San, SanError, SanPlus, Suffix};
pub use score::{Score, Wdl};
pub use setup::Setup;
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci_move::{CastlingForm, UciMoveError};
pub use validity::Violation;
pub use zobrist::Key;
