//! Reviews as messages.

use kiebitz_chess::{Color, Position, Score};
use kiebitz_messages::{MoveMark, Review, ReviewedMove, ScoreView, SideReview};

use super::{GameReview, Mark, MoveReview, mate_after};
use crate::mind::side;
use crate::{line_moves, shown_move};

/// Plies of a better line that are told.
const SHOWN_PLIES: usize = 12;

/// A judged move; `position` is the one before it.
pub(crate) fn reviewed_move(ply: usize, position: &Position, mv: &MoveReview) -> ReviewedMove {
    let best = &mv.before.line[..mv.before.line.len().min(SHOWN_PLIES)];
    ReviewedMove {
        ply: u32::try_from(ply).unwrap_or(u32::MAX),
        side: side(mv.mover),
        played: shown_move(position, mv.played),
        score: after_move(mv.score, mv.mover),
        best_score: ScoreView::of(mv.before.score, mv.mover),
        best_line: line_moves(position, best),
        depth: mv.before.depth,
        loss: mv.loss,
        mark: mv.mark().map(|mark| match mark {
            Mark::Dubious => MoveMark::Dubious,
            Mark::Mistake => MoveMark::Mistake,
            Mark::Blunder => MoveMark::Blunder,
        }),
    }
}

/// A score that the side which has just moved sees.
fn after_move(score: Score, mover: Color) -> ScoreView {
    match mate_after(score) {
        Some(moves) => ScoreView::Mate(if mover == Color::White { moves } else { -moves }),
        None => ScoreView::of(score, mover),
    }
}

/// A whole review; `start_score` is that of the start for the side to move.
pub(crate) fn review_message(review: &GameReview, start: &Position, start_score: Score, judge: &str) -> Review {
    let of_side = |color: Color| {
        let [dubious, mistakes, blunders] =
            Mark::ALL.map(|mark| u32::try_from(review.count(color, mark)).unwrap_or(u32::MAX));
        SideReview {
            accuracy: review.accuracy(color),
            centipawn_loss: review.centipawn_loss(color),
            dubious,
            mistakes,
            blunders,
        }
    };
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(review.moves.len());
    for (ply, mv) in review.moves.iter().enumerate() {
        moves.push(reviewed_move(ply, &position, mv));
        position.play(mv.played);
    }
    Review {
        judge: judge.to_owned(),
        white: of_side(Color::White),
        black: of_side(Color::Black),
        start_score: ScoreView::of(start_score, start.side_to_move()),
        moves,
        annotated_pgn: None,
    }
}
