//! The pieces themselves: what they are worth alone, together, and against what the other side has.
//!
//! A rook gains when pawns go, the second of two rooks adds less than the first, a knight likes company of pawns: all of
//! it is said by products of two counts, as in Larry Kaufman's studies of imbalances.

use kiebitz_chess::{Bitboard, Color, PieceKind, Position};

use crate::ledger::Ledger;
use crate::tapered::Tapered;
use crate::term::Term;

/// Pawns, knights, bishops, rooks, queens, and a pair of bishops.
const KINDS: usize = 6;

/// How many pieces of each kind either side has.
pub(crate) struct Inventory([[i32; KINDS]; Color::COUNT]);

impl Inventory {
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Self {
        Self([counts(position, Color::White), counts(position, Color::Black)])
    }

    /// A number that no other inventory has: four bits a count.
    #[inline(always)]
    pub(crate) fn key(&self) -> u64 {
        let mut key = 0;
        for count in self.0.as_flattened() {
            key = key << 4 | *count as u64;
        }
        key
    }

    /// The material of both sides, White's view.
    pub(crate) fn balance<L: Ledger>(&self, ledger: &mut L) -> Tapered {
        let [white, black] = &self.0;
        side(Color::White, white, black, ledger) - side(Color::Black, black, white, ledger)
    }
}

#[inline(always)]
fn counts(position: &Position, color: Color) -> [i32; KINDS] {
    let count = |kind| position.pieces(color, kind).len() as i32;
    let bishops = position.pieces(color, PieceKind::Bishop);
    let pair = bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES);
    [
        count(PieceKind::Pawn),
        count(PieceKind::Knight),
        bishops.len() as i32,
        count(PieceKind::Rook),
        count(PieceKind::Queen),
        i32::from(pair),
    ]
}

#[inline(always)]
fn side<L: Ledger>(us: Color, ours: &[i32; KINDS], theirs: &[i32; KINDS], ledger: &mut L) -> Tapered {
    let mut value = Tapered::ZERO;
    let mut index = 0;
    for one in 0..KINDS {
        value += ledger.weigh(us, Term::Material, one, ours[one]);
        for other in 0..=one {
            value += ledger.weigh(us, Term::Together, index, ours[one] * ours[other]);
            value += ledger.weigh(us, Term::Against, index, ours[one] * theirs[other]);
            index += 1;
        }
    }
    value
}
