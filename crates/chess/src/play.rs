//! Playing a move on a position.

use crate::{Bitboard, CastlingSide, Color, File, Move, MoveKind, Piece, PieceKind, Position, Rank, Square, attacks};

/// Hears of every piece that a move puts down, takes off or shifts.
///
/// Networks keep their hidden sums up to date this way; the rules know nothing of them, and with
/// [`Unobserved`] the calls vanish.
pub trait BoardObserver {
    /// A piece appears on a square.
    fn placed(&mut self, piece: Piece, square: Square);

    /// A piece disappears from a square.
    fn removed(&mut self, piece: Piece, square: Square);

    /// A piece goes from one square to another.
    #[inline]
    fn shifted(&mut self, piece: Piece, from: Square, to: Square) {
        self.removed(piece, from);
        self.placed(piece, to);
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl BoardObserver for Unobserved {
    #[inline(always)]
    fn placed(&mut self, _: Piece, _: Square) {}

    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}

    #[inline(always)]
    fn shifted(&mut self, _: Piece, _: Square, _: Square) {}
}

/// Where king and rook stand after castling.
#[inline]
pub(crate) fn castling_targets(color: Color, side: CastlingSide) -> (Square, Square) {
    let rank = Rank::First.relative_to(color);
    let (king, rook) = match side {
        CastlingSide::King => (File::G, File::F),
        CastlingSide::Queen => (File::C, File::D),
    };
    (Square::new(king, rank), Square::new(rook, rank))
}

impl Position {
    /// Plays a legal move. What an illegal one does is unspecified (but no panic in release builds): ask
    /// [`Self::is_legal`] first where a move comes from outside.
    ///
    /// Those who go through games do nothing else: only what changes is written, and nothing is asked about the kind of
    /// piece, which no CPU could predict.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        if !matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture) {
            self.play_unusual(mv);
            return;
        }
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = self.board.kind_at(from) else {
            debug_assert!(false, "{mv:?} moves nothing");
            return;
        };
        let reversible = !mv.is_capture() & (kind != PieceKind::Pawn);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1) & u16::from(reversible).wrapping_neg();
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.side_to_move = !us;
        self.en_passant = None;
        let back_rank = Rank::First.relative_to(us).bitboard();
        let moves_king = Bitboard(u64::from(kind == PieceKind::King).wrapping_neg());
        self.castling_rooks -= from.bitboard() | to.bitboard() | back_rank & moves_king;
        let victim = self.board.kind_at(to);
        self.board.shift(Piece::new(us, kind), from, to);
        self.keys.toggle(!us, victim, to);
        self.keys.relocate(us, kind, from, kind, to);
    }

    /// Two squares at once, castling, en passant, promotions: one move in fifteen.
    #[inline(never)]
    fn play_unusual(&mut self, mv: Move) {
        self.play_observed(mv, &mut Unobserved);
    }

    /// Plays a legal move and announces every change of the board.
    #[inline]
    pub fn play_observed(&mut self, mv: Move, observer: &mut impl BoardObserver) {
        self.clone().play_into(mv, self, observer);
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        self.play_into(mv, &mut next, &mut Unobserved);
        next
    }

    /// Makes `next`, whatever it was, the position after a legal move: the fast way for searchers, which keep
    /// one position a ply.
    #[inline(always)]
    pub fn play_into(&self, mv: Move, next: &mut Self, observer: &mut impl BoardObserver) {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = self.board.kind_at(from) else {
            debug_assert!(false, "{mv:?} moves nothing");
            return;
        };

        next.halfmove_clock =
            if mv.is_capture() || kind == PieceKind::Pawn { 0 } else { self.halfmove_clock.saturating_add(1) };
        next.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        next.side_to_move = !us;
        next.en_passant = None;
        // A king that moves loses both rights, a rook that moves or is taken its own.
        let mut rightless = from.bitboard() | to.bitboard();
        if kind == PieceKind::King {
            rightless |= Rank::First.relative_to(us).bitboard();
        }
        next.castling_rooks = self.castling_rooks - rightless;
        next.keys = self.keys;
        if let Some(side) = mv.castling() {
            next.board = self.board.clone();
            next.castle(side, from, to, us, observer);
            return;
        }

        let victim_square = if mv.kind() == MoveKind::EnPassant { to.beyond() } else { to };
        let victim = self.board.kind_at(victim_square);
        let placed = mv.promotion().unwrap_or(kind);
        next.board.relocate(&self.board, Piece::new(us, placed), from, to, victim_square);
        next.keys.toggle(!us, victim, victim_square);
        next.keys.relocate(us, kind, from, placed, to);
        if let Some(victim) = victim {
            observer.removed(Piece::new(!us, victim), victim_square);
        }
        if placed == kind {
            observer.shifted(Piece::new(us, kind), from, to);
        } else {
            observer.removed(Piece::new(us, kind), from);
            observer.placed(Piece::new(us, placed), to);
        }

        if mv.kind() == MoveKind::DoublePush {
            let passed = to.beyond();
            let takers = attacks::pawn(us, passed) & next.board.pieces(!us, PieceKind::Pawn);
            if takers.any() && next.can_take_en_passant(passed) {
                next.en_passant = Some(passed);
            }
        }
    }

    /// Passes the turn, as null-move pruning does. The side to move must not be in check.
    pub fn play_null(&mut self) {
        debug_assert!(!self.is_check(), "passing while in check leaves the king to be taken");
        self.fullmove_number = self.fullmove_number.saturating_add(self.side_to_move as u16);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.side_to_move = !self.side_to_move;
        self.en_passant = None;
    }

    /// King and rook leave together and arrive together: in Chess960 each may land where the other stood.
    fn castle(
        &mut self,
        side: CastlingSide,
        king_from: Square,
        rook_from: Square,
        us: Color,
        observer: &mut impl BoardObserver,
    ) {
        let (king_to, rook_to) = castling_targets(us, side);
        let king = Piece::new(us, PieceKind::King);
        let rook = Piece::new(us, PieceKind::Rook);
        for (piece, square) in [(king, king_from), (rook, rook_from)] {
            self.board.remove(piece, square);
            self.keys.toggle(us, Some(piece.kind), square);
            observer.removed(piece, square);
        }
        for (piece, square) in [(king, king_to), (rook, rook_to)] {
            self.board.place(piece, square);
            self.keys.toggle(us, Some(piece.kind), square);
            observer.placed(piece, square);
        }
    }
}
