//! What one side attacks and the other defends badly; and room.

use kiebitz_chess::{Bitboard, Color, PieceKind, attacks};

use crate::geometry::{CENTRE_FILES, step};
use crate::ledger::Ledger;
use crate::survey::Survey;
use crate::tapered::Tapered;
use crate::term::Term;

const PIECES: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
const TARGETS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// The threats of one side.
#[inline(always)]
pub(crate) fn side<L: Ledger>(survey: &Survey<'_>, us: Color, ledger: &mut L) -> Tapered {
    let them = !us;
    let (ours, theirs) = (us.index(), them.index());
    let enemies = survey.own[theirs];
    let pieces = enemies - survey.pawns[theirs];
    let attacked = survey.attacked[ours];
    let defended = survey.attacked[theirs];
    let strongly_held =
        survey.attacks_of(them, PieceKind::Pawn) | (survey.attacked_twice[theirs] - survey.attacked_twice[ours]);
    let weak = enemies & (attacked - strongly_held);
    let turn = usize::from(survey.position.side_to_move() == us);
    let mut value = Tapered::ZERO;

    if (enemies & attacked).any() {
        let minors = survey.attacks_of(us, PieceKind::Knight) | survey.attacks_of(us, PieceKind::Bishop);
        let by_minor = (pieces | weak) & minors;
        let by_rook = (weak | survey.pieces(them, PieceKind::Queen)) & survey.attacks_of(us, PieceKind::Rook);
        let by_queen = weak & survey.attacks_of(us, PieceKind::Queen);
        for kind in TARGETS {
            let of_kind = survey.pieces(them, kind);
            let offset = turn * TARGETS.len() + kind.index();
            value += ledger.weigh(us, Term::ThreatByMinor, offset, (by_minor & of_kind).len() as i32);
            value += ledger.weigh(us, Term::ThreatByRook, offset, (by_rook & of_kind).len() as i32);
            value += ledger.weigh(us, Term::ThreatByQueen, offset, (by_queen & of_kind).len() as i32);
        }
        let by_king = weak & survey.attacks_of(us, PieceKind::King);
        value += ledger.weigh(us, Term::ThreatByKing, turn, by_king.len() as i32);
        let hanging = weak & (!defended | pieces & survey.attacked_twice[ours]);
        value += ledger.weigh(us, Term::Hanging, turn * 2, (hanging & survey.pawns[theirs]).len() as i32);
        value += ledger.weigh(us, Term::Hanging, turn * 2 + 1, (hanging & pieces).len() as i32);
        let leaning = weak & survey.attacks_of(them, PieceKind::Queen);
        value += ledger.weigh(us, Term::QueenDefends, 0, leaning.len() as i32);
    }

    let loose = survey.own[ours] - attacked;
    let held_by_pawns = survey.own[ours] & survey.attacks_of(us, PieceKind::Pawn);
    for kind in TARGETS {
        let of_kind = survey.pieces(us, kind);
        value += ledger.weigh(us, Term::Loose, kind.index(), (loose & of_kind).len() as i32);
        if kind != PieceKind::Pawn {
            value += ledger.weigh(us, Term::PawnDefends, kind.index() - 1, (held_by_pawns & of_kind).len() as i32);
        }
    }

    let contested = defended & (attacked - strongly_held);
    value += ledger.weigh(us, Term::Restricted, 0, contested.len() as i32);

    let safe = !defended | attacked;
    let by_pawn = attacks::pawns(us, survey.pawns[ours] & safe) & pieces;
    if by_pawn.any() {
        for kind in PIECES {
            let count = (by_pawn & survey.pieces(them, kind)).len() as i32;
            value += ledger.weigh(us, Term::ThreatByPawn, turn * PIECES.len() + kind.index() - 1, count);
        }
    }
    let third = match us {
        Color::White => Bitboard(0x0000_0000_00ff_0000),
        Color::Black => Bitboard(0x0000_ff00_0000_0000),
    };
    let once = step(us, survey.pawns[ours]) - survey.occupied;
    let steps = once | (step(us, once & third) - survey.occupied);
    let safe_steps = steps & (safe - survey.attacks_of(them, PieceKind::Pawn));
    let pushes = attacks::pawns(us, safe_steps) & (pieces - survey.attacks_of(us, PieceKind::Pawn));
    value += ledger.weigh(us, Term::ThreatByPawnPush, turn, pushes.len() as i32);

    let queens = survey.pieces(them, PieceKind::Queen);
    if let Some(queen) = queens.first()
        && !queens.has_several()
    {
        let usable = survey.room[ours] - strongly_held;
        let from_knights = attacks::knight(queen) & survey.attacks_of(us, PieceKind::Knight) & usable;
        let backed = usable & survey.attacked_twice[ours];
        let aslant = attacks::bishop(queen, survey.occupied) & survey.attacks_of(us, PieceKind::Bishop) & backed;
        let straight = attacks::rook(queen, survey.occupied) & survey.attacks_of(us, PieceKind::Rook) & backed;
        for (index, squares) in [from_knights, aslant, straight].into_iter().enumerate() {
            value += ledger.weigh(us, Term::QueenHarassed, index, squares.len() as i32);
        }
    }
    value
}

/// The square of the number of pieces grows large: this brings the count back to the size of others.
const SPACE_DIVISOR: usize = 128;

/// The room of one side.
#[inline(always)]
pub(crate) fn space<L: Ledger>(survey: &Survey<'_>, us: Color, ledger: &mut L) -> Tapered {
    let (ours, theirs) = (us.index(), (!us).index());
    let region = match us {
        Color::White => Bitboard(0x0000_0000_ffff_ff00),
        Color::Black => Bitboard(0x00ff_ffff_0000_0000),
    } & CENTRE_FILES;
    let safe = region - survey.pawns[ours] - survey.attacks_of(!us, PieceKind::Pawn);
    let mut behind = survey.pawns[ours];
    behind |= step(!us, behind);
    behind |= step(!us, step(!us, behind));
    let sheltered = safe & (behind - survey.attacked[theirs]);
    let stuck = survey.pawns[ours] & step(!us, survey.pawns[theirs]);
    let crowd = survey.own[ours].len() + stuck.len();
    let count = (safe.len() + sheltered.len()) * crowd * crowd / SPACE_DIVISOR;
    ledger.weigh(us, Term::SpaceSquares, 0, count as i32)
}
