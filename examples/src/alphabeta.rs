//! Rung 3: the same answer as [minimax](crate::minimax), with most of the tree left out.
//!
//! Once White has a move worth 50, a second move is of no interest as soon as Black has one good enough reply that
//! holds it to 50 or less: how bad it is beyond that need not be known. Two bounds say what is still of interest:
//! *alpha*, what the side to move has already secured, and *beta*, what the opponent can hold it to by an earlier choice.
//!
//! Scores are seen from the side to move here, so that both sides maximise and one function serves both: what is good
//! for me is, with its sign turned, what you get. The result is turned back to White's view at the end.

use kiebitz_chess::{Move, Position, Score};

use crate::book_evaluation::{evaluate, seen_by};
use crate::finding::{Finding, NodeCount};
use crate::game_end;
use crate::move_order::MoveOrder;

/// The scores that still matter, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move has already secured; less is of no use to it.
    pub alpha: Score,
    /// What the opponent can hold it to by an earlier choice; more will not be allowed.
    pub beta: Score,
}

impl Window {
    /// Everything matters.
    #[must_use]
    pub fn full() -> Self {
        Self { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// The same window from the opponent's view.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether nothing matters any more: a cutoff.
    #[must_use]
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

/// Who has the word where the full-width search ends.
pub trait Horizon {
    /// The worth of a position in which the game goes on, from the view of the side to move. Outside the window any
    /// bound on the right side of it will do. Positions visited on the way are counted.
    fn judge(&self, position: &Position, ply: u32, window: Window, nodes: &mut NodeCount) -> Score;
}

/// Stop and evaluate, whatever is going on.
#[derive(Clone, Copy, Debug, Default)]
pub struct StopAndEvaluate;

impl Horizon for StopAndEvaluate {
    fn judge(&self, position: &Position, _: u32, _: Window, _: &mut NodeCount) -> Score {
        seen_by(position.side_to_move(), evaluate(position))
    }
}

/// What one move at the root teaches about the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootWindow {
    /// Nothing: every root move is searched as if it were the only one, as the book's program does.
    Fresh,
    /// The best score so far is alpha for the moves that follow.
    Narrowing,
}

/// An alpha-beta searcher and its settings.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta<H> {
    /// Which moves are tried first.
    pub order: MoveOrder,
    /// Whether bounds are handed on between root moves.
    pub root_window: RootWindow,
    /// Who has the word at the end.
    pub horizon: H,
}

impl AlphaBeta<StopAndEvaluate> {
    /// The book's alpha-beta: its move order, a fresh window for every root move, and a hard stop at the end.
    pub const BOOK: Self =
        Self { order: MoveOrder::AsInTheBook, root_window: RootWindow::Fresh, horizon: StopAndEvaluate };

    /// The same with captures first and with bounds handed on.
    pub const BETTER: Self =
        Self { order: MoveOrder::CapturesFirst, root_window: RootWindow::Narrowing, horizon: StopAndEvaluate };
}

impl<H: Horizon> AlphaBeta<H> {
    /// The best move of a position, seen `depth` plies deep. Of several equal moves the first one tried is returned.
    #[must_use]
    pub fn search(&self, position: &Position, depth: u32) -> Finding {
        let moves = self.order.arrange(position, &position.legal_moves());
        self.search_moves(position, &moves, depth)
    }

    /// As [`Self::search`], choosing among these legal moves only and trying them in this order.
    #[must_use]
    pub fn search_moves(&self, position: &Position, moves: &[Move], depth: u32) -> Finding {
        let side = position.side_to_move();
        let mut nodes = NodeCount::default();
        if depth == 0 || position.ending().is_some() {
            let score = self.value(position, 0, 0, Window::full(), &mut nodes);
            return Finding { best_move: None, score: seen_by(side, score), nodes };
        }
        let mut best_move = None;
        let mut best = -Score::INFINITE;
        for &mv in moves {
            let window = match self.root_window {
                RootWindow::Fresh => Window::full(),
                RootWindow::Narrowing => Window { alpha: best, ..Window::full() },
            };
            nodes.visit(1);
            let score = -self.value(&position.after(mv), depth - 1, 1, window.turned(), &mut nodes);
            if score > best {
                best = score;
                best_move = Some(mv);
            }
        }
        Finding { best_move, score: seen_by(side, best), nodes }
    }

    /// What a position is worth to the side to move, exact inside the window and a bound outside it.
    fn value(&self, position: &Position, depth: u32, ply: u32, mut window: Window, nodes: &mut NodeCount) -> Score {
        if let Some(score) = game_end::score(position, ply) {
            return seen_by(position.side_to_move(), score);
        }
        if depth == 0 {
            return self.horizon.judge(position, ply, window, nodes);
        }
        let mut best = -Score::INFINITE;
        for mv in self.order.arrange(position, &position.legal_moves()) {
            nodes.visit(ply + 1);
            let score = -self.value(&position.after(mv), depth - 1, ply + 1, window.turned(), nodes);
            best = best.max(score);
            window.alpha = window.alpha.max(best);
            if window.is_closed() {
                break;
            }
        }
        best
    }
}
