//! The evaluation from beginning to end: counts, bends, scales, blends.

use kiebitz_chess::{Color, PieceKind, Position};

use crate::ending::{self, FULL_SCALE, Scaling};
use crate::geometry::{QUEEN_WING, relative_rank};
use crate::ledger::Ledger;
use crate::material::Inventory;
use crate::parameters::WEIGHTS;
use crate::pawns::PawnReport;
use crate::survey::Survey;
use crate::tapered::Tapered;
use crate::term::Term;
use crate::{king, passed, pieces, threats};

/// No value of the evaluation reaches this; what lies beyond is left to proven mates and tablebases.
pub const VALUE_LIMIT: i32 = 10_000;

/// The phase of the start position; pieces can only be fewer, or promoted.
pub(crate) const FULL_PHASE: i32 = 24;

/// How much of the middle game is left: 24 with all pieces on the board, 0 with none.
#[inline(always)]
pub(crate) fn phase(position: &Position) -> i32 {
    let board = position.board();
    let minors = board.kind(PieceKind::Knight).len() + board.kind(PieceKind::Bishop).len();
    let phase = minors + 2 * board.kind(PieceKind::Rook).len() + 4 * board.kind(PieceKind::Queen).len();
    (phase as i32).min(FULL_PHASE)
}

/// Everything the counts say, before it becomes one number; White's view.
pub(crate) struct Tally {
    /// The sum of all linear terms.
    pub(crate) linear: Tapered,
    /// The danger of either king.
    pub(crate) danger: [Tapered; Color::COUNT],
    /// What the side that is ahead in the end game gains, or loses when negative.
    pub(crate) complexity: i32,
    /// The share of an end-game advantage that counts, should it be White's or Black's.
    pub(crate) scaling: [Scaling; Color::COUNT],
    pub(crate) phase: i32,
}

impl Tally {
    /// Counts everything, with nothing remembered.
    pub(crate) fn from_scratch<L: Ledger>(position: &Position, ledger: &mut L) -> Self {
        let material = Inventory::of(position).balance(ledger);
        let pawns = PawnReport::of(position, ledger);
        Self::of(position, material, &pawns, ledger)
    }

    /// Counts everything but material and pawns, which are known.
    #[inline(always)]
    pub(crate) fn of<L: Ledger>(position: &Position, material: Tapered, pawns: &PawnReport, ledger: &mut L) -> Self {
        use Color::{Black, White};
        let mut survey = Survey::new(position);
        let [mut white, mut black] = pawns.danger;
        let mut linear = pawns.value + material;
        linear += pieces::side(&mut survey, White, pawns, &mut black, ledger);
        linear -= pieces::side(&mut survey, Black, pawns, &mut white, ledger);
        linear += king::side(&survey, White, &mut white, ledger);
        linear -= king::side(&survey, Black, &mut black, ledger);
        linear += threats::side(&survey, White, ledger) + threats::space(&survey, White, ledger);
        linear -= threats::side(&survey, Black, ledger) + threats::space(&survey, Black, ledger);
        if pawns.passed.any() {
            linear += passed::side(&survey, White, pawns, ledger);
            linear -= passed::side(&survey, Black, pawns, ledger);
        }
        let mover = position.side_to_move();
        let tempo = ledger.weigh(mover, Term::ToMove, 0, 1);
        linear += if mover == White { tempo } else { -tempo };
        Self {
            linear,
            danger: [white, black],
            complexity: complexity(&survey, pawns, ledger),
            scaling: [ending::scaling(position, White, pawns.passed), ending::scaling(position, Black, pawns.passed)],
            phase: phase(position),
        }
    }

    /// The value for White after both dangers.
    #[inline(always)]
    pub(crate) fn bent(&self) -> Tapered {
        self.linear - king::penalty(self.danger[0]) + king::penalty(self.danger[1])
    }

    /// The end-game value after complexity, and the share of it that counts.
    #[inline(always)]
    pub(crate) fn end(&self, bent: Tapered) -> (i32, i32) {
        let end = bent.end();
        // Never more than the advantage itself, so that the value has no jump where it changes hands.
        let end = end + end.signum() * self.complexity.clamp(-end.abs(), end.abs());
        let share = match self.scaling[usize::from(end < 0)] {
            Scaling::Known(share) => share,
            Scaling::Weight(term, offset) => WEIGHTS[term.first() + offset].end(),
        };
        (end, share)
    }

    /// The value for White.
    #[inline(always)]
    pub(crate) fn value(&self) -> i32 {
        let bent = self.bent();
        let (end, share) = self.end(bent);
        let blend = bent.middle() * self.phase * FULL_SCALE + end * share * (FULL_PHASE - self.phase);
        (blend / (FULL_PHASE * FULL_SCALE)).clamp(1 - VALUE_LIMIT, VALUE_LIMIT - 1)
    }
}

/// How much play is left; counted once, for whoever is ahead, and noted as White's.
#[inline(always)]
fn complexity<L: Ledger>(survey: &Survey<'_>, pawns: &PawnReport, ledger: &mut L) -> i32 {
    let all = survey.pawns[0] | survey.pawns[1];
    let both_wings = all.intersects(QUEEN_WING) && all.intersects(!QUEEN_WING);
    let kings = survey.king[0].bitboard() | survey.king[1].bitboard();
    let pawn_ending = survey.occupied == all | kings;
    let infiltration =
        relative_rank(Color::White, survey.king[0]) >= 4 || relative_rank(Color::Black, survey.king[1]) >= 4;
    let mut note = |term, count: i32| ledger.weigh(Color::White, term, 0, count).end();
    note(Term::ComplexityAlways, 1)
        + note(Term::ComplexityPawns, all.len() as i32)
        + note(Term::ComplexityBothWings, i32::from(both_wings))
        + note(Term::ComplexityPawnEnding, i32::from(pawn_ending))
        + note(Term::ComplexityInfiltration, i32::from(infiltration))
        + note(Term::ComplexityPassed, pawns.passed.len() as i32)
}

/// The value of a bare-king ending for White, if the position is one.
#[inline(always)]
pub(crate) fn known_ending(position: &Position) -> Option<i32> {
    let board = position.board();
    if board.color(Color::White).has_several() && board.color(Color::Black).has_several() {
        return None;
    }
    let for_white = ending::bare_king(position, Color::White);
    for_white.or_else(|| ending::bare_king(position, Color::Black).map(|value| -value))
}
