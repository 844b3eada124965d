//! Which move to try first.
//!
//! The order changes no result, only the work: alpha-beta skips the more, the sooner it sees a good move.

use std::cmp::Reverse;

use kiebitz_chess::{Move, MoveKind, MoveList, PieceKind, Position};

use crate::book_evaluation::PIECE_VALUES;

/// An order in which moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// As the generator happens to list them.
    AsGenerated,
    /// As `python-chess` lists them, on which the book's program stands: there to repeat its node counts.
    AsInTheBook,
    /// Captures and promotions first: the most valuable gain first, and of equal gains the cheapest taker.
    CapturesFirst,
}

impl MoveOrder {
    /// The moves in this order; moves that count as equal stay as they were.
    #[must_use]
    pub fn arrange(self, position: &Position, moves: &MoveList) -> Vec<Move> {
        let mut moves = moves.to_vec();
        match self {
            Self::AsGenerated => {}
            Self::AsInTheBook => moves.sort_by_cached_key(|&mv| book_key(position, mv)),
            Self::CapturesFirst => moves.sort_by_cached_key(|&mv| capture_key(position, mv)),
        }
        moves
    }
}

/// Smaller is earlier: what is won, then who takes; quiet moves last and all alike.
fn capture_key(position: &Position, mv: Move) -> (Reverse<i32>, i32) {
    if mv.is_quiet() {
        return (Reverse(0), 0);
    }
    let worth = |kind: Option<PieceKind>| kind.map_or(0, |kind| PIECE_VALUES[kind.index()]);
    let victim =
        if mv.kind() == MoveKind::EnPassant { Some(PieceKind::Pawn) } else { position.board().kind_at(mv.to()) };
    let taker = match position.board().kind_at(mv.from()) {
        // A king risks nothing by taking, for it may take only what is undefended; it is still the last to be tried.
        Some(PieceKind::King) => i32::MAX,
        kind => worth(kind),
    };
    let promoted = mv.promotion().map_or(0, |kind| PIECE_VALUES[kind.index()] - PIECE_VALUES[PieceKind::Pawn.index()]);
    (Reverse(worth(victim) + promoted), taker)
}

/// Smaller is earlier: king moves out of check, pieces, castling, pawn captures, pawn steps, double steps, en passant;
/// within a group from h8 down to a1, by origin and then by target; a queen before lesser promotions.
fn book_key(position: &Position, mv: Move) -> (u8, Reverse<usize>, Reverse<usize>, Reverse<usize>) {
    let kind = position.board().kind_at(mv.from());
    let group = match mv.kind() {
        MoveKind::CastleKing | MoveKind::CastleQueen => 2,
        MoveKind::EnPassant => 6,
        MoveKind::DoublePush => 5,
        _ if kind == Some(PieceKind::King) && position.is_check() => 0,
        _ if kind != Some(PieceKind::Pawn) => 1,
        _ if mv.is_capture() => 3,
        _ => 4,
    };
    let promotion = mv.promotion().map_or(0, PieceKind::index);
    (group, Reverse(mv.from().index()), Reverse(mv.to().index()), Reverse(promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(order: MoveOrder, fen: &str) -> String {
        let position: Position = fen.parse().unwrap();
        let moves = order.arrange(&position, &position.legal_moves());
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_largest_gain_by_the_cheapest_taker_comes_first() {
        let order = arranged(MoveOrder::CapturesFirst, "4k3/1P6/8/3q1n2/4P3/3Q4/8/4K2R w K - 0 1");
        assert!(order.starts_with("e4d5 d3d5 b7b8q b7b8r e4f5 b7b8b b7b8n "), "{order}");
        let order = arranged(MoveOrder::CapturesFirst, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert!(order.starts_with("e5d6 "), "{order}");
    }

    /// As python-chess 1.11.2 lists them, castling written as king takes rook.
    #[test]
    fn the_order_of_the_book() {
        let everything = "r3k2r/1P4pp/8/3pP3/8/8/P5P1/R3K2R w KQkq d6 0 1";
        assert_eq!(
            arranged(MoveOrder::AsInTheBook, everything),
            "h1h7 h1h6 h1h5 h1h4 h1h3 h1h2 h1g1 h1f1 e1f2 e1e2 e1d2 e1f1 e1d1 a1d1 a1c1 a1b1 e1h1 e1a1 \
             b7a8q b7a8r b7a8b b7a8n b7b8q b7b8r b7b8b b7b8n e5e6 g2g3 a2a3 g2g4 a2a4 e5d6"
        );
        let check = "4k3/8/8/8/1b6/8/4NP2/R1B1K2R w KQ - 0 1";
        assert_eq!(arranged(MoveOrder::AsInTheBook, check), "e1f1 e1d1 e2c3 c1d2");
    }

    #[test]
    fn every_order_keeps_every_move() {
        let position = Position::default();
        for order in [MoveOrder::AsGenerated, MoveOrder::AsInTheBook, MoveOrder::CapturesFirst] {
            let moves = order.arrange(&position, &position.legal_moves());
            assert_eq!(moves.len(), 20);
            assert!(position.legal_moves().iter().all(|mv| moves.contains(mv)));
        }
    }
}
