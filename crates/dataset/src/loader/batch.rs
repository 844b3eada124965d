//! Samples as a trainer takes them.

use kiebitz_chess::Color;

/// Indices that a position has at most in most feature sets; more only means another allocation.
const USUAL_INDICES: usize = 32;

/// Lists of indices, one a sample, one behind the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SparseRows {
    /// All indices.
    pub indices: Vec<u32>,
    /// Where each sample's indices end.
    pub ends: Vec<u32>,
}

impl SparseRows {
    /// The indices of one sample; none if there is no such sample.
    #[must_use]
    pub fn row(&self, number: usize) -> &[u32] {
        let start = match number {
            0 => 0,
            _ => self.ends.get(number - 1).copied().unwrap_or(0) as usize,
        };
        let end = self.ends.get(number).copied().unwrap_or(0) as usize;
        self.indices.get(start..end).unwrap_or_default()
    }

    fn with_capacity(samples: usize) -> Self {
        Self { indices: Vec::with_capacity(samples * USUAL_INDICES), ends: Vec::with_capacity(samples) }
    }

    /// Adds the indices of a sample.
    pub(super) fn push(&mut self, indices: impl ExactSizeIterator<Item = u32>) {
        self.indices.extend(indices);
        self.ends.push(self.indices.len() as u32);
    }
}

/// Samples as a trainer takes them; all lists have one entry a sample.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    /// Active features as the side to move sees them.
    pub own: SparseRows,
    /// Active features as the other side sees them.
    pub other: SparseRows,
    /// Scores for the side to move; not a number where there is none.
    pub scores: Vec<f32>,
    /// Points of the side to move, 1, ½ or 0; not a number where the result is unknown.
    pub points: Vec<f32>,
    /// Pieces on the board, kings included: what chooses among the heads of a network.
    pub pieces: Vec<u8>,
    /// Who is to move; networks of one view speak for White.
    pub movers: Vec<Color>,
}

impl Batch {
    /// How many samples it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// Room for so many samples.
    pub(super) fn with_capacity(samples: usize) -> Self {
        Self {
            own: SparseRows::with_capacity(samples),
            other: SparseRows::with_capacity(samples),
            scores: Vec::with_capacity(samples),
            points: Vec::with_capacity(samples),
            pieces: Vec::with_capacity(samples),
            movers: Vec::with_capacity(samples),
        }
    }
}
