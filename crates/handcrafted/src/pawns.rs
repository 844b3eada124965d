//! Everything that depends on pawns and kings alone: structure, shelter, storm, and where kings and pawns stand.
//!
//! *Invariant:* nothing here looks at any other piece, nor at the side to move; that is what makes it worth caching.

use kiebitz_chess::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::geometry::{
    ahead, attack_span, distance, edge_distance, fill_ahead, flank, front, neighbour_files, not_behind, relative_rank,
    step,
};
use crate::ledger::Ledger;
use crate::survey::Wings;
use crate::tapered::Tapered;
use crate::term::Term;

/// What pawns and kings are worth, and what other terms need to know about them.
#[derive(Clone, Copy, Default)]
pub(crate) struct PawnReport {
    /// White's view.
    pub(crate) value: Tapered,
    /// What the pawns contribute to the danger of either king.
    pub(crate) danger: [Tapered; Color::COUNT],
    /// Passed pawns of both sides.
    pub(crate) passed: Bitboard,
    /// Pairs of pawns head to head.
    pub(crate) rams: u8,
    /// Squares that a side's pawns attack now or may attack after advancing.
    pub(crate) attack_spans: [Bitboard; Color::COUNT],
}

impl PawnReport {
    /// Examines the pawns of a position.
    pub(crate) fn of<L: Ledger>(position: &Position, ledger: &mut L) -> Self {
        let mut report = Self::default();
        let white = side(position, Color::White, &mut report, ledger);
        let black = side(position, Color::Black, &mut report, ledger);
        report.value = white - black;
        let white_pawns = position.pieces(Color::White, PieceKind::Pawn);
        let black_pawns = position.pieces(Color::Black, PieceKind::Pawn);
        report.rams = (step(Color::White, white_pawns) & black_pawns).len() as u8;
        report
    }
}

#[inline(always)]
fn side<L: Ledger>(position: &Position, us: Color, report: &mut PawnReport, ledger: &mut L) -> Tapered {
    let them = !us;
    let ours = position.pieces(us, PieceKind::Pawn);
    let theirs = position.pieces(them, PieceKind::Pawn);
    let king = position.king(us);
    let wings = Wings::new(us, king, position.king(them));
    report.attack_spans[us.index()] = attacks::pawns(us, fill_ahead(us, ours));

    let mut value = ledger.weigh(us, Term::PieceSquare, wings.offset(PieceKind::King, king), 1);
    let holes = own_half(us) - report.attack_spans[us.index()];
    value += ledger.weigh(us, Term::Holes, 0, holes.len() as i32);
    for pawn in ours {
        value += ledger.weigh(us, Term::PieceSquare, wings.offset(PieceKind::Pawn, pawn), 1);
        value += structure(position, us, pawn, ours, theirs, report, ledger);
    }
    value + shelter(us, king, ours, theirs, report, ledger)
}

/// The third and fourth rank as a side counts them.
const fn own_half(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_0000_ffff_0000),
        Color::Black => Bitboard(0x0000_ffff_0000_0000),
    }
}

