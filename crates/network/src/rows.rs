//! The large part of a network, wherever it lies.

use std::fmt;
use std::ops::Deref;

#[cfg(not(target_family = "wasm"))]
use crate::mapped_file::MappedInts;

/// 16-bit weights, in memory of their own or in a mapped file that processes share.
pub struct Rows(Storage);

enum Storage {
    Owned(Vec<i16>),
    #[cfg(not(target_family = "wasm"))]
    Mapped(MappedInts),
}

impl Rows {
    /// Weights of a mapped file.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn mapped(ints: MappedInts) -> Self {
        Self(Storage::Mapped(ints))
    }

    /// Whether the weights lie in a mapped file.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        !matches!(self.0, Storage::Owned(_))
    }
}

impl From<Vec<i16>> for Rows {
    fn from(weights: Vec<i16>) -> Self {
        Self(Storage::Owned(weights))
    }
}

impl Deref for Rows {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        match &self.0 {
            Storage::Owned(weights) => weights,
            #[cfg(not(target_family = "wasm"))]
            Storage::Mapped(ints) => ints.as_slice(),
        }
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Rows({} weights)", self.len())
    }
}
