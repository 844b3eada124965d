//! What results say about strength.
//!
//! ```text
//! GameResult ──▶ MatchScore ──▶ Pentanomial (complete pairs) ─┐
//!                          └──▶ Trinomial   (all games)      ─┴▶ ScoreCounts ──▶ Estimate: score, Elo, LOS …
//! ```
//!
//! Two games from one opening with colors swapped are a *pair*. A pair's points scatter less than those of two unrelated
//! games, because a lopsided opening is won once by each side; counting pairs (0, ½, 1, 1½ or 2 points) instead of games
//! therefore gives narrower error bars for the same games. Wherever there are pairs, they are used.
//!
//! **Invariants:** nothing here is ever NaN. What cannot be known is `None`, what is unbounded is infinite.

mod elo;
mod estimate;
mod game_result;
mod interval;
mod match_score;
mod normal;
mod pentanomial;
pub(crate) mod projection;
pub(crate) mod sample_size;
mod score_counts;
mod trinomial;

pub use elo::{EloModel, NORMALISED_ELO_PER_T, elo_of_score, score_of_elo};
pub use estimate::{Estimate, NORMAL_QUANTILE_95};
pub use game_result::GameResult;
pub use interval::Interval;
pub use match_score::MatchScore;
pub use normal::{log_normal_tail, normal_cdf};
pub use pentanomial::Pentanomial;
pub use sample_size::games_for_error;
pub use score_counts::ScoreCounts;
pub use trinomial::Trinomial;
