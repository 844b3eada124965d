//! What a finished game counts for.

use kiebitz_chess::{Ending, Outcome, Position, Score};

use crate::book_evaluation::seen_by;

/// The final score from White's view if the game is over by this position alone; `ply` is its distance from the root.
///
/// A nearer mate counts more than a farther one. With one number for all mates, a player who can mate today or
/// tomorrow may choose tomorrow every day.
#[must_use]
pub fn score(position: &Position, ply: u32) -> Option<Score> {
    position.ending().map(Ending::outcome).map(|outcome| match outcome {
        Outcome::Win(winner) => seen_by(winner, Score::mate_in(ply)),
        Outcome::Draw => Score::DRAW,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_draws_and_games_that_go_on() {
        let score = |fen: &str| super::score(&fen.parse().unwrap(), 3);
        assert_eq!(score("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Some(Score::mate_in(3)));
        assert_eq!(score("6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1"), Some(Score::mated_in(3)));
        assert_eq!(score("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Score::DRAW));
        assert_eq!(score("7k/8/6K1/8/8/8/8/5B2 b - - 0 1"), Some(Score::DRAW));
        assert_eq!(score("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), None);
    }
}
