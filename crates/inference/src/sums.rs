//! The sums of one view: accumulator and shortcut.

use kiebitz_kernels::AlignedSlice;

use crate::network::PackedNetwork;

/// Sums over active features.
#[derive(Clone)]
pub(crate) struct Sums {
    /// The accumulator, filled up.
    pub(crate) words: AlignedSlice<i16>,
    /// One a bucket, or none without a shortcut.
    pub(crate) shortcut: Vec<i32>,
}

impl Sums {
    /// The sums of no feature at all: biases.
    pub(crate) fn empty(network: &PackedNetwork) -> Self {
        let buckets = if network.shortcut.is_empty() { 0 } else { network.spec.buckets.count };
        Self { words: network.biases.clone(), shortcut: vec![0; buckets] }
    }

    pub(crate) fn clear(&mut self, network: &PackedNetwork) {
        self.words.copy_from_slice(&network.biases);
        self.shortcut.fill(0);
    }

    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.words.copy_from_slice(&other.words);
        self.shortcut.copy_from_slice(&other.shortcut);
    }

    /// Becomes `before` with features added and removed.
    #[inline]
    pub(crate) fn update(&mut self, network: &PackedNetwork, before: &Self, added: &[u32], removed: &[u32]) {
        network.kernels.update(network.matrix(), &before.words, &mut self.words, added, removed);
        if !self.shortcut.is_empty() {
            self.shortcut.copy_from_slice(&before.shortcut);
            self.update_shortcut(network, added, removed);
        }
    }

    #[inline]
    pub(crate) fn update_in_place(&mut self, network: &PackedNetwork, added: &[u32], removed: &[u32]) {
        network.kernels.update_in_place(network.matrix(), &mut self.words, added, removed);
        self.update_shortcut(network, added, removed);
    }

    #[inline]
    fn update_shortcut(&mut self, network: &PackedNetwork, added: &[u32], removed: &[u32]) {
        let buckets = self.shortcut.len();
        if buckets == 0 {
            return;
        }
        let row = |index: &u32| network.shortcut.get(*index as usize * buckets..).unwrap_or(&[]);
        for index in added {
            self.shortcut.iter_mut().zip(row(index)).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
        }
        for index in removed {
            self.shortcut.iter_mut().zip(row(index)).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
        }
    }
}
