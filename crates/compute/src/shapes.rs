//! Sizes and settings of the operations.

/// A table of rows that are summed over the active ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableShape {
    /// How many rows can be active.
    pub rows: usize,
    /// How many sums there are.
    pub width: usize,
    /// How many coarse rows help to train the others.
    pub coarse_rows: usize,
    /// For every row where its list of coarse rows begins, and where the last one ends; empty without coarse rows.
    pub link_begins: Vec<u32>,
    /// The coarse rows, list after list.
    pub links: Vec<u32>,
}

impl TableShape {
    /// A table without coarse rows.
    #[must_use]
    pub fn plain(rows: usize, width: usize) -> Self {
        Self { rows, width, ..Self::default() }
    }

    /// A table whose row number `r` is trained together with the coarse rows `coarse_of(r)`.
    #[must_use]
    pub fn linked(rows: usize, width: usize, coarse_rows: usize, coarse_of: impl Fn(u32) -> Vec<u32>) -> Self {
        let (mut link_begins, mut links) = (Vec::with_capacity(rows + 1), Vec::new());
        for row in 0..rows as u32 {
            link_begins.push(links.len() as u32);
            links.extend(coarse_of(row).into_iter().filter(|&coarse| (coarse as usize) < coarse_rows));
        }
        link_begins.push(links.len() as u32);
        Self { rows, width, coarse_rows, link_begins, links }
    }

    /// Whether there are coarse rows.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        self.coarse_rows > 0 && !self.link_begins.is_empty()
    }

    /// The coarse rows of a row.
    pub(crate) fn links_of(&self, row: usize) -> &[u32] {
        let range = self.link_begins.get(row).zip(self.link_begins.get(row + 1));
        range.and_then(|(&begin, &end)| self.links.get(begin as usize..end as usize)).unwrap_or_default()
    }

    /// The links seen from the other side: for every coarse row where its list of rows begins, and the lists.
    pub(crate) fn members(&self) -> (Vec<u32>, Vec<u32>) {
        let mut lists = vec![Vec::new(); self.coarse_rows];
        for row in 0..self.rows {
            for &coarse in self.links_of(row) {
                lists[coarse as usize].push(row as u32);
            }
        }
        let (mut begins, mut members) = (Vec::with_capacity(self.coarse_rows + 1), Vec::new());
        for list in lists {
            begins.push(members.len() as u32);
            members.extend(list);
        }
        begins.push(members.len() as u32);
        (begins, members)
    }
}

/// What becomes of a table's sums before a layer sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumActivation {
    /// Limited to 0..1.
    Clipped,
    /// Limited to 0..1 and squared.
    Squared,
    /// Limited to 0..1; the first half times the second half.
    Pairwise,
}

/// How the first layer sees the sums of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerActivation {
    /// What becomes of a sum.
    pub activation: SumActivation,
    /// How many sums a view has.
    pub width: usize,
    /// How many views there are.
    pub views: usize,
    /// What the result is multiplied with.
    pub gain: f32,
}

impl LayerActivation {
    /// How many numbers a view hands on.
    #[must_use]
    pub fn activated(&self) -> usize {
        match self.activation {
            SumActivation::Clipped | SumActivation::Squared => self.width,
            SumActivation::Pairwise => self.width / 2,
        }
    }
}

/// What becomes of the sums of a dense layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitActivation {
    /// Limited to 0..1.
    Clipped,
    /// Negative sums are 0; squared and limited to 1.
    Squared,
    /// Squared and limited to 1.
    Folded,
}

/// A dense layer: weights `[bucket][output][input]`, biases `[bucket][output]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseShape {
    /// How many numbers come in.
    pub inputs: usize,
    /// How many sums are formed.
    pub outputs: usize,
    /// How many copies there are; a sample uses that of its bucket.
    pub buckets: usize,
}

/// One step of Adam with decoupled weight decay.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct AdamStep {
    /// The learning rate.
    pub rate: f32,
    /// How much of the momentum stays.
    pub beta1: f32,
    /// How much of the variance stays.
    pub beta2: f32,
    /// What keeps the division safe.
    pub epsilon: f32,
    /// Which share of a weight is taken off, times the rate.
    pub decay: f32,
    /// What the momentum is multiplied with in an early step.
    pub correction1: f32,
    /// What the variance is multiplied with in an early step.
    pub correction2: f32,
    /// Weights stay within ± this.
    pub limit: f32,
}
