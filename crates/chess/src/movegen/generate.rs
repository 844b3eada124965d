//! The generator itself.

use super::legality::{Legality, en_passant_takers, unattacked};
use super::side::Side;
use super::sink::Sink;
use crate::attacks::sliders::Sliders;
use crate::play::castling_targets;
use crate::{Bitboard, CastlingSide, File, Move, MoveKind, PieceKind, Position, Square, attacks};

/// Which moves to make, known at compile time.
pub(super) trait Generator {
    const NOISY: bool;
    const QUIET: bool;
}

pub(super) struct All;
pub(super) struct Noisy;
pub(super) struct Quiet;

impl Generator for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Generator for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Generator for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Sends the legal moves of the pieces on `movers` to a sink.
#[inline(always)]
pub(super) fn run<U: Side, G: Generator, S: Sliders, K: Sink>(
    sliders: S,
    position: &Position,
    legality: &Legality,
    movers: Bitboard,
    sink: &mut K,
) {
    let board = &position.board;
    let own = board.color(U::COLOR);
    let occupied = board.occupied();
    let wanted = match (G::NOISY, G::QUIET) {
        (true, true) => !own,
        (true, false) => occupied - own,
        _ => !occupied,
    };

    if movers.contains(position.king(U::COLOR)) {
        king::<U, G, S, K>(sliders, position, legality, wanted, sink);
    }
    if legality.checkers().has_several() {
        return;
    }
    pieces::<U, S, K>(sliders, position, legality, movers, wanted & legality.targets(), sink);
    pawns::<U, G, S, K>(sliders, position, legality, movers, sink);
}

/// The king's steps onto squares that nobody attacks once it has left, and castling.
#[inline(always)]
fn king<U: Side, G: Generator, S: Sliders, K: Sink>(
    sliders: S,
    position: &Position,
    legality: &Legality,
    wanted: Bitboard,
    sink: &mut K,
) {
    let from = position.king(U::COLOR);
    let targets = attacks::king(from) & wanted;
    sink.piece(from, unattacked(sliders, position, targets, !U::COLOR, position.occupied().without(from)));
    if G::QUIET && !legality.is_check() {
        for rook in position.castling_rooks & U::BACK_RANK {
            castle::<U, S, K>(sliders, position, legality, from, rook, sink);
        }
    }
}

/// Castling with one rook: the way of both must be free but for themselves, and the king's way not attacked.
#[inline(always)]
fn castle<U: Side, S: Sliders, K: Sink>(
    sliders: S,
    position: &Position,
    legality: &Legality,
    king: Square,
    rook: Square,
    sink: &mut K,
) {
    let (side, kind) = if rook.file() > king.file() {
        (CastlingSide::King, MoveKind::CastleKing)
    } else {
        (CastlingSide::Queen, MoveKind::CastleQueen)
    };
    let (king_to, rook_to) = castling_targets(U::COLOR, side);
    let others = position.occupied().without(king).without(rook);
    let king_way = attacks::between(king, king_to).with(king_to);
    let rook_way = attacks::between(rook, rook_to).with(rook_to);
    // A rook pinned along the back rank uncovers its king by castling; only Chess960 knows the case.
    if (king_way | rook_way).intersects(others) || legality.straight_pins.contains(rook) {
        return;
    }
    let behind = position.occupied().without(king);
    if unattacked(sliders, position, king_way, !U::COLOR, behind) == king_way {
        sink.special(Move::new(king, rook, kind));
    }
}

/// Knights, bishops, rooks and queens; a queen moves once as a bishop and once as a rook.
#[inline(always)]
fn pieces<U: Side, S: Sliders, K: Sink>(
    sliders: S,
    position: &Position,
    legality: &Legality,
    movers: Bitboard,
    targets: Bitboard,
    sink: &mut K,
) {
    let board = &position.board;
    let occupied = board.occupied();
    let (diagonal_pins, straight_pins) = (legality.diagonal_pins, legality.straight_pins);

    let knights = board.pieces(U::COLOR, PieceKind::Knight) & movers;
    for from in knights - (diagonal_pins | straight_pins) {
        sink.piece(from, attacks::knight(from) & targets);
    }
    let diagonal = board.diagonal_sliders(U::COLOR) & movers;
    for from in diagonal - straight_pins {
        let allowed = if diagonal_pins.contains(from) { targets & diagonal_pins } else { targets };
        sink.piece(from, sliders.bishop(from, occupied) & allowed);
    }
    let straight = board.straight_sliders(U::COLOR) & movers;
    for from in straight - diagonal_pins {
        let allowed = if straight_pins.contains(from) { targets & straight_pins } else { targets };
        sink.piece(from, sliders.rook(from, occupied) & allowed);
    }
}

/// All pawns at once.
#[inline(always)]
fn pawns<U: Side, G: Generator, S: Sliders, K: Sink>(
    sliders: S,
    position: &Position,
    legality: &Legality,
    movers: Bitboard,
    sink: &mut K,
) {
    let board = &position.board;
    let pawns = board.pieces(U::COLOR, PieceKind::Pawn) & movers;
    let empty = !board.occupied();
    let (diagonal_pins, straight_pins) = (legality.diagonal_pins, legality.straight_pins);
    let free = pawns - (diagonal_pins | straight_pins);

    // Pushes: a pawn pinned along its file stays on the pinning ray.
    let ahead = free.shifted(U::AHEAD) | (pawns & straight_pins).shifted(U::AHEAD) & straight_pins;
    let single = ahead & empty;
    let double = (single & U::THIRD_RANK).shifted(U::AHEAD) & empty & legality.targets();
    let single = single & legality.targets();
    if G::QUIET {
        sink.pawns(single - U::LAST_RANK, U::AHEAD, MoveKind::Quiet);
        sink.pawns(double, 2 * U::AHEAD, MoveKind::DoublePush);
    }
    if !G::NOISY {
        return;
    }
    sink.promotions(single & U::LAST_RANK, U::AHEAD, false);

    // Captures: a pawn pinned along a diagonal stays on the pinning ray.
    let prey = board.color(!U::COLOR) & legality.targets();
    for (edge, step) in [(File::A, U::AHEAD_LEFT), (File::H, U::AHEAD_RIGHT)] {
        let edge = edge.bitboard();
        let reached = (free - edge).shifted(step) | ((pawns & diagonal_pins) - edge).shifted(step) & diagonal_pins;
        let captures = reached & prey;
        sink.pawns(captures - U::LAST_RANK, step, MoveKind::Capture);
        sink.promotions(captures & U::LAST_RANK, step, true);
    }
    if let Some(target) = position.en_passant {
        for from in en_passant_takers(sliders, position, target) & pawns {
            sink.special(Move::new(from, target, MoveKind::EnPassant));
        }
    }
}
