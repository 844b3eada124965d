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
//! | 5 | [`transposition_table`] | remember what was seen before | `5_transposition_table` |
//! | 6 | [`null_move`] | if even passing is good enough, cut off | `6_null_move` |
//!
//! The rules come from `kiebitz-chess`: there is no second board and no second move generator here. What the
//! rungs share is small: how a finished game counts ([`game_end`]), what a search reports ([`finding`]), in which
//! order moves are tried ([`move_order`]), and how the programs read their arguments ([`command_line`]).
//!
//! **Invariants:** nothing here depends on chance, time or the CPU, so every node count can be repeated; all rungs
//! up to alpha-beta agree on the value of every position, and a transposition table changes no value.

pub mod alphabeta;
pub mod book_evaluation;
pub mod command_line;
pub mod finding;
pub mod game_end;
pub mod minimax;
pub mod move_order;
pub mod null_move;
pub mod quiescence;
pub mod transposition_table;

/// White mates in one, Qxf7: the position on which the book counts nodes.
pub const MATE_IN_ONE: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

/// Légal's trap: White gives the queen away with Nxe5 and wins, as one sees five plies deep.
pub const LEGALS_TRAP: &str = "r2qkbnr/ppp2ppp/2np4/4p2b/4P3/1BN2N1P/PPPP1PP1/R1BQK2R w KQkq - 0 1";

/// A search of one ply takes the knight on f6 with the queen and does not see that the g-pawn takes back.
pub const DEFENDED_KNIGHT: &str = "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1Q2/PPP2PPP/R1B1K1NR w KQ - 0 1";

/// A study by Lasker and Reichhelm, in which only the kings can walk. Few moves and many ways to the same position: what a
/// transposition table is made for.
pub const KINGS_WALK: &str = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";

/// After Kc3 Black has to give up the defence of the pawn on b3, and would rather pass.
pub const ZUGZWANG: &str = "8/8/8/8/k7/1p1K4/1P6/8 w - - 0 1";
