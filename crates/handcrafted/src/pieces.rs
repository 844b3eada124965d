//! Knights, bishops, rooks and queens: where they stand, what they reach, how they work together.
//!
//! Visiting the pieces also fills the survey's attacks and begins the count of the danger to the enemy king.

use kiebitz_chess::{Bitboard, Color, PieceKind, Square, attacks};

use crate::geometry::{CENTRE, CENTRE_FILES, QUEEN_WING, ahead, distance, outpost_ranks, relative_rank, step};
use crate::ledger::Ledger;
use crate::pawns::PawnReport;
use crate::survey::Survey;
use crate::tapered::Tapered;
use crate::term::Term;

/// The pieces of one side; adds to `danger`, which belongs to the enemy king.
#[inline(always)]
pub(crate) fn side<L: Ledger>(
    survey: &mut Survey<'_>,
    us: Color,
    pawns: &PawnReport,
    danger: &mut Tapered,
    ledger: &mut L,
) -> Tapered {
    let mut visit = Visit { us, pawns, danger, ledger };
    let rams = usize::from(pawns.rams).min(4);
    let knights = survey.pieces(us, PieceKind::Knight);
    let rooks = survey.pieces(us, PieceKind::Rook);
    let mut value = visit.weigh(Term::KnightRams, rams, knights.len() as i32);
    value += visit.weigh(Term::RookRams, rams, rooks.len() as i32);
    for square in knights {
        value += visit.knight(survey, square);
    }
    for square in survey.pieces(us, PieceKind::Bishop) {
        value += visit.bishop(survey, square);
    }
    for square in rooks {
        value += visit.rook(survey, square);
    }
    for square in survey.pieces(us, PieceKind::Queen) {
        value += visit.queen(survey, square);
    }
    value
}

struct Visit<'a, L> {
    us: Color,
    pawns: &'a PawnReport,
    danger: &'a mut Tapered,
    ledger: &'a mut L,
}

