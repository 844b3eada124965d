//! The alpha-beta searcher.
//!
//! | file | what it is |
//! |---|---|
//! | `searcher` | the searcher as others see it; threads |
//! | `iterative_deepening` | deeper and deeper, with windows that open |
//! | `node` | one node, as numbered steps |
//! | `pruning/…`, `extensions`, `reductions`, `improving` | one idea a file |
//! | `quiescence` | captures and checks at the horizon |
//! | `move_picker`, `histories`, `learning`, `correction` | what is tried first, and what experience says |
//! | `transposition_table`, `evaluation_cache`, `repetition`, `tablebase` | what was seen before, and what is known for ever |
//! | `parameters` | every number and switch |
//!
//! **Invariants:** with one thread, the same search after [`Searcher::new_game`](kiebitz_search::Searcher::new_game) visits
//! the same nodes on every machine; a limit of nodes is met exactly; every line that is reported is legal.

mod correction;
mod evaluation_cache;
mod evaluator;
mod extensions;
mod histories;
mod improving;
mod iterative_deepening;
mod learning;
mod move_picker;
mod node;
mod node_budget;
mod parameters;
mod pruning;
mod quiescence;
mod reductions;
mod repetition;
mod root_moves;
mod searcher;
mod table_access;
mod tablebase;
mod thread_room;
mod transposition_table;
mod value;
mod worker;

pub use evaluator::Evaluation;
pub use searcher::{AlphaBeta, Settings};
pub use tablebase::EndgameTables;

/// Every number and switch of the search and of its time, for UCI options and tuners.
#[cfg(feature = "tune")]
#[must_use]
pub fn tunables() -> Vec<kiebitz_search::Tunable> {
    let mut all = kiebitz_search::time_tunables();
    all.extend(parameters::tunables());
    all
}
