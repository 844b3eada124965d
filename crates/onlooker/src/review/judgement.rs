//! What moves were worth: losses, marks and accuracy.

use kiebitz_chess::{Color, GameHistory, Move, Outcome, Position, Score};
use kiebitz_search::WinningChances;
use serde::Serialize;

/// How fast accuracy falls: a loss of a fifth of a point leaves 37 %.
const ACCURACY_SLOPE: f64 = 5.0;
/// Scores beyond this are equally won, in centipawns: a slip from +20 to +15 is none.
const WON: i32 = 1000;

/// What an engine says about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Its worth to the side to move.
    pub score: Score,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// How deep the engine looked, in plies.
    pub depth: Option<u32>,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Dubious, Self::Mistake, Self::Blunder];

    /// The loss, in expected points, from which a move is marked so.
    const fn threshold(self) -> f64 {
        match self {
            Self::Dubious => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.20,
        }
    }

    /// The mark of a loss, in expected points.
    #[must_use]
    pub fn of(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rfind(|mark| loss >= mark.threshold())
    }

    /// The numeric glyph of PGN.
    #[must_use]
    pub const fn glyph(self) -> u16 {
        match self {
            Self::Dubious => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

/// A move of the game, judged.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// Whose move.
    pub mover: Color,
    /// The move.
    pub played: Move,
    /// The position before the move.
    pub before: Judgement,
    /// What the move left, seen by the mover.
    pub score: Score,
    /// How deep that was searched; nothing if the move ended the game.
    pub depth: Option<u32>,
    /// Expected points given away, 0 to 1.
    pub loss: f64,
    /// Centipawns given away.
    pub centipawns: i32,
}

impl MoveReview {
    /// How bad it was, if it was.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss)
    }

    /// Moves to mate after this one, negative if the mover is mated. It is the opponent's turn, so the opponent counts.
    #[must_use]
    pub fn mate(&self) -> Option<i32> {
        mate_after(self.score)
    }

    /// What the mover kept, from 0 to 100.
    fn accuracy(&self) -> f64 {
        100.0 * (-ACCURACY_SLOPE * self.loss).exp()
    }
}

/// A whole game, judged.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// Every move, in order.
    pub moves: Vec<MoveReview>,
}

impl GameReview {
    fn of(&self, side: Color) -> impl Iterator<Item = &MoveReview> {
        self.moves.iter().filter(move |mv| mv.mover == side)
    }

    /// The average accuracy of a side; nothing if it never moved.
    #[must_use]
    pub fn accuracy(&self, side: Color) -> Option<f64> {
        mean(self.of(side).map(MoveReview::accuracy))
    }

    /// The average loss of a side in centipawns.
    #[must_use]
    pub fn centipawn_loss(&self, side: Color) -> Option<f64> {
        mean(self.of(side).map(|mv| f64::from(mv.centipawns)))
    }

    /// How many moves of a side are marked so.
    #[must_use]
    pub fn count(&self, side: Color, mark: Mark) -> usize {
        self.of(side).filter(|mv| mv.mark() == Some(mark)).count()
    }
}