#[inline(always)]
fn structure<L: Ledger>(
    position: &Position,
    us: Color,
    pawn: Square,
    ours: Bitboard,
    theirs: Bitboard,
    report: &mut PawnReport,
    ledger: &mut L,
) -> Tapered {
    let rank = relative_rank(us, pawn);
    let edge = edge_distance(pawn);
    let stop = step(us, pawn.bitboard());
    let neighbours = ours & neighbour_files(pawn);
    let support = attacks::pawn(!us, pawn) & ours;
    let phalanx = neighbours & pawn.rank().bitboard();
    let opposed = theirs.intersects(ahead(us, pawn));
    let levers = attacks::pawn(us, pawn) & theirs;
    let stoppers = front(us, pawn) & theirs;
    let mut value = Tapered::ZERO;

    if neighbours.is_empty() {
        value += ledger.weigh(us, Term::Isolated, usize::from(opposed) * 4 + edge, 1);
    } else if !neighbours.intersects(attack_span(!us, pawn) | phalanx)
        && (stop & (theirs | attacks::pawns(!us, theirs))).any()
    {
        value += ledger.weigh(us, Term::Backward, usize::from(opposed) * 8 + rank, 1);
    }
    if ours.intersects(ahead(us, pawn)) {
        value += ledger.weigh(us, Term::Doubled, usize::from(support.any()) * 4 + edge, 1);
    }
    if phalanx.any() {
        value += ledger.weigh(us, Term::Phalanx, rank, 1);
    }
    if support.any() {
        value += ledger.weigh(us, Term::Supported, rank, support.len() as i32);
    } else if levers.has_several() {
        value += ledger.weigh(us, Term::Overrun, 0, 1);
    }
    if levers.any() {
        value += ledger.weigh(us, Term::Lever, rank, 1);
    }
    if stop.intersects(theirs) {
        value += ledger.weigh(us, Term::Rammed, rank, 1);
    }

    let blocked_by_own = ours.intersects(ahead(us, pawn));
    if stoppers.is_empty() && !blocked_by_own {
        report.passed |= pawn.bitboard();
        value += passed(position, us, pawn, support.any() || phalanx.any(), ledger);
    } else if !opposed && !blocked_by_own {
        // Enemy pawns beside its way only: can ours escort it past them?
        let helpers = neighbours & (attack_span(!us, pawn) | phalanx);
        let guards = stoppers - levers;
        let escorted = helpers.len() >= guards.len() && support.len() >= levers.len();
        value += ledger.weigh(us, Term::Candidate, usize::from(escorted) * 8 + rank, 1);
    }
    value
}

/// The part of a passed pawn's value that kings and pawns decide.
#[inline(always)]
fn passed<L: Ledger>(position: &Position, us: Color, pawn: Square, connected: bool, ledger: &mut L) -> Tapered {
    let rank = relative_rank(us, pawn);
    let stop = step(us, pawn.bitboard()).first().unwrap_or(pawn);
    let own_distance = distance(position.king(us), stop);
    let enemy_distance = distance(position.king(!us), stop);
    let mut value = ledger.weigh(us, Term::Passed, rank, 1);
    value += ledger.weigh(us, Term::PassedFile, edge_distance(pawn), 1);
    value += ledger.weigh(us, Term::PassedOwnKing, rank * 8 + own_distance, 1);
    value += ledger.weigh(us, Term::PassedEnemyKing, rank * 8 + enemy_distance, 1);
    if connected {
        value += ledger.weigh(us, Term::PassedConnected, rank, 1);
    }
    value
}

/// How many ranks ahead stand for "no such pawn".
const NONE_AHEAD: usize = 7;

#[inline(always)]
fn shelter<L: Ledger>(
    us: Color,
    king: Square,
    ours: Bitboard,
    theirs: Bitboard,
    report: &mut PawnReport,
    ledger: &mut L,
) -> Tapered {
    let king_rank = relative_rank(us, king);
    let middle = king.file().index().clamp(1, 6);
    let mut value = Tapered::ZERO;
    let mut open_files = 0;
    for file in middle - 1..=middle + 1 {
        let on_file = Bitboard(0x0101_0101_0101_0101 << file) & not_behind(us, king);
        let nearest = |pawns: Bitboard| {
            let pawn = match us {
                Color::White => (pawns & on_file).first(),
                Color::Black => (pawns & on_file).last(),
            };
            pawn.map_or(NONE_AHEAD, |pawn| relative_rank(us, pawn) - king_rank)
        };
        let (own, enemy) = (nearest(ours), nearest(theirs));
        let edge = file.min(7 - file);
        let on_king_file = file == king.file().index();
        value += ledger.weigh(us, Term::Shelter, usize::from(on_king_file) * 32 + edge * 8 + own, 1);
        let blocked = own != NONE_AHEAD && own + 1 == enemy;
        value += ledger.weigh(us, Term::Storm, usize::from(blocked) * 32 + edge * 8 + enemy, 1);
        open_files += usize::from(own == NONE_AHEAD);
    }
    if !(ours | theirs).intersects(flank(king)) {
        value += ledger.weigh(us, Term::BareWing, 0, 1);
    }
    let contact = (attacks::pawns(!us, theirs) & attacks::king(king)).len() as i32;
    report.danger[us.index()] =
        ledger.weigh(us, Term::DangerOpenFiles, open_files, 1) + ledger.weigh(us, Term::DangerPawnContact, 0, contact);
    value
}
