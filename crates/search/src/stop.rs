//! When a search has done enough: small conditions that combine.

use crate::SearchLimits;

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The last finished depth.
    pub depth: u32,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Moves until the mate that was found, negative when being mated.
    pub mate: Option<i32>,
}

/// A reason to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopCondition {
    /// This depth is finished.
    Depth(u32),
    /// So many nodes were visited.
    Nodes(u64),
    /// A mate in at most so many moves was found, for either side.
    Mate(u32),
}

impl StopCondition {
    /// Whether it holds.
    #[must_use]
    pub fn is_met(self, progress: &Progress) -> bool {
        match self {
            Self::Depth(depth) => progress.depth >= depth,
            Self::Nodes(nodes) => progress.nodes >= nodes,
            Self::Mate(moves) => progress.mate.is_some_and(|mate| mate.unsigned_abs() <= moves),
        }
    }
}

/// Several conditions, of which one is enough.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnyOf(Vec<StopCondition>);

impl AnyOf {
    /// Adds a condition if there is one.
    #[must_use]
    pub fn or(mut self, condition: Option<StopCondition>) -> Self {
        self.0.extend(condition);
        self
    }

    /// Whether one of them holds.
    #[must_use]
    pub fn is_met(&self, progress: &Progress) -> bool {
        self.0.iter().any(|condition| condition.is_met(progress))
    }
}

impl SearchLimits {
    /// What ends a search between two iterations.
    #[must_use]
    pub fn between_iterations(&self) -> AnyOf {
        AnyOf::default()
            .or(self.depth.map(StopCondition::Depth))
            .or(self.soft_nodes.map(StopCondition::Nodes))
            .or(self.nodes.map(StopCondition::Nodes))
            .or(self.mate.map(StopCondition::Mate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_condition_is_enough() {
        let limits = SearchLimits { depth: Some(8), mate: Some(3), ..SearchLimits::default() };
        let conditions = limits.between_iterations();
        let mut progress = Progress { depth: 7, mate: Some(-4), ..Progress::default() };
        assert!(!conditions.is_met(&progress));
        progress.mate = Some(-3);
        assert!(conditions.is_met(&progress));
        assert!(conditions.is_met(&Progress { depth: 8, ..Progress::default() }));
        assert!(!AnyOf::default().is_met(&progress));
    }
}
