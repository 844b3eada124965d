//! What a search reports: its move, its score, and how many positions it had to visit.

use std::fmt;

use kiebitz_chess::{Move, Score};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The best move; none when the game was over before it began.
    pub best_move: Option<Move>,
    /// What the position is worth, from White's view.
    pub score: Score,
    /// The work it took.
    pub nodes: NodeCount,
}

/// Positions visited, counted by their distance from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeCount {
    /// The first number counts the positions one ply from the root.
    by_ply: Vec<u64>,
}

impl NodeCount {
    /// Counts one position, `ply` half-moves from the root. The root itself is not counted.
    pub fn visit(&mut self, ply: u32) {
        let Some(index) = (ply as usize).checked_sub(1) else { return };
        if index >= self.by_ply.len() {
            self.by_ply.resize(index + 1, 0);
        }
        self.by_ply[index] += 1;
    }

    /// Positions at this distance from the root.
    #[must_use]
    pub fn at(&self, ply: u32) -> u64 {
        let index = (ply as usize).checked_sub(1);
        index.and_then(|index| self.by_ply.get(index)).copied().unwrap_or(0)
    }

    /// All positions but the root.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_ply.iter().sum()
    }

    /// The book's way of counting: positions two plies from the root or farther. Its counter sits in the recursive
    /// function, and the root's own moves are played outside it.
    #[must_use]
    pub fn below_root_moves(&self) -> u64 {
        self.beyond(1)
    }

    /// Positions farther than `ply` from the root: the share of quiescence, when `ply` is the depth of the search.
    #[must_use]
    pub fn beyond(&self, ply: u32) -> u64 {
        self.by_ply.iter().skip(ply as usize).sum()
    }
}

/// Ply by ply, such as `43 + 1 133 + 45 695`.
impl fmt::Display for NodeCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies: Vec<String> = self.by_ply.iter().map(|&count| grouped(count)).collect();
        formatter.write_str(&plies.join(" + "))
    }
}

/// A number with its thousands set apart: `46 828`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_by_ply() {
        let mut nodes = NodeCount::default();
        for ply in [0, 1, 1, 2, 3, 3, 3] {
            nodes.visit(ply);
        }
        assert_eq!(nodes.to_string(), "2 + 1 + 3");
        assert_eq!((nodes.total(), nodes.below_root_moves(), nodes.beyond(2)), (6, 4, 3));
        assert_eq!((nodes.at(0), nodes.at(1), nodes.at(9)), (0, 2, 0));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(46_828), "46 828");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }
}
