//! Static exchange evaluation: what a capture wins if both sides go on taking on one square.

use crate::attacks::sliders::{Sliders, with_sliders};
use crate::{Bitboard, Color, Move, MoveKind, PieceKind, Position, Square};

/// What pieces count for in exchanges, in centipawns. A king is beyond price.
pub const EXCHANGE_VALUES: [i32; PieceKind::COUNT] = [100, 300, 300, 500, 900, 20_000];

/// More captures on one square than any position allows.
const LONGEST_EXCHANGE: usize = 32;

#[inline(always)]
fn value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

/// One square being fought over.
struct Exchange<'a, S> {
    sliders: S,
    position: &'a Position,
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
}

impl<'a, S: Sliders> Exchange<'a, S> {
    /// After the first move, whose own piece has left its square.
    #[inline(always)]
    fn after(sliders: S, position: &'a Position, mv: Move) -> Self {
        let square = mv.to();
        let mut occupied = position.occupied().without(mv.from());
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(square.beyond());
        }
        let mut exchange = Self { sliders, position, square, occupied, attackers: Bitboard::EMPTY };
        exchange.attackers = (Color::ALL.into_iter())
            .map(|color| {
                let board = position.board();
                crate::position::attackers(sliders, board, square, color, occupied)
            })
            .fold(Bitboard::EMPTY, |all, some| all | some)
            & occupied;
        exchange
    }

    /// The cheapest piece of a side that can take now, removed from the board so that sliders behind it join.
    #[inline(always)]
    fn take_with_cheapest(&mut self, color: Color) -> Option<PieceKind> {
        let board = self.position.board();
        let own = self.attackers & board.color(color);
        if own.is_empty() {
            return None;
        }
        for kind in PieceKind::ALL {
            let Some(from) = (own & board.kind(kind)).first() else { continue };
            let defended = (self.attackers & board.color(!color)).any();
            if kind == PieceKind::King && defended {
                return None;
            }
            self.occupied = self.occupied.without(from);
            self.uncover(kind);
            return Some(kind);
        }
        None
    }

    /// Lets in the sliders that stood behind a piece of this kind.
    #[inline(always)]
    fn uncover(&mut self, kind: PieceKind) {
        let board = self.position.board();
        let queens = board.kind(PieceKind::Queen);
        if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
            let diagonal = board.kind(PieceKind::Bishop) | queens;
            self.attackers |= self.sliders.bishop(self.square, self.occupied) & diagonal;
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
            let straight = board.kind(PieceKind::Rook) | queens;
            self.attackers |= self.sliders.rook(self.square, self.occupied) & straight;
        }
        self.attackers &= self.occupied;
    }
}

/// What the move itself wins, and what then stands on the square to be taken.
#[inline(always)]
fn first_step(position: &Position, mv: Move) -> (i32, i32) {
    let board = position.board();
    let victim = match mv.kind() {
        MoveKind::EnPassant => Some(PieceKind::Pawn),
        _ => board.kind_at(mv.to()),
    };
    let mover = board.kind_at(mv.from()).unwrap_or(PieceKind::Pawn);
    let placed = mv.promotion().unwrap_or(mover);
    let won = victim.map_or(0, value) + value(placed) - value(mover);
    (won, value(placed))
}

impl Position {
    /// The material that a legal move wins or loses on its target square, in centipawns, when each side takes
    /// back with its cheapest piece for as long as that pays.
    ///
    /// Only the one square is looked at: pins, other threats and later promotions do not count.
    #[must_use]
    pub fn exchange(&self, mv: Move) -> i32 {
        if mv.castling().is_some() {
            return 0;
        }
        with_sliders!(|sliders| {
            let (won, mut at_stake) = first_step(self, mv);
            let mut gains = [0; LONGEST_EXCHANGE];
            gains[0] = won;
            let mut last = 0;
            let mut exchange = Exchange::after(sliders, self, mv);
            let mut side = !self.side_to_move();
            while last + 1 < LONGEST_EXCHANGE
                && let Some(kind) = exchange.take_with_cheapest(side)
            {
                gains[last + 1] = at_stake - gains[last];
                last += 1;
                at_stake = value(kind);
                side = !side;
            }
            // Backwards: nobody has to take.
            for step in (1..=last).rev() {
                gains[step - 1] = -gains[step].max(-gains[step - 1]);
            }
            gains[0]
        })
    }

    /// Whether [`Self::exchange`] is at least `threshold`; stops as soon as that is certain.
    #[inline]
    #[must_use]
    pub fn exchange_reaches(&self, mv: Move, threshold: i32) -> bool {
        if mv.castling().is_some() {
            return threshold <= 0;
        }
        with_sliders!(|sliders| exchange_reaches(sliders, self, mv, threshold))
    }
}

#[inline(always)]
fn exchange_reaches(sliders: impl Sliders, position: &Position, mv: Move, threshold: i32) -> bool {
    let us = position.side_to_move();
    let (won, at_stake) = first_step(position, mv);
    // What is left of the surplus if nobody takes back, and if the piece is lost for nothing.
    let mut surplus = won.saturating_sub(threshold);
    if surplus < 0 {
        return false;
    }
    surplus -= at_stake;
    if surplus >= 0 {
        return true;
    }
    let mut exchange = Exchange::after(sliders, position, mv);
    let mut side = !us;
    // `surplus` is negative from the view of the side that moved last: the other one, now to take, is content to
    // stop after taking. Each further capture turns the view round.
    while let Some(kind) = exchange.take_with_cheapest(side) {
        side = !side;
        surplus = -surplus - 1 - value(kind);
        if surplus >= 0 {
            break;
        }
    }
    side != us
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(fen: &str, uci: &str) -> i32 {
        let position: Position = fen.parse().unwrap();
        let mv = position.parse_uci(uci).unwrap();
        let exact = position.exchange(mv);
        for threshold in -1000..=1000 {
            assert_eq!(position.exchange_reaches(mv, threshold), exact >= threshold, "{fen} {uci} {threshold}");
        }
        exact
    }

    #[test]
    fn simple_exchanges() {
        // A free pawn; a defended pawn taken by a rook.
        assert_eq!(exchange("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100);
        assert_eq!(exchange("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100 - 500);
        // Knight takes pawn, bishop takes knight, rook takes bishop.
        assert_eq!(exchange("4k3/8/4b3/3p4/8/2N5/8/3RK3 w - - 0 1", "c3d5"), 100);
        // A quiet move onto an attacked square loses the piece.
        assert_eq!(exchange("4k3/8/4p3/8/8/2N5/8/4K3 w - - 0 1", "c3d5"), -300);
    }

    #[test]
    fn sliders_behind_join() {
        let doubled = "3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1";
        assert_eq!(exchange(doubled, "d2d5"), 100 - 500);
        let battery = "6k1/8/8/3p4/2P5/1B6/Q7/6K1 w - - 0 1";
        assert_eq!(exchange(battery, "c4d5"), 100);
    }

    #[test]
    fn kings_take_only_what_is_undefended() {
        assert_eq!(exchange("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100 - 500);
        assert_eq!(exchange("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
    }

    #[test]
    fn en_passant_and_promotion() {
        assert_eq!(exchange("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
        assert_eq!(exchange("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), 800);
        assert_eq!(exchange("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), -100);
    }
}
