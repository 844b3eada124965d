//! How a set behaves over games.

use kiebitz_chess::{Color, Position};

use crate::{BoardDelta, FeatureDelta, FeatureSet, Update};

/// Counts over the moves of games; every move is looked at from both sides.
#[derive(Clone, Debug)]
pub struct FeatureSurvey {
    set: FeatureSet,
    moves: u64,
    active: u64,
    largest: usize,
    updates: u64,
    refreshes: u64,
    seen: Vec<bool>,
    indices: Vec<u32>,
    changes: FeatureDelta,
}

impl FeatureSurvey {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(set: &FeatureSet) -> Self {
        Self {
            set: set.clone(),
            moves: 0,
            active: 0,
            largest: 0,
            updates: 0,
            refreshes: 0,
            seen: vec![false; set.count() as usize],
            indices: Vec::new(),
            changes: FeatureDelta::default(),
        }
    }

    /// Counts a move: the position before it, that after it, what it did on the board.
    pub fn observe(&mut self, before: &Position, after: &Position, delta: &BoardDelta) {
        self.moves += 1;
        for view in Color::ALL {
            self.set.active(after, view, &mut self.indices);
            self.active += self.indices.len() as u64;
            self.largest = self.largest.max(self.indices.len());
            self.indices.iter().for_each(|&index| self.seen[index as usize] = true);
            match self.set.changed(before, after, delta, view, &mut self.changes) {
                Update::Incremental => {
                    self.updates += (self.changes.removed.len() + self.changes.added.len()) as u64;
                }
                Update::Refresh => self.refreshes += 1,
            }
        }
    }

    /// Moves that were counted.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    fn views(&self) -> f64 {
        (2 * self.moves).max(1) as f64
    }

    /// Active features of a view, on average.
    #[must_use]
    pub fn mean_active(&self) -> f64 {
        self.active as f64 / self.views()
    }

    /// The most active features of a view.
    #[must_use]
    pub fn largest_active(&self) -> usize {
        self.largest
    }

    /// Features that a view loses and gains by a move without a refresh, on average.
    #[must_use]
    pub fn updates_per_move(&self) -> f64 {
        self.updates as f64 / (self.views() - self.refreshes as f64).max(1.0)
    }

    /// The share of moves after which a view has to be refreshed.
    #[must_use]
    pub fn refreshes_per_move(&self) -> f64 {
        self.refreshes as f64 / self.views()
    }

    /// Features that were never active, dead ones included.
    #[must_use]
    pub fn unseen(&self) -> usize {
        self.seen.iter().filter(|seen| !**seen).count()
    }
}
