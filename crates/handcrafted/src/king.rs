//! The danger a king is in, and the pieces that guard it.
//!
//! Danger is counted in units of its own: attackers, weak squares, safe checks. One attacker is harmless and five are
//! deadly, so the sum is bent: in the middle game its square counts, in the end game the sum itself, and neither below
//! zero. [`penalty`] is the only place that knows the curve.

use kiebitz_chess::{Color, PieceKind, attacks};

use crate::geometry::{camp, flank};
use crate::ledger::Ledger;
use crate::survey::Survey;
use crate::tapered::{Tapered, s};
use crate::term::Term;

/// The middle-game penalty is the square of the danger over this.
pub(crate) const SQUARE_DIVISOR: i32 = 1024;
/// The end-game penalty is the danger over this.
pub(crate) const END_DIVISOR: i32 = 16;
/// Beyond this the danger no longer grows: the king is lost anyway, and the value must stay bounded.
pub(crate) const DANGER_LIMIT: i32 = 2000;

/// What a king's danger costs its side.
#[inline(always)]
pub(crate) fn penalty(danger: Tapered) -> Tapered {
    let middle = danger.middle().clamp(0, DANGER_LIMIT);
    let end = danger.end().clamp(0, DANGER_LIMIT);
    s((middle * middle / SQUARE_DIVISOR) as i16, (end / END_DIVISOR) as i16)
}

/// The guards of a king (returned) and the dangers to it (added to `danger`).
#[inline(always)]
pub(crate) fn side<L: Ledger>(survey: &Survey<'_>, us: Color, danger: &mut Tapered, ledger: &mut L) -> Tapered {
    let them = !us;
    let (ours, theirs) = (us.index(), them.index());
    let king = survey.king[ours];
    let zone = survey.king_zone[ours];
    let attacked_by_us = survey.attacked[ours];
    let attacked_by_them = survey.attacked[theirs];

    let defenders = (zone & (survey.own[ours] - survey.pawns[ours])).len() - usize::from(zone.contains(king));
    let mut value = ledger.weigh(us, Term::KingDefenders, defenders.min(7), 1);

    let rights = (survey.position.castling_rooks() & survey.own[ours]).len().min(2);
    value += ledger.weigh(us, Term::CastlingRights, rights, 1);

    let flight = (survey.attacks_of(us, PieceKind::King) - survey.own[ours] - attacked_by_them).len();
    value += ledger.weigh(us, Term::KingMobility, flight, 1);
    *danger += ledger.weigh(us, Term::DangerFlight, flight, 1);

    let flank = flank(king) & camp(us);
    let flank_attacks = (flank & attacked_by_them).len() + (flank & survey.attacked_twice[theirs]).len();
    let flank_defences = (flank & attacked_by_us).len();
    value += ledger.weigh(us, Term::FlankAttacks, 0, flank_attacks as i32);
    value += ledger.weigh(us, Term::FlankDefences, 0, flank_defences as i32);

    let barely_held = survey.attacks_of(us, PieceKind::King) | survey.attacks_of(us, PieceKind::Queen);
    let weak = attacked_by_them & ((!attacked_by_us | barely_held) - survey.attacked_twice[ours]);
    let safe = !survey.own[theirs] & (!attacked_by_us | weak & survey.attacked_twice[theirs]);

    let through = survey.occupied - survey.pieces(us, PieceKind::Queen);
    let straight = attacks::rook(king, through);
    let aslant = attacks::bishop(king, through);
    let checks = [
        attacks::knight(king) & survey.attacks_of(them, PieceKind::Knight),
        aslant & survey.attacks_of(them, PieceKind::Bishop),
        straight & survey.attacks_of(them, PieceKind::Rook),
        (straight | aslant) & (survey.attacks_of(them, PieceKind::Queen) - survey.attacks_of(us, PieceKind::Queen)),
    ];
    let mut unsafe_checks = 0;
    for (kind, squares) in checks.into_iter().enumerate() {
        let safe_squares = squares & safe;
        if safe_squares.any() {
            let several = usize::from(safe_squares.has_several());
            *danger += ledger.weigh(us, Term::DangerSafeCheck, kind * 2 + several, 1);
        } else {
            unsafe_checks += (squares - survey.own[theirs]).len();
        }
    }
    *danger += ledger.weigh(us, Term::DangerUnsafeCheck, 0, unsafe_checks as i32);
    *danger += ledger.weigh(us, Term::DangerAlways, 0, 1);
    *danger += ledger.weigh(us, Term::DangerWeak, 0, (zone & weak).len() as i32);
    *danger += ledger.weigh(us, Term::DangerPinned, 0, survey.blockers[ours].len() as i32);
    *danger += ledger.weigh(us, Term::DangerFlankAttacks, 0, flank_attacks as i32);
    *danger += ledger.weigh(us, Term::DangerFlankDefences, 0, flank_defences as i32);
    if survey.pieces(them, PieceKind::Queen).is_empty() {
        *danger += ledger.weigh(us, Term::DangerNoQueen, 0, 1);
    }
    if survey.attacks_of(us, PieceKind::Knight).intersects(survey.attacks_of(us, PieceKind::King)) {
        *danger += ledger.weigh(us, Term::DangerKnightGuard, 0, 1);
    }
    value
}
