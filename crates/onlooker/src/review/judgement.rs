//! What moves were worth: losses, marks and accuracy.

use anyhow::Result;
use kiebitz_chess::{Color, GameHistory, Move, Outcome, Score};
use kiebitz_pgn::{Game, Nag, NodeId};
use kiebitz_search::WinningChances;
use serde::Serialize;

/// How fast accuracy falls: a loss of a fifth of a point leaves 37 %.
const ACCURACY_SLOPE: f64 = 5.0;
/// Scores beyond this are equally won, in centipawns: a slip from +20 to +15 is none.
const WON: i32 = 1000;

/// What an engine says about a position.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Judgement {
    /// Its worth to the side to move.
    pub(super) score: Score,
    /// The best line; empty if the game is over.
    pub(super) line: Vec<Move>,
    /// How deep the engine looked, in plies.
    pub(super) depth: Option<u32>,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mark {
    Dubious,
    Mistake,
    Blunder,
}

impl Mark {
    pub(super) const ALL: [Self; 3] = [Self::Dubious, Self::Mistake, Self::Blunder];

    /// The loss, in expected points, from which a move is marked so.
    const fn threshold(self) -> f64 {
        match self {
            Self::Dubious => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.20,
        }
    }

    pub(super) fn of(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rfind(|mark| loss >= mark.threshold())
    }

    pub(super) const fn nag(self) -> Nag {
        match self {
            Self::Dubious => Nag::DUBIOUS_MOVE,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }
}

/// A move of the game, judged.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MoveReview {
    pub(super) id: NodeId,
    pub(super) mover: Color,
    pub(super) played: Move,
    /// The position before the move.
    pub(super) before: Judgement,
    /// What the move left, seen by the mover.
    pub(super) score: Score,
    /// How deep that was searched; nothing if the move ended the game.
    pub(super) depth: Option<u32>,
    /// Expected points given away, 0 to 1.
    pub(super) loss: f64,
    /// Centipawns given away.
    pub(super) centipawns: i32,
}

impl MoveReview {
    pub(super) fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss)
    }

    /// Moves to mate after this one, negative if the mover is mated. It is the opponent's turn, so the opponent counts.
    pub(super) fn mate(&self) -> Option<i32> {
        mate_after(self.score)
    }

    /// What the mover kept, from 0 to 100.
    fn accuracy(&self) -> f64 {
        100.0 * (-ACCURACY_SLOPE * self.loss).exp()
    }
}

/// A whole game, judged.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameReview {
    pub(super) moves: Vec<MoveReview>,
}

impl GameReview {
    fn of(&self, side: Color) -> impl Iterator<Item = &MoveReview> {
        self.moves.iter().filter(move |mv| mv.mover == side)
    }

    /// The average accuracy of a side; nothing if it never moved.
    pub(super) fn accuracy(&self, side: Color) -> Option<f64> {
        mean(self.of(side).map(MoveReview::accuracy))
    }

    /// The average loss of a side in centipawns.
    pub(super) fn centipawn_loss(&self, side: Color) -> Option<f64> {
        mean(self.of(side).map(|mv| f64::from(mv.centipawns)))
    }

    pub(super) fn count(&self, side: Color, mark: Mark) -> usize {
        self.of(side).filter(|mv| mv.mark() == Some(mark)).count()
    }
}

