//! Rung 5: remember what was seen before.
//!
//! Different moves often lead to the same position: 1. e4 e5 2. Nf3 and 1. Nf3 e5 2. e4 are one position, and alpha-beta
//! searches it twice. A *transposition table* keeps what was found out about a position under its hash key:
//!
//! - its **value**, or the bound that a cutoff left behind. Met again with as many plies to go, the position need not be
//!   searched if that settles the matter;
//! - its **best move**, which is tried first when the position has to be searched after all. So a search of depth 4 teaches
//!   the search of depth 5 where to begin, and *iterative deepening* (1, 2, 3 … plies) costs less than going deep at once.
//!
//! What is remembered counts only for the same number of plies to go, so that the value stays that of plain alpha-beta. Real
//! engines also believe deeper entries: better knowledge, but another search.

use kiebitz_chess::{Key, Move, Position, Score};

use crate::alphabeta::{Horizon, Window};
use crate::book_evaluation::seen_by;
use crate::finding::{Finding, NodeCount};
use crate::game_end;
use crate::move_order::MoveOrder;
use crate::quiescence::Quiescence;

/// On which side of a score the truth lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exact,
    /// A cutoff: at least this.
    Lower,
    /// No move came up to alpha: at most this.
    Upper,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    depth: u32,
    score: Score,
    bound: Bound,
    best: Option<Move>,
}

impl Entry {
    /// Whether nothing inside the window is left open.
    fn settles(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}

/// A table with one place for many keys: what comes later replaces what was there.
#[derive(Clone, Debug)]
pub struct TranspositionTable {
    entries: Vec<Option<Entry>>,
}

impl TranspositionTable {
    /// A table with so many places, at least one.
    #[must_use]
    pub fn new(places: usize) -> Self {
        Self { entries: vec![None; places.max(1)] }
    }

    fn place(&self, key: Key) -> usize {
        (key.0 % self.entries.len() as u64) as usize
    }

    /// What is known of a position; an entry of another position in the same place does not count.
    fn find(&self, key: Key) -> Option<Entry> {
        self.entries[self.place(key)].filter(|entry| entry.key == key)
    }

    fn keep(&mut self, entry: Entry) {
        let place = self.place(entry.key);
        self.entries[place] = Some(entry);
    }
}

/// What the table is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing: plain alpha-beta, one depth after the other.
    Nothing,
    /// Positions met again need not be searched again.
    Values,
    /// And the best move of an earlier search is tried first.
    ValuesAndMoves,
}

/// A node of the search: what has to be decided there.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The position.
    pub position: &'a Position,
    /// Plies still to be searched; at least one.
    pub depth: u32,
    /// Distance from the root.
    pub ply: u32,
    /// What still matters, from the view of the side to move.
    pub window: Window,
    /// Whether the opponent has just passed instead of moving, which only [null move](crate::null_move) does.
    pub after_pass: bool,
}

/// A way to be done with a node before its moves are tried.
pub trait Shortcut {
    /// A score of at least beta if the node is believed to reach it. `search` gives the value of another node from the view
    /// of its own side to move; its depth may be 0.
    fn cutoff(&self, node: Node<'_>, search: &mut dyn FnMut(Node<'_>) -> Score) -> Option<Score>;
}

/// Every move is tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoShortcut;

impl Shortcut for NoShortcut {
    fn cutoff(&self, _: Node<'_>, _: &mut dyn FnMut(Node<'_>) -> Score) -> Option<Score> {
        None
    }
}

/// A searcher that deepens step by step and remembers.
#[derive(Clone, Copy, Debug)]
pub struct Remembering<H, S> {
    /// Who has the word at the end.
    pub horizon: H,
    /// What may spare a node its moves.
    pub shortcut: S,
    /// What the table is used for.
    pub memory: Memory,
    /// How many positions the table has room for.
    pub places: usize,
}

impl Remembering<Quiescence, NoShortcut> {
    /// Rung 4 with a table of a quarter of a million places.
    pub const QUIET: Self =
        Self { horizon: Quiescence, shortcut: NoShortcut, memory: Memory::ValuesAndMoves, places: 1 << 18 };
}

impl<H: Horizon, S: Shortcut> Remembering<H, S> {
    /// The best move, seen 1, 2, 3 … and at last `depth` plies deep: one finding for every depth, each with the nodes of its
    /// own search. Nothing is searched at depth 0 or when the game is over, and the list is empty.
    #[must_use]
    pub fn deepen(&self, position: &Position, depth: u32) -> Vec<Finding> {
        if position.ending().is_some() {
            return Vec::new();
        }
        let mut search =
            Search { settings: self, table: TranspositionTable::new(self.places), nodes: NodeCount::default() };
        (1..=depth).map(|depth| search.root(position, depth)).collect()
    }
}

/// A search that goes on.
struct Search<'a, H, S> {
    settings: &'a Remembering<H, S>,
    table: TranspositionTable,
    nodes: NodeCount,
}

