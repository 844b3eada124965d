//! A batch of samples as a trainer hands it to a device.

use std::sync::Arc;

use crate::ComputeError;

/// Active rows of every sample, one sample behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseView {
    /// All rows.
    pub indices: Vec<u32>,
    /// Where each sample's rows end.
    pub ends: Vec<u32>,
}

impl SparseView {
    /// The rows of one sample; none if there is no such sample.
    #[must_use]
    pub fn row(&self, sample: usize) -> &[u32] {
        let begin = if sample == 0 { 0 } else { self.ends.get(sample - 1).copied().unwrap_or(0) };
        let end = self.ends.get(sample).copied().unwrap_or(0);
        self.indices.get(begin as usize..end as usize).unwrap_or_default()
    }
}

/// A batch: samples of one bucket stand together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// One view, or two: the mover's and the other side's.
    pub views: Vec<SparseView>,
    /// Where the samples of each bucket end.
    pub bucket_ends: Vec<u32>,
    /// What the value should be, as a share of points; empty for triplets.
    pub targets: Vec<f32>,
    /// The places of P, Q and R, triplet after triplet; every sample belongs to one. Empty without triplets.
    pub triplets: Vec<u32>,
}

/// Samples that were looked at: everything fits together and every row exists. Cloning shares them.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedSamples(Arc<Samples>);

impl std::ops::Deref for CheckedSamples {
    type Target = Samples;

    fn deref(&self) -> &Samples {
        &self.0
    }
}

impl Samples {
    /// Looks whether everything fits together and every row of a table of so many rows exists.
    ///
    /// # Errors
    ///
    /// Says what does not fit.
    pub fn checked(self, rows: usize) -> Result<CheckedSamples, ComputeError> {
        self.check(rows)?;
        Ok(CheckedSamples(Arc::new(self)))
    }

    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bucket_ends.last().map_or(0, |&end| end as usize)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn check(&self, rows: usize) -> Result<(), ComputeError> {
        let wrong = |text: String| Err(ComputeError::Samples(text));
        let count = self.len();
        if count == 0 {
            return wrong("there are none".to_owned());
        }
        if self.views.is_empty() || self.views.len() > 2 {
            return wrong(format!("{} views instead of one or two", self.views.len()));
        }
        if !self.bucket_ends.is_sorted() {
            return wrong("the samples of a bucket end before they begin".to_owned());
        }
        if !self.targets.is_empty() && self.targets.len() != count {
            return wrong(format!("{} targets for {count} samples", self.targets.len()));
        }
        if !self.triplets.is_empty() {
            let mut places = self.triplets.clone();
            places.sort_unstable();
            if !count.is_multiple_of(3) || !places.into_iter().eq(0..count as u32) {
                return wrong(format!("{} places of triplets for {count} samples", self.triplets.len()));
            }
        }
        for view in &self.views {
            let end = view.ends.last().map_or(0, |&end| end as usize);
            if view.ends.len() != count || end != view.indices.len() || !view.ends.is_sorted() {
                return wrong(format!("a view has {} ends and {} rows for {count} samples", view.ends.len(), end));
            }
            if let Some(index) = view.indices.iter().find(|&&index| index as usize >= rows) {
                return wrong(format!("row {index} of a table of {rows}"));
            }
        }
        Ok(())
    }
}
