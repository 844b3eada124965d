//! What check and pins allow.

use crate::attacks::sliders::Sliders;
use crate::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// Checkers and pins of the side to move: all that separates pseudo-legal from legal.
///
/// The pins are kept as rays, from the square next to the king up to and including the pinning piece. A pinned
/// slider that moves along its own kind of ray cannot reach another ray of that kind (they are parallel or meet
/// only in the king), so intersecting with *all* rays of the kind is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legality {
    checkers: Bitboard,
    targets: Bitboard,
    pub(super) diagonal_pins: Bitboard,
    pub(super) straight_pins: Bitboard,
}

impl Legality {
    #[inline(always)]
    pub(super) fn compute(position: &Position) -> Self {
        let board = &position.board;
        let us = position.side_to_move;
        let them = !us;
        let king = position.king(us);
        let occupied = board.occupied();

        let mut legality = Self {
            checkers: attacks::pawn(us, king) & board.pieces(them, PieceKind::Pawn)
                | attacks::knight(king) & board.pieces(them, PieceKind::Knight),
            targets: Bitboard::ALL,
            diagonal_pins: Bitboard::EMPTY,
            straight_pins: Bitboard::EMPTY,
        };
        // Enemy sliders that would attack the king on an empty board: what is in between decides.
        for slider in attacks::diagonals(king) & board.diagonal_sliders(them) {
            let ray = legality.weigh(king, slider, occupied);
            legality.diagonal_pins |= ray;
        }
        for slider in attacks::straights(king) & board.straight_sliders(them) {
            let ray = legality.weigh(king, slider, occupied);
            legality.straight_pins |= ray;
        }
        if let Some(checker) = legality.checkers.first() {
            legality.targets = if legality.checkers.has_several() {
                Bitboard::EMPTY
            } else {
                attacks::between(king, checker) | checker.bitboard()
            };
        }
        legality
    }

    /// Notes a checking slider; returns the ray of a pinning one.
    ///
    /// A lone *enemy* piece in between counts as pinned too: harmless, for it does not move now.
    #[inline(always)]
    fn weigh(&mut self, king: Square, slider: Square, occupied: Bitboard) -> Bitboard {
        let between = attacks::between(king, slider);
        let blockers = between & occupied;
        if blockers.is_empty() {
            self.checkers |= slider.bitboard();
            Bitboard::EMPTY
        } else if blockers.has_several() {
            Bitboard::EMPTY
        } else {
            between | slider.bitboard()
        }
    }

    /// The enemy pieces that give check.
    #[inline(always)]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Where a piece other than the king may go so that no check remains: everywhere, onto or in front of the
    /// only checker, or nowhere.
    #[inline(always)]
    #[must_use]
    pub fn targets(&self) -> Bitboard {
        self.targets
    }

    /// The own pieces that may only move along the ray between king and pinner.
    #[inline]
    #[must_use]
    pub fn pinned(&self, position: &Position) -> Bitboard {
        (self.diagonal_pins | self.straight_pins) & position.board.color(position.side_to_move)
    }
}

/// The pawns of the side to move that can legally take en passant on `target`.
///
/// Two pawns leave the board's rank at once, so pins do not tell: the king is looked at after the capture.
#[inline(always)]
pub(super) fn en_passant_takers(sliders: impl Sliders, position: &Position, target: Square) -> Bitboard {
    let board = &position.board;
    let us = position.side_to_move;
    let them = !us;
    let king = position.king(us);
    let victim = target.beyond();
    let takers = attacks::pawn(them, target) & board.pieces(us, PieceKind::Pawn);
    let leapers = attacks::pawn(us, king) & board.pieces(them, PieceKind::Pawn).without(victim)
        | attacks::knight(king) & board.pieces(them, PieceKind::Knight);
    if leapers.any() {
        return Bitboard::EMPTY;
    }
    let mut legal = Bitboard::EMPTY;
    for from in takers {
        let occupied = board.occupied().without(from).without(victim).with(target);
        let seen = sliders.bishop(king, occupied) & board.diagonal_sliders(them)
            | sliders.rook(king, occupied) & board.straight_sliders(them);
        if seen.is_empty() {
            legal |= from.bitboard();
        }
    }
    legal
}

/// Those of `squares` that a side does not attack, given every occupied square.
///
/// Either each square is asked who attacks it, or each enemy slider is asked what it attacks: whichever are fewer.
#[inline(always)]
pub(super) fn unattacked(
    sliders: impl Sliders,
    position: &Position,
    mut squares: Bitboard,
    by: Color,
    occupied: Bitboard,
) -> Bitboard {
    let board = &position.board;
    squares -= attacks::king(position.king(by)) | attacks::pawns(by, board.pieces(by, PieceKind::Pawn));
    for knight in board.pieces(by, PieceKind::Knight) {
        squares -= attacks::knight(knight);
    }
    let (diagonal, straight) = (board.diagonal_sliders(by), board.straight_sliders(by));
    if squares.len() < (diagonal | straight).len() {
        for square in squares {
            let seen = sliders.bishop(square, occupied) & diagonal | sliders.rook(square, occupied) & straight;
            if seen.any() {
                squares = squares.without(square);
            }
        }
    } else {
        for slider in diagonal {
            squares -= sliders.bishop(slider, occupied);
        }
        for slider in straight {
            squares -= sliders.rook(slider, occupied);
        }
    }
    squares
}