/// Moves to mate in a score that is seen by the side that has just moved.
#[must_use]
pub fn mate_after(score: Score) -> Option<i32> {
    (-score).mate_moves().map(|moves| -moves)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// A review in the making: every position of a game is judged once, every move by the positions before and after it.
#[derive(Clone, Debug)]
pub struct Reviewer {
    history: GameHistory,
    left: std::vec::IntoIter<Move>,
    /// The position before the move that is looked at, and that move.
    open: Option<(Judgement, Move)>,
    begun: bool,
    moves: Vec<MoveReview>,
}

impl Reviewer {
    /// Begins with a game: where it starts, and legal moves from there.
    #[must_use]
    pub fn new(start: Position, moves: Vec<Move>) -> Self {
        let history = GameHistory::new(start);
        Self { history, left: moves.into_iter(), open: None, begun: false, moves: Vec::new() }
    }

    /// The position that waits to be judged; `None` when all are.
    #[must_use]
    pub fn position(&self) -> Option<&GameHistory> {
        (!self.begun || self.open.is_some()).then_some(&self.history)
    }

    /// What the rules alone say of the position that waits, if they do.
    #[must_use]
    pub fn settled(&self) -> Option<Judgement> {
        settled(&self.history)
    }

    /// Takes in the judgement of the position that waits; gives the move that led there, judged.
    pub fn take(&mut self, judgement: Judgement) -> Option<&MoveReview> {
        let judged = self.open.take().map(|(before, played)| {
            let mover = !self.history.position().side_to_move();
            let score = -judgement.score;
            let is_best = before.line.first() == Some(&played);
            let (loss, centipawns) = if is_best { (0.0, 0) } else { given_away(before.score, score) };
            MoveReview { mover, played, before, score, depth: judgement.depth, loss, centipawns }
        });
        self.begun = true;
        if let Some(next) = self.left.next() {
            self.history.play(next);
            self.open = Some((judgement, next));
        }
        self.moves.extend(judged.clone());
        judged.and(self.moves.last())
    }

    /// The moves that are still to be judged, the open one included.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.left.len() + usize::from(self.open.is_some())
    }

    /// The review.
    #[must_use]
    pub fn finish(self) -> GameReview {
        GameReview { moves: self.moves }
    }
}

/// Reviews a whole game.
///
/// # Errors
/// What the judge says.
pub fn review<E>(
    start: &Position,
    moves: Vec<Move>,
    judge: &mut dyn FnMut(&GameHistory) -> Result<Judgement, E>,
) -> Result<GameReview, E> {
    let mut reviewer = Reviewer::new(start.clone(), moves);
    while let Some(history) = reviewer.position() {
        let judgement = match reviewer.settled() {
            Some(judgement) => judgement,
            None => judge(history)?,
        };
        reviewer.take(judgement);
    }
    Ok(reviewer.finish())
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
    use std::convert::Infallible;

    fn moves(sans: &str) -> Vec<Move> {
        let mut position = Position::default();
        let mut play = |san| {
            let mv = position.parse_san(san).unwrap();
            position.play(mv);
            mv
        };
        sans.split_whitespace().map(&mut play).collect()
    }

    fn reviewed(sans: &str, mut judge: impl FnMut(&GameHistory) -> Judgement) -> GameReview {
        let start = Position::default();
        let judged: Result<_, Infallible> = review(&start, moves(sans), &mut |history| Ok(judge(history)));
        judged.unwrap()
    }

    /// Scores by ply, seen by White, and always the first legal move as the best.
    fn judged(text: &str, white: &[i32]) -> GameReview {
        let mut scores = white.iter();
        reviewed(text, |history| {
            let position = history.position();
            let score = Score::centipawns(*scores.next().expect("a score for every position"));
            let score = if position.side_to_move() == Color::White { score } else { -score };
            Judgement { score, line: vec![position.legal_moves()[0]], depth: Some(9) }
        })
    }

    #[test]
    fn losses_are_seen_by_the_mover() {
        let review = judged("e4 e5 Qh5 Nc6", &[30, 30, 30, -170, 40]);
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
        let review = judged("e4", &[200, 0]);
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
        let review = judged("f3 e5 g4 Qh4#", &[0, -50, -50, -900]);
        let mate = review.moves.last().unwrap();
        assert_eq!((mate.score, mate.depth, mate.loss), (Score::mate_in(0), None, 0.0));
        assert_eq!(review.moves[2].mark(), Some(Mark::Blunder));
    }

    #[test]
    fn the_best_move_loses_nothing_whatever_comes_next() {
        let mut scores = [50, -50].into_iter();
        let review = reviewed("a3", |history| {
            let line = vec![history.position().parse_san("a3").unwrap_or(history.position().legal_moves()[0])];
            Judgement { score: Score::centipawns(scores.next().unwrap()), line, depth: None }
        });
        assert_eq!(review.moves[0].loss, 0.0);
    }
}
