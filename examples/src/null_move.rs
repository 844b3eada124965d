//! Rung 6: if even doing nothing is good enough, a move will be.
//!
//! It is almost always better to move than to pass. So where a position looks better than beta already, let the side to move
//! pass (a *null move*) and search the opponent's replies less deeply than usual. If the value still is at least beta, a real
//! move would have reached it too, and the whole node is cut off for the price of a shallow search.
//!
//! "Almost always": in *zugzwang* every move spoils the position, and passing would be a way out that the rules do not
//! offer. Zugzwang is a matter of endings with kings and pawns, so there nobody passes here. Nor does anybody pass in check,
//! where the king would be taken, or twice in a row, where both would only lose depth.
//!
//! Unlike the rungs below, this one may be wrong. That is the bargain of all pruning: a few mistakes for a deeper search.

use kiebitz_chess::{PieceKind, Position, Score};

use crate::alphabeta::Window;
use crate::book_evaluation::{evaluate, seen_by};
use crate::quiescence::Quiescence;
use crate::transposition_table::{Memory, Node, Remembering, Shortcut};

/// When a side may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Only with a knight, bishop, rook or queen on the board: zugzwang is rare then.
    AgainstZugzwang,
    /// Always: there to show what goes wrong.
    None,
}

/// Cuts nodes off in which passing is good enough.
#[derive(Clone, Copy, Debug)]
pub struct NullMove {
    /// How many plies less deep the opponent's replies are searched.
    pub reduction: u32,
    /// When passing is allowed.
    pub care: Care,
}

impl NullMove {
    /// Two plies less, and with care.
    pub const USUAL: Self = Self { reduction: 2, care: Care::AgainstZugzwang };
}

impl Remembering<Quiescence, NullMove> {
    /// Rung 5 with null moves: the top of the ladder so far.
    pub const PASSING: Self =
        Self { horizon: Quiescence, shortcut: NullMove::USUAL, memory: Memory::ValuesAndMoves, places: 1 << 18 };
}

impl Shortcut for NullMove {
    fn cutoff(&self, node: Node<'_>, search: &mut dyn FnMut(Node<'_>) -> Score) -> Option<Score> {
        let Node { position, depth, ply, window: Window { beta, .. }, after_pass } = node;
        let allowed = !after_pass
            && !position.is_check()
            && (self.care == Care::None || has_pieces(position))
            && seen_by(position.side_to_move(), evaluate(position)) >= beta;
        if !allowed {
            return None;
        }
        let mut passed = position.clone();
        passed.play_null();
        // Only whether beta is reached matters, so the window is as narrow as can be.
        let window = Window { alpha: beta - 1, beta };
        let score = -search(Node {
            position: &passed,
            depth: (depth - 1).saturating_sub(self.reduction),
            ply: ply + 1,
            window: window.turned(),
            after_pass: true,
        });
        // A mate after passing is no proof of a mate.
        (score >= beta).then_some(if score.is_mate() { beta } else { score })
    }
}

/// Whether the side to move has more than king and pawns.
fn has_pieces(position: &Position) -> bool {
    let side = position.side_to_move();
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
        .into_iter()
        .any(|kind| position.pieces(side, kind).any())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_and_pawns_alone_are_in_danger_of_zugzwang() {
        let pieces = |fen: &str| has_pieces(&fen.parse().unwrap());
        assert!(!pieces("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        assert!(!pieces("4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        assert!(pieces("4k1n1/8/8/8/8/8/4P3/4K3 b - - 0 1"));
    }

    #[test]
    fn nobody_passes_in_check_or_twice_or_when_behind() {
        let asked = |fen: &str, beta: i32, after_pass: bool| {
            let position: Position = fen.parse().unwrap();
            let window = Window { alpha: Score::centipawns(beta - 1), beta: Score::centipawns(beta) };
            let node = Node { position: &position, depth: 4, ply: 1, window, after_pass };
            let mut depths = Vec::new();
            let score = NullMove::USUAL.cutoff(node, &mut |node| {
                depths.push(node.depth);
                -Score::centipawns(beta)
            });
            assert_eq!(score.is_some(), !depths.is_empty());
            depths
        };
        let ahead = "4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1";
        assert_eq!(asked(ahead, 100, false), [1]);
        assert!(asked(ahead, 100, true).is_empty());
        assert!(asked(ahead, 2000, false).is_empty());
        assert!(asked("4k3/8/8/8/8/8/r3P3/Q3K2r w - - 0 1", -5000, false).is_empty());
    }
}
