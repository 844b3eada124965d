//! The part of a passed pawn's value that other pieces decide: what is ahead of it and what is behind.

use kiebitz_chess::{Color, PieceKind, Square};

use crate::geometry::{ahead, distance, relative_rank, step};
use crate::ledger::Ledger;
use crate::pawns::PawnReport;
use crate::pieces::rook_behind;
use crate::survey::Survey;
use crate::tapered::Tapered;
use crate::term::Term;

/// The passed pawns of one side.
#[inline(always)]
pub(crate) fn side<L: Ledger>(survey: &Survey<'_>, us: Color, pawns: &PawnReport, ledger: &mut L) -> Tapered {
    let mut value = Tapered::ZERO;
    for pawn in pawns.passed & survey.pawns[us.index()] {
        value += one(survey, us, pawn, ledger);
    }
    value
}

#[inline(always)]
fn one<L: Ledger>(survey: &Survey<'_>, us: Color, pawn: Square, ledger: &mut L) -> Tapered {
    let them = !us;
    let rank = relative_rank(us, pawn);
    let stop = step(us, pawn.bitboard());
    let attacked = survey.attacked[them.index()];
    let occupied = stop.intersects(survey.occupied);
    let status = usize::from(occupied) * 2 + usize::from(stop.intersects(attacked));
    let mut value = ledger.weigh(us, Term::PassedAhead, status * 8 + rank, 1);

    let path = ahead(us, pawn);
    let enemy_behind = rook_behind(survey, us, pawn, survey.position.board().straight_sliders(them));
    if !path.intersects(survey.occupied | attacked) && !enemy_behind {
        value += ledger.weigh(us, Term::PassedFreePath, rank, 1);
    }
    if rook_behind(survey, us, pawn, survey.pieces(us, PieceKind::Rook)) {
        value += ledger.weigh(us, Term::PassedRookBehind, 0, 1);
    } else if enemy_behind {
        value += ledger.weigh(us, Term::PassedRookBehind, 1, 1);
    }
    if outruns_the_king(survey, us, pawn, rank) {
        value += ledger.weigh(us, Term::PassedUnstoppable, 0, 1);
    }
    value
}

/// The rule of the square: the enemy has nothing but a king that cannot catch the pawn.
#[inline(always)]
fn outruns_the_king(survey: &Survey<'_>, us: Color, pawn: Square, rank: usize) -> bool {
    let them = !us;
    let pieces = survey.own[them.index()] - survey.pawns[them.index()];
    let path = ahead(us, pawn);
    if pieces.has_several() || path.intersects(survey.occupied) {
        return false;
    }
    let Some(goal) = (match us {
        Color::White => path.last(),
        Color::Black => path.first(),
    }) else {
        return false;
    };
    // A pawn that has not moved yet gains a step by its first one.
    let steps = (7 - rank).min(5);
    let late = usize::from(survey.position.side_to_move() == them);
    distance(survey.king[them.index()], goal) > steps + late
}
