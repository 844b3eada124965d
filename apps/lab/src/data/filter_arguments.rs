//! The filters that several commands take.

use clap::Args;
use kiebitz_dataset::Filter;

/// Which positions become samples.
#[derive(Args)]
pub(super) struct FilterArguments {
    /// Leave out positions before this ply (the initial position is ply 0).
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    min_ply: u32,
    /// Leave out positions after this ply.
    #[arg(long, value_name = "PLY")]
    max_ply: Option<u32>,
    /// Leave out positions in check.
    #[arg(long)]
    no_check: bool,
    /// Leave out positions whose move takes or promotes.
    #[arg(long)]
    no_captures: bool,
    /// Leave out positions with a score beyond this, either way.
    #[arg(long, value_name = "SCORE")]
    max_score: Option<u16>,
    /// Leave out positions without a score.
    #[arg(long)]
    scored_only: bool,
    /// Leave out positions where a side that is so much better did not even draw.
    #[arg(long, value_name = "SCORE")]
    score_against_result: Option<u16>,
    /// Leave out positions with fewer pieces, kings included.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_pieces: usize,
}

impl FilterArguments {
    /// As the library has it.
    pub(super) fn filter(&self) -> Filter {
        Filter {
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            no_check: self.no_check,
            no_captures: self.no_captures,
            max_score: self.max_score,
            scored_only: self.scored_only,
            score_against_result: self.score_against_result,
            min_pieces: self.min_pieces,
        }
    }
}
