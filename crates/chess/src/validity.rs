//! The definition of a legal position: slow, readable, and the only one.
//!
//! A setup that passes can be played on without surprise: both kings are there, the side that just moved is not
//! in check, and castling rights and en-passant chance are backed by pieces. It is *not* a proof that a game
//! leads there; only contradictions that matter to the rules, and impossible material, are refused.

use crate::{Bitboard, CastlingSide, Color, PieceKind, Rank, Setup, Square, attacks};

/// Why a setup is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A side must have exactly one king.
    #[error("{color} has {count} kings instead of one")]
    Kings {
        /// Whose kings.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// A side starts with sixteen pieces.
    #[error("{color} has {count} pieces; sixteen is the most")]
    TooManyPieces {
        /// Whose pieces.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// A side starts with eight pawns.
    #[error("{color} has {count} pawns; eight is the most")]
    TooManyPawns {
        /// Whose pawns.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// Every piece beyond the first set costs a pawn.
    #[error("{color} has {pawns} pawns and {promoted} promoted pieces; together eight is the most")]
    TooManyPromotions {
        /// Whose pieces.
        color: Color,
        /// The pawns that are left.
        pawns: usize,
        /// The pieces that must have been pawns.
        promoted: usize,
    },
    /// A pawn never stands on the first or last rank.
    #[error("a pawn on {0}: pawns never stand on the first or last rank")]
    PawnOnLastRank(Square),
    /// The side that is not to move may not be in check.
    #[error("{0} is in check but not to move")]
    OpponentInCheck(Color),
    /// At most two pieces check at once.
    #[error("{0} pieces give check; two is the most")]
    TooManyCheckers(usize),
    /// A right to castle needs the king on its back rank.
    #[error("{0} may castle although its king is not on its back rank")]
    CastlingKing(Color),
    /// A right to castle needs a rook of its own.
    #[error("{color} may castle with a rook on {square}, but none of its rooks is there")]
    CastlingRook {
        /// Who may castle.
        color: Color,
        /// Where the rook should be.
        square: Square,
    },
    /// One right for each wing.
    #[error("{color} may castle with two rooks on the same side of its king")]
    CastlingWing {
        /// Who may castle.
        color: Color,
        /// Which wing.
        side: CastlingSide,
    },
    /// The en-passant square lies behind a pawn that has just gone two squares.
    #[error("no pawn can have just passed {0}, the en-passant square")]
    EnPassant(Square),
    /// The check on the board cannot have come about by the two-square advance.
    #[error("en passant on {0}, but the check cannot come from that pawn's advance")]
    EnPassantCheck(Square),
    /// Moves are counted from one.
    #[error("the move number is 0; moves are counted from 1")]
    FullmoveNumber,
}

/// Says whether a setup is a legal position; the first contradiction found is returned.
///
/// # Errors
/// The violation, if there is one.
pub fn check(setup: &Setup) -> Result<(), Violation> {
    for color in Color::ALL {
        check_material(setup, color)?;
    }
    check_checks(setup)?;
    for color in Color::ALL {
        check_castling(setup, color)?;
    }
    if let Some(square) = setup.en_passant {
        check_en_passant(setup, square)?;
    }
    if setup.fullmove_number == 0 {
        return Err(Violation::FullmoveNumber);
    }
    Ok(())
}

fn check_material(setup: &Setup, color: Color) -> Result<(), Violation> {
    let count_of = |kind| setup.board.pieces(color, kind).len();
    let kings = count_of(PieceKind::King);
    if kings != 1 {
        return Err(Violation::Kings { color, count: kings });
    }
    let count = setup.board.color(color).len();
    if count > 16 {
        return Err(Violation::TooManyPieces { color, count });
    }
    let pawns = count_of(PieceKind::Pawn);
    if pawns > 8 {
        return Err(Violation::TooManyPawns { color, count: pawns });
    }
    let first_set = [(PieceKind::Knight, 2), (PieceKind::Bishop, 2), (PieceKind::Rook, 2), (PieceKind::Queen, 1)];
    let promoted = first_set.into_iter().map(|(kind, normal)| count_of(kind).saturating_sub(normal)).sum();
    if pawns + promoted > 8 {
        return Err(Violation::TooManyPromotions { color, pawns, promoted });
    }
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    match (setup.board.pieces(color, PieceKind::Pawn) & last_ranks).first() {
        Some(square) => Err(Violation::PawnOnLastRank(square)),
        None => Ok(()),
    }
}

/// The pieces of the other side that attack a side's king, found ray by ray.
fn checkers(setup: &Setup, color: Color) -> Bitboard {
    let board = &setup.board;
    let Some(king) = board.king(color) else { return Bitboard::EMPTY };
    let occupied = board.occupied();
    let them = !color;
    attacks::pawn(color, king) & board.pieces(them, PieceKind::Pawn)
        | attacks::knight(king) & board.pieces(them, PieceKind::Knight)
        | attacks::king(king) & board.pieces(them, PieceKind::King)
        | attacks::bishop_by_rays(king, occupied) & board.diagonal_sliders(them)
        | attacks::rook_by_rays(king, occupied) & board.straight_sliders(them)
}

fn check_checks(setup: &Setup) -> Result<(), Violation> {
    let us = setup.side_to_move;
    if checkers(setup, !us).any() {
        return Err(Violation::OpponentInCheck(!us));
    }
    match checkers(setup, us).len() {
        0..=2 => Ok(()),
        count => Err(Violation::TooManyCheckers(count)),
    }
}

fn check_castling(setup: &Setup, color: Color) -> Result<(), Violation> {
    let back_rank = Rank::First.relative_to(color);
    let rooks = setup.castling_rooks_of(color);
    // A right on any other rank belongs to nobody; blame the side on whose half it lies.
    let half = if color == Color::White { 0..32 } else { 32..64 };
    let stray = (setup.castling_rooks - Rank::First.bitboard() - Rank::Eighth.bitboard())
        .into_iter()
        .find(|square| half.contains(&square.index()));
    if let Some(square) = stray {
        return Err(Violation::CastlingRook { color, square });
    }
    if rooks.is_empty() {
        return Ok(());
    }
    let king = setup.board.king(color).filter(|king| king.rank() == back_rank);
    let Some(king) = king else { return Err(Violation::CastlingKing(color)) };
    let own_rooks = setup.board.pieces(color, PieceKind::Rook);
    if let Some(square) = (rooks - own_rooks).first() {
        return Err(Violation::CastlingRook { color, square });
    }
    let (king_side, queen_side): (Vec<Square>, Vec<Square>) =
        rooks.into_iter().partition(|rook| rook.file() > king.file());
    for (wing, side) in [(king_side, CastlingSide::King), (queen_side, CastlingSide::Queen)] {
        if wing.len() > 1 {
            return Err(Violation::CastlingWing { color, side });
        }
    }
    Ok(())
}

fn check_en_passant(setup: &Setup, square: Square) -> Result<(), Violation> {
    let them = !setup.side_to_move;
    let at = |rank: Rank| Square::new(square.file(), rank.relative_to(them));
    let (origin, pawn) = (at(Rank::Second), at(Rank::Fourth));
    let passed = square == at(Rank::Third)
        && setup.board.pieces(them, PieceKind::Pawn).contains(pawn)
        && setup.board.kind_at(square).is_none()
        && setup.board.kind_at(origin).is_none();
    if !passed {
        return Err(Violation::EnPassant(square));
    }
    // Before the advance nobody gave check, so each checker is the pawn or looks through its origin.
    let Some(king) = setup.board.king(setup.side_to_move) else { return Ok(()) };
    let explained = |checker: Square| checker == pawn || attacks::between(checker, king).contains(origin);
    if checkers(setup, setup.side_to_move).into_iter().all(explained) {
        Ok(())
    } else {
        Err(Violation::EnPassantCheck(square))
    }
}
