//! What every searcher can do.

use kiebitz_chess::GameHistory;

use crate::{SearchLimits, SearchReport, SearchResult, SearchSignal};

/// Finds moves. The call blocks; another thread ends it early through the signal.
pub trait Searcher {
    /// Forgets what earlier searches learned.
    fn new_game(&mut self);

    /// Searches the last position of a game; repetitions look back over the whole of it.
    fn search(
        &mut self,
        game: &GameHistory,
        limits: &SearchLimits,
        signal: &SearchSignal,
        observer: &mut dyn FnMut(&SearchReport),
    ) -> SearchResult;
}