/// Moves to mate in a score that is seen by the side that has just moved.
pub(super) fn mate_after(score: Score) -> Option<i32> {
    (-score).mate_moves().map(|moves| -moves)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Judges every position of a game once, and every move by the positions before and after it.
pub(super) fn review(game: &Game, judge: &mut dyn FnMut(&GameHistory) -> Result<Judgement>) -> Result<GameReview> {
    let mut history = GameHistory::new(game.start().clone());
    let mut before = settled(&history).map_or_else(|| judge(&history), Ok)?;
    let mut moves = Vec::new();
    for id in game.main_line() {
        let (mover, played) = (history.position().side_to_move(), game.move_at(id));
        history.play(played);
        let after = settled(&history).map_or_else(|| judge(&history), Ok)?;
        let score = -after.score;
        let (loss, centipawns) =
            if before.line.first() == Some(&played) { (0.0, 0) } else { given_away(before.score, score) };
        let depth = after.depth;
        moves.push(MoveReview { id, mover, played, before, score, depth, loss, centipawns });
        before = after;
    }
    Ok(GameReview { moves })
}

/// Expected points and centipawns between what was promised and what was left.
fn given_away(promised: Score, left: Score) -> (f64, i32) {
    let points = |score| WinningChances::CONVENTIONAL.expected_points(score);
    let centipawns = |score: Score| score.value().clamp(-WON, WON);
    ((points(promised) - points(left)).max(0.0), (centipawns(promised) - centipawns(left)).max(0))
}

/// What the rules alone say about a position.
fn settled(history: &GameHistory) -> Option<Judgement> {
    let score = match history.position().ending()?.outcome() {
        Outcome::Draw => Score::DRAW,
        // Whoever is to move has been mated.
        Outcome::Win(_) => Score::mated_in(0),
    };
    Some(Judgement { score, line: Vec::new(), depth: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_pgn::{GameReader, Source};

    fn game(text: &str) -> Game {
        GameReader::new(Source::from_reader("test", text.as_bytes())).next().unwrap().unwrap()
    }

    /// Scores by ply, seen by White, and always the first legal move as the best.
    fn judged(text: &str, white: &[i32]) -> GameReview {
        let mut scores = white.iter();
        review(&game(text), &mut |history| {
            let position = history.position();
            let score = Score::centipawns(*scores.next().expect("a score for every position"));
            let score = if position.side_to_move() == Color::White { score } else { -score };
            Ok(Judgement { score, line: vec![position.legal_moves()[0]], depth: Some(9) })
        })
        .unwrap()
    }

    #[test]
    fn losses_are_seen_by_the_mover() {
        let review = judged("1. e4 e5 2. Qh5 Nc6 *", &[30, 30, 30, -170, 40]);
        let losses: Vec<i32> = review.moves.iter().map(|mv| mv.centipawns).collect();
        assert_eq!(losses, [0, 0, 200, 210]);
        assert_eq!(review.moves[2].mark(), Some(Mark::Blunder));
        assert_eq!(review.moves[2].score, Score::centipawns(-170));
        assert_eq!((review.count(Color::White, Mark::Blunder), review.count(Color::Black, Mark::Blunder)), (1, 1));
        assert_eq!(review.centipawn_loss(Color::White), Some(100.0));
    }

    /// By hand: W(0) = L(0), so 0.5 points; +200 has W = 1/(1+e^-0.8) = 0.690 and L = 1/(1+e^2.4) = 0.083.
    #[test]
    fn points_and_accuracy_follow_the_formula() {
        let (loss, centipawns) = given_away(Score::centipawns(200), Score::DRAW);
        assert!((loss - 0.3035).abs() < 1e-3 && centipawns == 200, "{loss}");
        let review = judged("1. e4 *", &[200, 0]);
        let accuracy = review.accuracy(Color::White).unwrap();
        assert!((accuracy - 100.0 * (-5.0 * loss).exp()).abs() < 1e-9, "{accuracy}");
        assert_eq!(review.accuracy(Color::Black), None);
        // A better move than the engine's costs nothing, and a won position stays won.
        assert_eq!(given_away(Score::DRAW, Score::centipawns(50)), (0.0, 0));
        assert_eq!(given_away(Score::mate_in(5), Score::centipawns(2500)), (0.0, 0));
    }

    #[test]
    fn marks_begin_at_their_thresholds() {
        assert_eq!(Mark::of(0.0499), None);
        assert_eq!(Mark::of(0.05), Some(Mark::Dubious));
        assert_eq!(Mark::of(0.1), Some(Mark::Mistake));
        assert_eq!(Mark::of(1.0), Some(Mark::Blunder));
    }

    #[test]
    fn the_end_of_a_game_needs_no_engine() {
        // Three positions are judged, the mate is not.
        let review = judged("1. f3 e5 2. g4 Qh4# 0-1", &[0, -50, -50, -900]);
        let mate = review.moves.last().unwrap();
        assert_eq!((mate.score, mate.depth, mate.loss), (Score::mate_in(0), None, 0.0));
        assert_eq!(review.moves[2].mark(), Some(Mark::Blunder));
    }

    #[test]
    fn the_best_move_loses_nothing_whatever_comes_next() {
        let mut scores = [50, -50].into_iter();
        let review = review(&game("1. a3 *"), &mut |history| {
            let line = vec![history.position().parse_san("a3").unwrap_or(history.position().legal_moves()[0])];
            Ok(Judgement { score: Score::centipawns(scores.next().unwrap()), line, depth: None })
        })
        .unwrap();
        assert_eq!(review.moves[0].loss, 0.0);
    }
}
