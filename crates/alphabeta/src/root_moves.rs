//! The moves of the root and what is known of each.

use kiebitz_chess::Move;
use kiebitz_search::ScoreBound;

use crate::value::{INFINITE, Value};
use crate::worker::Worker;

/// One move of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// What it came out at in this iteration; minus infinity if it did not become best.
    pub(crate) value: Value,
    /// How exact the last known value is.
    pub(crate) bound: ScoreBound,
    /// What it came out at in the last iteration.
    pub(crate) previous: Value,
    /// A running mean, around which the next window opens.
    pub(crate) mean: Value,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
    /// The line that begins with it.
    pub(crate) line: Vec<Move>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> Self {
        Self {
            mv,
            value: -INFINITE,
            bound: ScoreBound::Exact,
            previous: -INFINITE,
            mean: -INFINITE,
            selective_depth: 0,
            nodes: 0,
            line: vec![mv],
        }
    }

    /// Its value; that of the last iteration if this one has none yet.
    pub(crate) fn known_value(&self) -> Value {
        if self.value == -INFINITE { self.previous } else { self.value }
    }
}

/// All of them, the best first. When several lines are wanted, those before `first` are settled.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    pub(crate) first: usize,
}

impl RootMoves {
    pub(crate) fn new(moves: impl IntoIterator<Item = Move>) -> Self {
        Self { moves: moves.into_iter().map(RootMove::new).collect(), first: 0 }
    }

    /// Whether a move is still to be searched for the current line.
    pub(crate) fn is_open(&self, mv: Move) -> bool {
        self.moves[self.first..].iter().any(|root| root.mv == mv)
    }

    pub(crate) fn get_mut(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.moves.iter_mut().find(|root| root.mv == mv)
    }

    /// The one that leads the line being searched.
    pub(crate) fn leader(&self) -> Option<&RootMove> {
        self.moves.get(self.first)
    }

    /// Brings the best of those still open to the front; the order of equals stays.
    pub(crate) fn sort_open(&mut self) {
        self.moves[self.first..].sort_by_key(|root| std::cmp::Reverse((root.value, root.previous)));
    }

    /// Sorts the finished lines among themselves.
    pub(crate) fn sort_finished(&mut self, lines: usize) {
        let end = lines.min(self.moves.len());
        self.moves[..end].sort_by_key(|root| std::cmp::Reverse((root.value, root.previous)));
    }

    /// A new iteration begins.
    pub(crate) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous = root.value;
            root.value = -INFINITE;
        }
    }
}

impl Worker<'_> {
    /// Notes what a move of the root cost and, if it is the best so far, what it came out at.
    pub(crate) fn note_root_move(&mut self, mv: Move, best: Option<(Value, ScoreBound)>, nodes: u64) {
        let selective_depth = self.selective_depth;
        let Some(root) = self.root_moves.get_mut(mv) else { return };
        root.nodes += nodes;
        if let Some((value, bound)) = best {
            root.value = value;
            root.bound = bound;
            root.mean = if root.mean == -INFINITE { value } else { (root.mean + value) / 2 };
            root.selective_depth = selective_depth;
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(self.lines.line(1));
        } else {
            root.value = -INFINITE;
        }
    }
}