impl<L: Ledger> Visit<'_, L> {
    #[inline(always)]
    fn weigh(&mut self, term: Term, offset: usize, count: i32) -> Tapered {
        self.ledger.weigh(self.us, term, offset, count)
    }

    /// What all four kinds share: square, attacks, mobility, part in the attack on the king.
    #[inline(always)]
    fn any(
        &mut self,
        survey: &mut Survey<'_>,
        kind: PieceKind,
        square: Square,
        reached: Bitboard,
    ) -> (Tapered, Bitboard) {
        let us = self.us;
        let free = if survey.blockers[us.index()].contains(square) {
            reached & attacks::line(survey.king[us.index()], square)
        } else {
            reached
        };
        survey.add_attacks(us, kind, free);
        let mobility = (free & survey.room[us.index()]).len();
        let family = match kind {
            PieceKind::Knight => Term::KnightMobility,
            PieceKind::Bishop => Term::BishopMobility,
            PieceKind::Rook => Term::RookMobility,
            _ => Term::QueenMobility,
        };
        let mut value = self.weigh(Term::PieceSquare, survey.wings[us.index()].offset(kind, square), 1);
        value += self.weigh(family, mobility.min(family.length() - 1), 1);
        let them = (!us).index();
        if free.intersects(survey.king_zone[them]) {
            *self.danger += self.ledger.weigh(!us, Term::DangerAttacker, kind.index() - 1, 1);
            let contact = free & survey.attacked_by[them][PieceKind::King.index()];
            *self.danger += self.ledger.weigh(!us, Term::DangerAttacks, 0, contact.len() as i32);
        }
        (value, free)
    }

    #[inline(always)]
    fn outpost(&mut self, survey: &Survey<'_>, family: Term, square: Square) -> Tapered {
        let supported = survey.attacks_of(self.us, PieceKind::Pawn).contains(square);
        let central = CENTRE_FILES.contains(square);
        self.weigh(family, usize::from(supported) * 2 + usize::from(central), 1)
    }

    #[inline(always)]
    fn outposts(&self) -> Bitboard {
        outpost_ranks(self.us) - self.pawns.attack_spans[(!self.us).index()]
    }

    #[inline(always)]
    fn behind_pawn(&self, survey: &Survey<'_>, square: Square) -> bool {
        step(self.us, square.bitboard()).intersects(survey.pawns[0] | survey.pawns[1])
    }

    #[inline(always)]
    fn knight(&mut self, survey: &mut Survey<'_>, square: Square) -> Tapered {
        let (mut value, reached) = self.any(survey, PieceKind::Knight, square, attacks::knight(square));
        let outposts = self.outposts();
        if outposts.contains(square) {
            value += self.outpost(survey, Term::KnightOutpost, square);
        } else if reached
            .intersects(outposts & (survey.attacks_of(self.us, PieceKind::Pawn) - survey.own[self.us.index()]))
        {
            value += self.weigh(Term::KnightReachesOutpost, 0, 1);
        }
        if self.behind_pawn(survey, square) {
            value += self.weigh(Term::KnightBehindPawn, 0, 1);
        }
        value + self.weigh(Term::KnightKingDistance, distance(square, survey.king[self.us.index()]), 1)
    }

    #[inline(always)]
    fn bishop(&mut self, survey: &mut Survey<'_>, square: Square) -> Tapered {
        let us = self.us.index();
        let through = survey.occupied - survey.position.board().kind(PieceKind::Queen);
        let (mut value, reached) = self.any(survey, PieceKind::Bishop, square, attacks::bishop(square, through));
        if self.outposts().contains(square) {
            value += self.outpost(survey, Term::BishopOutpost, square);
        }
        if self.behind_pawn(survey, square) {
            value += self.weigh(Term::BishopBehindPawn, 0, 1);
        }
        value += self.weigh(Term::BishopKingDistance, distance(square, survey.king[us]), 1);
        let same_color = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        let stuck = survey.pawns[us] & CENTRE_FILES & step(!self.us, survey.occupied);
        value += self.weigh(Term::BishopPawns, stuck.len().min(3), (survey.pawns[us] & same_color).len() as i32);
        let targets = attacks::diagonals(square) & survey.pawns[1 - us];
        value += self.weigh(Term::BishopXRayPawns, 0, targets.len() as i32);
        if ((reached | square.bitboard()) & CENTRE).has_several() {
            value += self.weigh(Term::BishopLongDiagonal, 0, 1);
        }
        value
    }

    #[inline(always)]
    fn rook(&mut self, survey: &mut Survey<'_>, square: Square) -> Tapered {
        let us = self.us.index();
        let board = survey.position.board();
        let through = survey.occupied - board.kind(PieceKind::Queen) - survey.pieces(self.us, PieceKind::Rook);
        let (mut value, reached) = self.any(survey, PieceKind::Rook, square, attacks::rook(square, through));
        let file = square.file().bitboard();
        if !file.intersects(survey.pawns[us]) {
            let half_open = file.intersects(survey.pawns[1 - us]);
            value += self.weigh(Term::RookFile, usize::from(half_open), 1);
        } else {
            if file.intersects(survey.pawns[us] & step(!self.us, survey.occupied)) {
                value += self.weigh(Term::RookFile, 2, 1);
            }
            let king = survey.king[us];
            let mobility = (reached & survey.room[us]).len();
            let beyond =
                if QUEEN_WING.contains(king) { square.file() < king.file() } else { square.file() > king.file() };
            if mobility <= 3 && beyond && relative_rank(self.us, king) == 0 && relative_rank(self.us, square) <= 1 {
                let may_castle = survey.position.castling_rooks().intersects(survey.own[us]);
                value += self.weigh(Term::RookTrapped, usize::from(may_castle), 1);
            }
        }
        if relative_rank(self.us, square) == 6 {
            let seventh = square.rank().bitboard();
            let prey = seventh.intersects(survey.pawns[1 - us]) || relative_rank(self.us, survey.king[1 - us]) == 7;
            if prey {
                value += self.weigh(Term::RookSeventh, 0, 1);
            }
        }
        if file.intersects(survey.pieces(!self.us, PieceKind::Queen)) {
            value += self.weigh(Term::RookQueenFile, 0, 1);
        }
        value
    }

    #[inline(always)]
    fn queen(&mut self, survey: &mut Survey<'_>, square: Square) -> Tapered {
        let reached = attacks::queen(square, survey.occupied);
        let (mut value, _) = self.any(survey, PieceKind::Queen, square, reached);
        let snipers = attacks::straights(square) & survey.pieces(!self.us, PieceKind::Rook)
            | attacks::diagonals(square) & survey.pieces(!self.us, PieceKind::Bishop);
        for sniper in snipers {
            let between = attacks::between(square, sniper) & survey.occupied;
            if between.any() && !between.has_several() {
                value += self.weigh(Term::QueenPinned, 0, 1);
                break;
            }
        }
        let enemy_king = survey.king[(!self.us).index()];
        value + self.weigh(Term::QueenKingDistance, distance(square, enemy_king), 1)
    }
}

/// Whether a rook of the given set stands behind a pawn with nothing between them.
#[inline(always)]
pub(crate) fn rook_behind(survey: &Survey<'_>, us: Color, pawn: Square, rooks: Bitboard) -> bool {
    let behind = ahead(!us, pawn) & rooks;
    behind.into_iter().any(|rook| !attacks::between(pawn, rook).intersects(survey.occupied))
}
