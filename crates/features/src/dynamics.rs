//! Features that depend on several pieces at once: moves and pairs.
//!
//! They are collected from the whole board; what a move changes is the difference of two collections.

use kiebitz_chess::{Bitboard, Color, Piece, PieceKind, Position, Rank, Square, attacks};

use crate::PairFilter;
use crate::attribute::{Binding, Subject};
use crate::layout::{Block, NONE, Range};

/// How one side sees one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// Whose pieces have color 0.
    pub(crate) own: Color,
    /// What squares are combined with.
    pub(crate) mask: u8,
    /// The own king, on the view's board.
    pub(crate) king: u8,
}

impl Sight {
    #[inline]
    pub(crate) fn subject(self, piece: Piece, square: Square) -> Subject {
        Subject { square: square as u8 ^ self.mask, color: piece.color as u8 ^ self.own as u8, role: piece.kind as u8 }
    }
}

/// Whether a pair passes all filters but that of attacks, which depends on the other pieces.
pub(crate) fn passes(filters: &[PairFilter], first: Subject, second: Subject) -> bool {
    let files_apart = (first.square & 7).abs_diff(second.square & 7);
    filters.iter().all(|filter| match filter {
        PairFilter::Attacks => true,
        PairFilter::Pawns => first.role == 0 && second.role == 0,
        PairFilter::Adjacent => files_apart <= 1,
        PairFilter::SameFile => files_apart == 0,
        PairFilter::Friends => first.color == second.color,
        PairFilter::Enemies => first.color != second.color,
    })
}

/// Calls `found` with every active feature of a block over moves or pairs.
pub(crate) fn for_each_active(block: &Block, position: &Position, sight: Sight, found: &mut impl FnMut(u32)) {
    let mut emit = |first: Subject, second: Subject, target: u8| {
        let index = block.index(&Binding { king: sight.king, first, second, target });
        if index != NONE {
            found(index);
        }
    };
    let board = position.board();
    match &block.range {
        Some(Range::Moves) => {
            for (square, piece) in board.iter() {
                let subject = sight.subject(piece, square);
                for target in destinations(position, piece, square) {
                    emit(subject, subject, target as u8 ^ sight.mask);
                }
            }
        }
        Some(Range::Pairs(filters)) => {
            let attacking = filters.contains(&PairFilter::Attacks);
            let occupied = board.occupied();
            let candidates = if filters.contains(&PairFilter::Pawns) { board.kind(PieceKind::Pawn) } else { occupied };
            for square in candidates {
                let Some(piece) = board.piece_at(square) else { continue };
                let first = sight.subject(piece, square);
                let reached =
                    if attacking { attacks::piece(piece.kind, piece.color, square, occupied) } else { Bitboard::ALL };
                for other in (reached & candidates).without(square) {
                    let Some(partner) = board.piece_at(other) else { continue };
                    let second = sight.subject(partner, other);
                    if (attacking || first.square < second.square) && passes(filters, first, second) {
                        emit(first, second, 0);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Where a piece could go: what it attacks without its own pieces; pawns push, and capture only what is there.
pub(crate) fn destinations(position: &Position, piece: Piece, square: Square) -> Bitboard {
    let board = position.board();
    let occupied = board.occupied();
    let attacked = attacks::piece(piece.kind, piece.color, square, occupied);
    if piece.kind != PieceKind::Pawn {
        return attacked - board.color(piece.color);
    }
    let step = if piece.color == Color::White { 1 } else { -1 };
    let empty = |to: &Square| !occupied.contains(*to);
    let once = square.offset(0, step).filter(empty);
    let on_start = square.rank() == Rank::Second.relative_to(piece.color);
    let twice = once.filter(|_| on_start).and_then(|from| from.offset(0, step)).filter(empty);
    (attacked & board.color(!piece.color)) | once.into_iter().chain(twice).collect::<Bitboard>()
}
