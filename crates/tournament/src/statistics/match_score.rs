//! The score of a match as it is played: games arrive one by one, pairs are completed out of order.

use std::collections::BTreeMap;

use super::{Estimate, GameResult, Pentanomial, ScoreCounts, Trinomial};

/// Everything counted about a match, from one player's side.
///
/// Games of a pair finish in any order and minutes apart; a game whose partner is still missing counts among the games
/// but not yet among the pairs.
///
/// ```
/// use kiebitz_tournament::statistics::{GameResult, MatchScore};
/// let mut score = MatchScore::default();
/// score.record(0, GameResult::Win);
/// score.record(1, GameResult::Draw);
/// score.record(0, GameResult::Draw);
/// assert_eq!(score.pairs().counts, [0, 0, 0, 1, 0]);
/// assert_eq!(score.games().to_string(), "+1 =2 -0");
/// assert_eq!(score.unpaired().games(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    games: Trinomial,
    pairs: Pentanomial,
    /// First results of pairs that are not complete, by the pair's number.
    waiting: BTreeMap<u64, GameResult>,
}

impl MatchScore {
    /// Counts a game of the pair with this number.
    pub fn record(&mut self, pair: u64, result: GameResult) {
        self.games.record(result);
        match self.waiting.remove(&pair) {
            Some(first) => self.pairs.record(first, result),
            None => {
                self.waiting.insert(pair, result);
            }
        }
    }

    /// All games, paired or not.
    #[must_use]
    pub const fn games(&self) -> Trinomial {
        self.games
    }

    /// The complete pairs.
    #[must_use]
    pub const fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// The games whose partner is missing.
    #[must_use]
    pub fn unpaired(&self) -> Trinomial {
        let mut games = Trinomial::default();
        self.waiting.values().for_each(|&result| games.record(result));
        games
    }

    /// What statistics are computed from: the complete pairs if there are any, else the single games. Unpaired games
    /// are left out beside pairs: they would bring the color's advantage back in.
    #[must_use]
    pub fn counts(&self) -> ScoreCounts {
        if self.pairs.pairs() > 0 { self.pairs.into() } else { self.games.into() }
    }

    /// What the match says about strength; `None` before the first game.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(self.counts())
    }
}
