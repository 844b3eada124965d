//! What happens to generated moves: they are listed, or only counted.

use crate::{Bitboard, Move, MoveKind, MoveList, PieceKind, Position, Square};

/// Receives legal moves in bulk.
pub(super) trait Sink {
    /// One piece may go to all of `targets`, taking what stands there.
    fn piece(&mut self, from: Square, targets: Bitboard);

    /// Pawns arrive on all of `targets`, each from `step` squares behind.
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);

    /// Pawns promote on all of `targets`, each from `step` squares behind.
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool);

    /// A move of a rare kind: castling or en passant.
    fn special(&mut self, mv: Move);
}

/// Appends to a list.
pub(super) struct Lister<'a> {
    list: &'a mut MoveList,
    occupied: Bitboard,
}

impl<'a> Lister<'a> {
    #[inline(always)]
    pub(super) fn new(list: &'a mut MoveList, position: &Position) -> Self {
        Self { list, occupied: position.occupied() }
    }
}

impl Sink for Lister<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets & self.occupied {
            self.list.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets - self.occupied {
            self.list.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.list.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                self.list.push(Move::new(origin(to, step), to, MoveKind::promotion(kind, capture)));
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self.list.push(mv);
    }
}

#[inline(always)]
fn origin(to: Square, step: i8) -> Square {
    Square::masked((to as u8).wrapping_sub(step as u8))
}

/// Counts.
#[derive(Default)]
pub(super) struct Counter(usize);

impl Counter {
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.0
    }
}

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += targets.len() * PieceKind::PROMOTIONS.len();
    }

    #[inline(always)]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}
