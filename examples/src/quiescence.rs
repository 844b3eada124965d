//! Rung 4: never judge in the middle of an exchange.
//!
//! A search that stops after queen takes pawn believes it has won a pawn, although the queen is taken next: its
//! *horizon* hides the reply. So the last word is not given to the evaluation at once. Captures and promotions are
//! played on until nobody wants to take any more; only then is the position quiet enough to be judged.
//!
//! Nobody is forced to take: the side to move may *stand pat* and accept the evaluation as it is. In check that is
//! not allowed, and every way out is tried.

use kiebitz_chess::{MoveList, Position, Score, Stage};

use crate::alphabeta::{AlphaBeta, Horizon, RootWindow, Window};
use crate::book_evaluation::{evaluate, seen_by};
use crate::finding::NodeCount;
use crate::game_end;
use crate::move_order::MoveOrder;

/// Play captures on until the position is quiet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiescence;

impl AlphaBeta<Quiescence> {
    /// Alpha-beta with captures first, bounds handed on, and quiescence at its end: the top of the ladder so far.
    pub const QUIET: Self =
        Self { order: MoveOrder::CapturesFirst, root_window: RootWindow::Narrowing, horizon: Quiescence };
}

impl Horizon for Quiescence {
    /// Ends on its own: every capture leaves a piece less, every promotion a pawn less, and a way out of check is
    /// followed by one of these or by nothing.
    fn judge(&self, position: &Position, ply: u32, mut window: Window, nodes: &mut NodeCount) -> Score {
        let legality = position.legality();
        let mut moves = MoveList::new();
        let mut best;
        if position.is_check() {
            best = -Score::INFINITE;
            position.collect_stage(Stage::All, &legality, &mut moves);
        } else {
            best = seen_by(position.side_to_move(), evaluate(position));
            window.alpha = window.alpha.max(best);
            if window.is_closed() {
                return best;
            }
            position.collect_stage(Stage::Noisy, &legality, &mut moves);
        }
        for mv in MoveOrder::CapturesFirst.arrange(position, &moves) {
            nodes.visit(ply + 1);
            let next = position.after(mv);
            let score = match game_end::score(&next, ply + 1) {
                Some(score) => seen_by(position.side_to_move(), score),
                None => -self.judge(&next, ply + 1, window.turned(), nodes),
            };
            best = best.max(score);
            window.alpha = window.alpha.max(best);
            if window.is_closed() {
                break;
            }
        }
        best
    }
}
