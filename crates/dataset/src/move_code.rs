//! A legal move as two small numbers: which piece, and which of its targets.
//!
//! The numbers are part of the file format: own pieces by square, from a1 to h8, then the piece's targets by square, own pieces
//! left out. Targets are chosen so that they cost next to nothing to find:
//!
//! | piece | targets |
//! |---|---|
//! | bishop, rook, queen | their lines on an empty board |
//! | knight | its leaps |
//! | king | the squares beside it, and the rooks with which it may still castle |
//! | pawn | free squares ahead, enemies to take, the en-passant square; four numbers each where it promotes, knight first |
//!
//! Which of them are legal is looked at only after the choice. That costs a fraction of a bit, but takes slider tables,
//! checks and pins out of the chain of things that wait for each other: the CPU plays on while it makes sure.
//!
//! **Invariant:** whatever bits are read, a move that comes out is legal.

use kiebitz_chess::attacks;
use kiebitz_chess::{Bitboard, Color, Move, MoveKind, PieceKind, Position, Rank, Square};

use crate::bits::{BitWindow, BitWriter};
use crate::pick::Pick;

/// The most bits that a move takes: one of at most 64 pieces, then one of at most 64 targets, either with a bit on top.
///
/// Legal positions need fewer; so nothing rests on how many pieces a side can have.
pub(crate) const MOVE_BITS: u32 = 2 * 7;

/// What a pawn may become, in the order of the format.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Writes a move; `false`, with nothing written, when it is not legal here.
pub(crate) fn put_move(writer: &mut BitWriter, position: &Position, mv: Move) -> bool {
    let Some(kind) = position.board().kind_at(mv.from()) else {
        return false;
    };
    if !position.is_legal(mv) {
        return false;
    }
    let own = position.board().color(position.side_to_move());
    let targets = targets(position, mv.from(), kind);
    let (target, count) = (squares_before(targets, mv.to()), targets.len() as u32);
    writer.put_choice(squares_before(own, mv.from()), own.len() as u32);
    match mv.promotion() {
        Some(kind) => writer.put_choice(target * 4 + (kind as u32 - PieceKind::Knight as u32), count * 4),
        None => writer.put_choice(target, count),
    }
    true
}

/// Reads a move; `None` when the choice is not a legal move, which no writer makes.
///
/// Hardly any branch depends on the piece or the move: which it is cannot be predicted, and each surprise costs as much as
/// all of the arithmetic.
#[inline(always)]
pub(crate) fn take_move(window: &mut BitWindow, position: &Position, pick: impl Pick) -> Option<Move> {
    let board = position.board();
    let us = position.side_to_move();
    let own = board.color(us);
    let from = pick.nth(own, window.take_choice(own.len() as u32))?;
    let kind = board.kind_at(from)?;
    let targets = targets(position, from, kind);
    let count = targets.len() as u32;
    if count == 0 {
        return None;
    }
    let pawns = board.kind(PieceKind::Pawn);
    if (pawns & Rank::Seventh.relative_to(us).bitboard()).contains(from) {
        return take_promotion(window, position, from, targets, pick);
    }
    let to = pick.nth(targets, window.take_choice(count))?;
    if (position.en_passant() == Some(to)) | own.contains(to) {
        return unusual_move(position, from, to);
    }
    let capture = board.occupied().contains(to);
    let double = pawns.contains(from) & ((to as u8).abs_diff(from as u8) == 2 * FILES);
    let quiet = if double { MoveKind::DoublePush } else { MoveKind::Quiet };
    let mv = Move::new(from, to, if capture { MoveKind::Capture } else { quiet });
    keeps_the_rules(position, kind, from, to).then_some(mv)
}

/// Whether a piece finds its way free, and its king is safe afterwards.
#[inline(always)]
fn keeps_the_rules(position: &Position, kind: PieceKind, from: Square, to: Square) -> bool {
    let board = position.board();
    let us = position.side_to_move();
    // Nothing stands between squares that share no line, so this is asked of every piece.
    let blocked = attacks::between(from, to) & board.occupied();
    let king_moves = Bitboard(u64::from(kind == PieceKind::King).wrapping_neg());
    let king = (board.pieces(us, PieceKind::King) - from.bitboard()) | (to.bitboard() & king_moves);
    let occupied = board.occupied().without(from).with(to);
    let Some(king) = king.first() else { return false };
    let attackers = position.attackers(king, !us, occupied).without(to);
    (blocked | attackers).is_empty()
}

/// The rest of a promotion.
#[cold]
fn take_promotion(
    window: &mut BitWindow,
    position: &Position,
    from: Square,
    targets: Bitboard,
    pick: impl Pick,
) -> Option<Move> {
    let number = window.take_choice(targets.len() as u32 * 4);
    let to = pick.nth(targets, number / 4)?;
    let capture = position.occupied().contains(to);
    let kind = MoveKind::promotion(PROMOTIONS[number as usize % 4], capture);
    keeps_the_rules(position, PieceKind::Pawn, from, to).then_some(Move::new(from, to, kind))
}

/// Squares in a rank.
const FILES: u8 = 8;

/// Castling, and whatever goes to an en-passant square, if it is legal.
#[cold]
fn unusual_move(position: &Position, from: Square, to: Square) -> Option<Move> {
    let us = position.side_to_move();
    let kind = if !position.board().color(us).contains(to) {
        let takes = position.pieces(us, PieceKind::Pawn).contains(from) && from.file() != to.file();
        if takes { MoveKind::EnPassant } else { MoveKind::Quiet }
    } else if to.file() > from.file() {
        MoveKind::CastleKing
    } else {
        MoveKind::CastleQueen
    };
    Some(Move::new(from, to, kind)).filter(|&mv| position.is_legal(mv))
}