impl<H: Horizon, S: Shortcut> Search<'_, H, S> {
    fn root(&mut self, position: &Position, depth: u32) -> Finding {
        self.nodes = NodeCount::default();
        let root = Node { position, depth, ply: 0, window: Window::full(), after_pass: false };
        let (score, best_move) = self.try_moves(root);
        let nodes = std::mem::take(&mut self.nodes);
        Finding { best_move, score: seen_by(position.side_to_move(), score), nodes }
    }

    /// What a position is worth to the side to move, exact inside the window and a bound outside it.
    fn value(&mut self, node: Node<'_>) -> Score {
        let Node { position, depth, ply, window, .. } = node;
        if let Some(score) = game_end::score(position, ply) {
            return seen_by(position.side_to_move(), score);
        }
        if depth == 0 {
            return self.settings.horizon.judge(position, ply, window, &mut self.nodes);
        }
        if self.settings.memory != Memory::Nothing {
            let known = self.table.find(position.key()).filter(|entry| entry.depth == depth);
            let known = known.map(|entry| Entry { score: seen_from_root(entry.score, ply), ..entry });
            if let Some(entry) = known.filter(|entry| entry.settles(window)) {
                return entry.score;
            }
        }
        let settings = self.settings;
        let shortcut = settings.shortcut.cutoff(node, &mut |other| {
            self.nodes.visit(other.ply);
            self.value(other)
        });
        shortcut.unwrap_or_else(|| self.try_moves(node).0)
    }

    /// The value and the best of the moves, and both are remembered.
    fn try_moves(&mut self, node: Node<'_>) -> (Score, Option<Move>) {
        let Node { position, depth, ply, mut window, .. } = node;
        let alpha_before = window.alpha;
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        for mv in self.arranged(position) {
            self.nodes.visit(ply + 1);
            let next = position.after(mv);
            let child =
                Node { position: &next, depth: depth - 1, ply: ply + 1, window: window.turned(), after_pass: false };
            let score = -self.value(child);
            if score > best {
                best = score;
                best_move = Some(mv);
            }
            window.alpha = window.alpha.max(best);
            if window.is_closed() {
                break;
            }
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.keep(Entry { key: position.key(), depth, score: seen_from_node(best, ply), bound, best: best_move });
        (best, best_move)
    }

    /// Captures first, and before them what was best when this position was searched before.
    fn arranged(&self, position: &Position) -> Vec<Move> {
        let mut moves = MoveOrder::CapturesFirst.arrange(position, &position.legal_moves());
        if self.settings.memory == Memory::ValuesAndMoves {
            let remembered = self.table.find(position.key()).and_then(|entry| entry.best);
            if let Some(place) = moves.iter().position(|&mv| Some(mv) == remembered) {
                moves[..=place].rotate_right(1);
            }
        }
        moves
    }
}

/// Mates are counted from the root, but the same position may be met at another distance from it: the table counts from
/// the position itself.
fn seen_from_node(score: Score, ply: u32) -> Score {
    match score {
        mate if mate.is_mate() && mate > Score::DRAW => mate + ply as i32,
        mate if mate.is_mate() => mate - ply as i32,
        plain => plain,
    }
}

/// The reverse of [`seen_from_node`].
fn seen_from_root(score: Score, ply: u32) -> Score {
    match score {
        mate if mate.is_mate() && mate > Score::DRAW => mate - ply as i32,
        mate if mate.is_mate() => mate + ply as i32,
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_under_their_own_key_only() {
        let mut table = TranspositionTable::new(4);
        let entry = Entry { key: Key(5), depth: 2, score: Score::DRAW, bound: Bound::Exact, best: None };
        table.keep(entry);
        assert!(table.find(Key(5)).is_some());
        assert!(table.find(Key(9)).is_none(), "the same place, another position");
        table.keep(Entry { key: Key(9), ..entry });
        assert!(table.find(Key(5)).is_none() && table.find(Key(9)).is_some());
        assert!(TranspositionTable::new(0).find(Key(1)).is_none());
    }

    #[test]
    fn bounds_settle_what_lies_beyond_them() {
        let entry = |bound, value| Entry { key: Key(0), depth: 1, score: Score::centipawns(value), bound, best: None };
        let window = Window { alpha: Score::centipawns(10), beta: Score::centipawns(20) };
        assert!(entry(Bound::Exact, 15).settles(window));
        assert!(entry(Bound::Lower, 20).settles(window) && !entry(Bound::Lower, 19).settles(window));
        assert!(entry(Bound::Upper, 10).settles(window) && !entry(Bound::Upper, 11).settles(window));
    }

    #[test]
    fn mates_are_counted_from_where_one_stands() {
        for score in [Score::mate_in(7), Score::mated_in(6), Score::centipawns(33)] {
            assert_eq!(seen_from_root(seen_from_node(score, 4), 4), score);
        }
        assert_eq!(seen_from_node(Score::mate_in(7), 4), Score::mate_in(3));
        assert_eq!(seen_from_node(Score::mated_in(6), 4), Score::mated_in(2));
    }
}
