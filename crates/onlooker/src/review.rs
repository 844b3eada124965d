//! How well was a game played, and what would have been better?
//!
//! Scores become expected points (chances to win plus half the chances to draw); what a move gives away of them is its loss,
//! from which accuracy and marks follow. Whoever judges the positions is the caller's choice.

#[cfg(not(target_arch = "wasm32"))]
mod annotate;
mod judgement;
mod report;

#[cfg(not(target_arch = "wasm32"))]
pub use annotate::annotated;
pub use judgement::{GameReview, Judgement, Mark, MoveReview, Reviewer, mate_after, review};
pub(crate) use report::{review_message, reviewed_move};
