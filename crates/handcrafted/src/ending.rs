//! Endings: how much of an end-game advantage is worth anything, and how a bare king is driven to mate.

use kiebitz_chess::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::geometry::distance;
use crate::term::Term;

/// The whole of an end-game value, in the unit of [`Scaling`].
pub(crate) const FULL_SCALE: i32 = 128;

/// Which share of an end-game advantage counts for the side that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scaling {
    /// A weight of the table, by family and offset.
    Weight(Term, usize),
    /// A share that theory knows, in 128ths.
    Known(i32),
}

/// Rough values that tell whether one side has more pieces; pawns are looked at separately.
const MINOR: i32 = 3;
const ROOK: i32 = 5;
const QUEEN: i32 = 10;

struct Army {
    knights: usize,
    bishops: Bitboard,
    rooks: usize,
    queens: usize,
    pawns: Bitboard,
}

impl Army {
    #[inline(always)]
    fn of(position: &Position, color: Color) -> Self {
        Self {
            knights: position.pieces(color, PieceKind::Knight).len(),
            bishops: position.pieces(color, PieceKind::Bishop),
            rooks: position.pieces(color, PieceKind::Rook).len(),
            queens: position.pieces(color, PieceKind::Queen).len(),
            pawns: position.pieces(color, PieceKind::Pawn),
        }
    }

    #[inline(always)]
    fn pieces(&self) -> usize {
        self.knights + self.bishops.len() + self.rooks + self.queens
    }

    #[inline(always)]
    fn worth(&self) -> i32 {
        (self.knights + self.bishops.len()) as i32 * MINOR + self.rooks as i32 * ROOK + self.queens as i32 * QUEEN
    }
}

/// The share that `strong` keeps of an end-game value in its favour; `passed` are the passed pawns of both sides.
#[inline(always)]
pub(crate) fn scaling(position: &Position, strong: Color, passed: Bitboard) -> Scaling {
    let ours = Army::of(position, strong);
    let theirs = Army::of(position, !strong);
    if ours.pawns.is_empty() {
        // Without pawns a lead of less than a rook does not win, and two knights never do.
        let lead = ours.worth() - theirs.worth();
        if ours.worth() <= MINOR || ours.pieces() == 2 && ours.knights == 2 && theirs.pawns.is_empty() {
            return Scaling::Known(0);
        }
        if lead <= MINOR {
            return Scaling::Known(if theirs.worth() <= MINOR { 8 } else { 24 });
        }
    } else if ours.pieces() == ours.bishops.len() && wrong_corner(position, strong, &ours) {
        return Scaling::Known(0);
    }
    let opposite = ours.bishops.len() == 1
        && theirs.bishops.len() == 1
        && (ours.bishops | theirs.bishops).intersects(Bitboard::LIGHT_SQUARES)
        && (ours.bishops | theirs.bishops).intersects(Bitboard::DARK_SQUARES);
    if opposite {
        if ours.pieces() == 1 && theirs.pieces() == 1 {
            let runners = (passed & ours.pawns).len();
            return Scaling::Weight(Term::ScaleOppositeBishops, runners.min(3));
        }
        return Scaling::Weight(Term::ScaleOppositeBishopsMore, ours.pieces().min(8) - 1);
    }
    if ours.rooks == 1 && theirs.rooks == 1 && ours.pieces() == 1 && theirs.pieces() == 1 {
        let lead = ours.pawns.len().saturating_sub(theirs.pawns.len());
        return Scaling::Weight(Term::ScaleRookEnding, lead.min(3));
    }
    if ours.queens == 1 && ours.pieces() == 1 && theirs.queens == 0 && theirs.pieces() > 1 {
        return Scaling::Weight(Term::ScaleQueenAgainstPieces, 0);
    }
    Scaling::Weight(Term::ScalePawns, ours.pawns.len().min(8))
}

/// Only rook pawns, no bishop that guards their corner, and the defender sits in it.
fn wrong_corner(position: &Position, strong: Color, ours: &Army) -> bool {
    let a_file = Bitboard(0x0101_0101_0101_0101);
    let h_file = Bitboard(0x8080_8080_8080_8080);
    let file = if ours.pawns.is_subset_of(a_file) {
        0
    } else if ours.pawns.is_subset_of(h_file) {
        7
    } else {
        return false;
    };
    let back = if strong == Color::White { 56 } else { 0 };
    let Some(corner) = Square::from_index(back + file) else { return false };
    let guards = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    !ours.bishops.intersects(guards) && distance(position.king(!strong), corner) <= 1
}

/// What a won ending against a bare king is worth at least: more than any middle game, less than a mate.
const WON: i32 = 5_000;

/// The value of a position in which one side has a bare king and the other can mate it, from the strong side's view.
///
/// The pieces are worth more the nearer the end is: the bare king at the edge (with bishop and knight: in a corner the
/// bishop reaches), the kings close to each other.
pub(crate) fn bare_king(position: &Position, strong: Color) -> Option<i32> {
    let weak = !strong;
    let bare = position.board().color(weak);
    if bare.has_several() {
        return None;
    }
    let ours = Army::of(position, strong);
    let pair = ours.bishops.intersects(Bitboard::LIGHT_SQUARES) && ours.bishops.intersects(Bitboard::DARK_SQUARES);
    let minors = ours.bishops.any() && ours.knights > 0;
    if ours.queens == 0 && ours.rooks == 0 && !pair && !minors {
        return None;
    }
    let hunted = position.king(weak);
    let closeness = 7 - distance(position.king(strong), hunted) as i32;
    let drive = if ours.queens + ours.rooks == 0 && !pair && ours.pawns.is_empty() {
        let corners = if ours.bishops.intersects(Bitboard::LIGHT_SQUARES) {
            [Square::A8, Square::H1]
        } else {
            [Square::A1, Square::H8]
        };
        let steps = |corner: Square| {
            let files = hunted.file().index().abs_diff(corner.file().index());
            let ranks = hunted.rank().index().abs_diff(corner.rank().index());
            (files + ranks) as i32
        };
        (14 - corners.into_iter().map(steps).min().unwrap_or(0)) * 120
    } else {
        let off_centre = |index: usize| (index.max(7 - index) - 4) as i32;
        (off_centre(hunted.file().index()) + off_centre(hunted.rank().index())) * 40
    };
    let men = ours.worth() * 100 + ours.pawns.len() as i32 * 100;
    // What the pieces cut off: without it the kings dance and nobody closes the net.
    let occupied = position.occupied() - hunted.bitboard();
    let free = |square: &Square| position.attackers(*square, strong, occupied).is_empty();
    let cage = 8 - attacks::king(hunted).into_iter().filter(free).count() as i32;
    Some(WON + men.min(3_000) + drive + closeness * 20 + cage * 8)
}
