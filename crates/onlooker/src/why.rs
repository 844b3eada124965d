//! Why this move? Checked facts first, then a sentence for each.
//!
//! | fact | how it is checked |
//! |---|---|
//! | the line | a search of the position |
//! | what it wins | captures along that line, up to a point where nothing hangs |
//! | what it threatens, what it stops | a search after a side has passed |
//! | why not something natural | a search of that move alone |
//! | what changed most | the exact split of the evaluation before and after the move |
//!
//! **Invariant:** [`sentence::of`] sees nothing but the fact, so no sentence can say more than was checked.

mod contribution;
mod explainer;
mod material;
mod sentence;

pub use explainer::{Explainer, explain_move};
pub use sentence::of as sentence_of;