/// The targets that the numbers of one piece's moves refer to.
#[inline(always)]
fn targets(position: &Position, from: Square, kind: PieceKind) -> Bitboard {
    let board = position.board();
    let us = position.side_to_move();
    let own = board.color(us);
    // All of it is computed for every piece and masked: cheaper than guessing which piece it is.
    let only = |wanted: PieceKind, set: Bitboard| Bitboard(set.0 & u64::from(kind == wanted).wrapping_neg());
    let pawn = pawn_targets(us, from, own, board.occupied(), position.en_passant());
    let rooks = position.castling_rooks() & own;
    (REACH[kind.index()][from.index()] - own) | only(PieceKind::Pawn, pawn) | only(PieceKind::King, rooks)
}

/// Where each kind of piece could go on an empty board; pawns nowhere, since they need to know more.
static REACH: [[Bitboard; Square::COUNT]; PieceKind::COUNT] = {
    const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    const KING: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    const fn leaps(from: Square, steps: &[(i8, i8); 8]) -> Bitboard {
        let mut reach = Bitboard::EMPTY;
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = from.offset(steps[step].0, steps[step].1) {
                reach = reach.with(to);
            }
            step += 1;
        }
        reach
    }
    let mut reach = [[Bitboard::EMPTY; Square::COUNT]; PieceKind::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let from = Square::ALL[square];
        let (diagonal, straight) =
            (attacks::bishop_by_rays(from, Bitboard::EMPTY), attacks::rook_by_rays(from, Bitboard::EMPTY));
        reach[PieceKind::Knight as usize][square] = leaps(from, &KNIGHT);
        reach[PieceKind::Bishop as usize][square] = diagonal;
        reach[PieceKind::Rook as usize][square] = straight;
        reach[PieceKind::Queen as usize][square] = Bitboard(diagonal.0 | straight.0);
        reach[PieceKind::King as usize][square] = leaps(from, &KING);
        square += 1;
    }
    reach
};

/// How many squares of a set come before this one.
fn squares_before(set: Bitboard, square: Square) -> u32 {
    (set.0 & (square.bitboard().0 - 1)).count_ones()
}

#[inline(always)]
fn pawn_targets(us: Color, from: Square, own: Bitboard, occupied: Bitboard, en_passant: Option<Square>) -> Bitboard {
    // One rank ahead, whoever moves: seven ranks and around the edge for Black.
    let ahead = |set: Bitboard| Bitboard(set.0.rotate_left(if us == Color::White { 8 } else { 56 }));
    let single = ahead(from.bitboard()) - occupied;
    let double = ahead(single & Rank::Third.relative_to(us).bitboard()) - occupied;
    let prey = (occupied - own) | en_passant.map_or(Bitboard::EMPTY, Square::bitboard);
    single | double | attacks::pawn(us, from) & prey
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitReader;
    use crate::pick::ByHalving;

    /// Every legal move of positions with pins, checks, castling, promotions and en passant comes back.
    #[test]
    fn every_legal_move_comes_back() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "4k3/8/8/8/1b6/8/3P4/R3K2R w KQ - 0 1",
        ];
        for fen in fens {
            let position: Position = fen.parse().unwrap();
            for mv in position.legal_moves() {
                let mut writer = BitWriter::default();
                assert!(put_move(&mut writer, &position, mv), "{mv} in {fen}");
                writer.align();
                let bytes = writer.bytes().to_vec();
                assert_eq!(take_move(&mut BitReader::new(&bytes, 0).window(), &position, ByHalving), Some(mv), "{fen}");
            }
        }
    }

    /// Whatever is chosen, what comes out is legal, and every legal move can be chosen: all choices of many positions.
    #[test]
    fn every_choice_is_a_legal_move_or_none() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "4k3/8/8/8/1b6/8/3P4/R3K2R w KQ - 0 1",
            "4r1k1/8/8/8/8/8/4N3/R3K2R w KQ - 0 1",
            "4r1k1/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
            // Others may go to the en-passant square too.
            "4k3/8/8/1NBpP3/8/8/8/4K3 w - d6 0 2",
            "nrk4r/8/8/8/8/8/8/NRK4R w HBhb - 0 1",
        ];
        for fen in fens {
            for position in [fen.parse::<Position>().unwrap()].into_iter().flat_map(|start| {
                let next: Vec<Position> = start.legal_moves().into_iter().map(|mv| start.after(mv)).collect();
                std::iter::once(start).chain(next)
            }) {
                let mut found = Vec::new();
                for number in 0..1_u32 << 12 {
                    // Twelve bits are more than any of these moves takes.
                    let bytes = u64::from(number).to_le_bytes();
                    found.extend(take_move(&mut BitReader::new(&bytes, 0).window(), &position, ByHalving));
                }
                found.sort_by_key(ToString::to_string);
                found.dedup();
                let mut legal: Vec<Move> = position.legal_moves().into_iter().collect();
                legal.sort_by_key(ToString::to_string);
                assert_eq!(found, legal, "{position}");
            }
        }
    }

    #[test]
    fn illegal_moves_are_not_written() {
        let mut writer = BitWriter::default();
        let position = Position::default();
        for mv in [
            Move::NULL,
            Move::new(Square::E2, Square::E5, MoveKind::Quiet),
            Move::new(Square::E7, Square::E5, MoveKind::DoublePush),
        ] {
            assert!(!put_move(&mut writer, &position, mv), "{mv}");
        }
        writer.align();
        assert!(writer.bytes().is_empty());
    }
}
