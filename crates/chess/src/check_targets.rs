//! Which moves give check, known before they are played.

use crate::{Bitboard, Move, MoveKind, PieceKind, Position, Square, attacks};

/// Where the mover's pieces would attack the enemy king, and which of them stand in front of such an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckTargets {
    king: Square,
    /// By kind; a king never gives check itself.
    targets: [Bitboard; PieceKind::COUNT],
    /// Own pieces that uncover a slider when they leave its line.
    screens: Bitboard,
}

impl Position {
    /// Computed once, it answers for every move of the position.
    #[must_use]
    pub fn check_targets(&self) -> CheckTargets {
        let us = self.side_to_move();
        let board = self.board();
        let king = self.king(!us);
        let occupied = board.occupied();
        let diagonal = attacks::bishop(king, occupied);
        let straight = attacks::rook(king, occupied);
        let mut screens = Bitboard::EMPTY;
        let sliders = attacks::diagonals(king) & board.diagonal_sliders(us)
            | attacks::straights(king) & board.straight_sliders(us);
        for slider in sliders {
            let between = attacks::between(king, slider) & occupied;
            if !between.has_several() {
                screens |= between & board.color(us);
            }
        }
        let targets =
            [attacks::pawn(!us, king), attacks::knight(king), diagonal, straight, diagonal | straight, Bitboard::EMPTY];
        CheckTargets { king, targets, screens }
    }
}

impl CheckTargets {
    /// Whether a legal move of the position gives check.
    #[inline]
    #[must_use]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture => {
                let Some(kind) = position.board().kind_at(mv.from()) else { return false };
                self.targets[kind.index()].contains(mv.to())
                    || self.screens.contains(mv.from()) && !attacks::line(self.king, mv.from()).contains(mv.to())
            }
            _ => gives_check_after(position, mv),
        }
    }
}

/// Two pieces move or one changes: rare enough to try.
#[cold]
fn gives_check_after(position: &Position, mv: Move) -> bool {
    position.after(mv).is_check()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreseen_checks_are_those_on_the_board() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "r3k2r/8/8/8/3pPp2/8/8/R3K1RR b KQkq e3 0 1",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
        ];
        let (mut checks, mut moves) = (0, 0);
        let mut queue: Vec<Position> = fens.iter().map(|fen| fen.parse().unwrap()).collect();
        for depth in 0..3 {
            for position in std::mem::take(&mut queue) {
                let targets = position.check_targets();
                for mv in position.legal_moves() {
                    let next = position.after(mv);
                    assert_eq!(targets.gives_check(&position, mv), next.is_check(), "{position:?} {mv:?}");
                    checks += u32::from(next.is_check());
                    moves += 1;
                    if depth < 2 {
                        queue.push(next);
                    }
                }
            }
        }
        assert!(checks > 1000 && moves > 50_000, "{checks} {moves}");
    }
}
