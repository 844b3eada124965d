//! The teaching ladder: small players on the same crates as the real ones.
//!
//! Each rung adds one idea to the rung below it, and each has a program that shows it at work:
//!
//! | rung | module | idea | `cargo run --release -p kiebitz-examples --example …` |
//! |---|---|---|---|
//! | 1 | [`book_evaluation`] | count pieces, and look where they stand | `1_evaluation` |
//! | 2 | [`minimax`] | try everything, assume the best reply | `2_minimax` |
//! | 3 | [`alphabeta`] | skip what cannot matter any more | `3_alphabeta` |
//! | 4 | [`quiescence`] | never judge in the middle of an exchange | `4_quiescence` |
//!
//! The rules come from `kiebitz-chess`: there is no second board and no second move generator here. What the
//! rungs share is small: how a finished game counts ([`game_end`]), what a search reports ([`finding`]), in which
//! order moves are tried ([`move_order`]), and how the programs read their arguments ([`command_line`]).
//!
//! **Invariants:** nothing here depends on chance, time or the CPU, so every node count can be repeated; all rungs
//! up to alpha-beta agree on the value of every position.

pub mod alphabeta;
pub mod book_evaluation;
pub mod command_line;
pub mod finding;
pub mod game_end;
pub mod minimax;
pub mod move_order;
pub mod quiescence;

/// White mates in one, Qxf7: the position on which the book counts nodes.
pub const MATE_IN_ONE: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

/// Légal's trap: White gives the queen away with Nxe5 and wins, as one sees five plies deep.
pub const LEGALS_TRAP: &str = "r2qkbnr/ppp2ppp/2np4/4p2b/4P3/1BN2N1P/PPPP1PP1/R1BQK2R w KQkq - 0 1";

/// A search of one ply takes the knight on f6 with the queen and does not see that the g-pawn takes back.
pub const DEFENDED_KNIGHT: &str = "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1Q2/PPP2PPP/R1B1K1NR w KQ - 0 1";
