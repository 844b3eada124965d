//! The moves of the root and what is known of each.

use std::cmp::Reverse;

use kiebitz_chess::Move;
use kiebitz_search::ScoreBound;

use crate::value::{INFINITE, Value, is_mate};
use crate::worker::Worker;

/// What tables say of a move of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableVerdict {
    /// Moves of a lower group keep more.
    pub(crate) group: usize,
    pub(crate) value: Value,
}

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
    /// What tables say of it, if they know the root.
    pub(crate) tables: Option<TableVerdict>,
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
            tables: None,
        }
    }

    /// Its value; that of the last iteration if this one has none yet.
    pub(crate) fn known_value(&self) -> Value {
        if self.value == -INFINITE { self.previous } else { self.value }
    }

    /// What tables know of it is surer than what the search believes, short of a mate.
    pub(crate) fn sure_value(&self) -> Option<Value> {
        self.tables.map(|tables| tables.value).filter(|_| !is_mate(self.known_value()))
    }

    /// What is said of it to others.
    pub(crate) fn told_value(&self) -> Value {
        self.sure_value().unwrap_or(self.known_value())
    }

    /// By what moves are sorted first: whatever the search believes, those that keep more stand before others.
    pub(crate) fn group(&self) -> usize {
        self.tables.map_or(0, |tables| tables.group)
    }
}

/// All of them, the best first. When several lines are wanted, those before `first` are settled; a line is chosen among those of
/// one group of the tables, which end before `end`.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    pub(crate) first: usize,
    end: usize,
}

impl RootMoves {
    /// Moves in the order in which they are searched first; those of a group stand together.
    pub(crate) fn new(moves: Vec<RootMove>) -> Self {
        let mut all = Self { moves, first: 0, end: 0 };
        all.begin_line(0);
        all
    }

    /// The lines before this one are settled.
    pub(crate) fn begin_line(&mut self, line: usize) {
        let rest = self.moves.get(line..).unwrap_or(&[]);
        let members = rest.iter().take_while(|root| root.group() == rest[0].group()).count();
        (self.first, self.end) = (line, line + members);
    }

    /// Whether a move is still to be searched for the current line.
    pub(crate) fn is_open(&self, mv: Move) -> bool {
        self.moves[self.first..self.end].iter().any(|root| root.mv == mv)
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
        self.moves[self.first..self.end].sort_by_key(|root| (root.group(), Reverse((root.value, root.previous))));
    }

    /// Sorts the finished lines among themselves.
    pub(crate) fn sort_finished(&mut self, lines: usize) {
        let end = lines.min(self.moves.len());
        self.moves[..end].sort_by_key(|root| (root.group(), Reverse((root.value, root.previous))));
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
