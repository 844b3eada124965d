//! Values inside the search: plain integers, so that windows and margins are plain arithmetic.
//!
//! ```text
//! -32000 … -31000   mated, the nearer the lower      19754 … 20000   won by tablebase, the nearer the higher
//! -20000 … -19754   lost by tablebase                31000 … 32000   mate, the nearer the higher
//! -15000 …  15000   evaluations
//! ```

use kiebitz_chess::Score;
use kiebitz_search::LONGEST_LINE;

/// Centipawns for the side to move, or one of the codes above.
pub(crate) type Value = i32;

/// The deepest ply that is searched.
pub(crate) const DEEPEST_PLY: usize = LONGEST_LINE;

pub(crate) const DRAW: Value = 0;
pub(crate) const MATE: Value = Score::MATE.value();
pub(crate) const INFINITE: Value = Score::INFINITE.value();
/// No value at all: a position in check has no static evaluation.
pub(crate) const NONE: Value = INFINITE + 1;
/// A tablebase win at the root.
pub(crate) const TABLEBASE_WIN: Value = 20_000;
/// No evaluation leaves this range, so that none is taken for a proof.
pub(crate) const EVALUATION_LIMIT: Value = 15_000;

const LEAST_WIN: Value = TABLEBASE_WIN - DEEPEST_PLY as Value;

/// Mate given at this ply.
#[inline(always)]
pub(crate) fn mate_at(ply: usize) -> Value {
    MATE - ply as Value
}

/// Being mated at this ply.
#[inline(always)]
pub(crate) fn mated_at(ply: usize) -> Value {
    ply as Value - MATE
}

/// Whether the value claims a proof that the mover wins.
#[inline(always)]
pub(crate) fn is_win(value: Value) -> bool {
    value >= LEAST_WIN
}

/// Whether the value claims a proof that the mover loses.
#[inline(always)]
pub(crate) fn is_loss(value: Value) -> bool {
    value <= -LEAST_WIN
}

/// Whether the value claims any proof.
#[inline(always)]
pub(crate) fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// Whether the value claims a mate, for either side.
#[inline(always)]
pub(crate) fn is_mate(value: Value) -> bool {
    value.abs() >= MATE - DEEPEST_PLY as Value && value.abs() <= MATE
}

/// Proofs are counted from the root; the table, which serves many roots, counts them from the node.
#[inline(always)]
pub(crate) fn to_table(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value + ply as Value
    } else if is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`to_table`].
#[inline(always)]
pub(crate) fn from_table(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value - ply as Value
    } else if is_loss(value) {
        value + ply as Value
    } else {
        value
    }
}

/// As the outside sees it.
pub(crate) fn score(value: Value) -> Score {
    if value.abs() >= MATE - Score::LONGEST_MATE as Value {
        let plies = (MATE - value.abs()).unsigned_abs();
        if value > 0 { Score::mate_in(plies) } else { Score::mated_in(plies) }
    } else {
        Score::centipawns(value)
    }
}
