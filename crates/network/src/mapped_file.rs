//! A network file mapped into memory, so that processes and threads share its weights.
//!
//! The only place of this crate with unsafe code. A mapping shows a file as it is at every moment: whoever changes a
//! network file in place while it is in use changes the weights under a player. Files are therefore written under a
//! temporary name and renamed, which leaves existing mappings alone.
#![allow(unsafe_code, reason = "mapping a file is unsafe; each block states why it is sound")]

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

/// A file in memory, read only.
#[derive(Clone, Debug)]
pub(crate) struct MappedFile(Arc<Mmap>);

impl MappedFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the mapping is private to this type and only ever read as plain bytes and integers, for which every
        // bit pattern is valid; writers replace network files instead of changing them (see above).
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self(Arc::new(map)))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A part of the file as integers; `None` unless it lies in the file, is aligned and the CPU is little-endian.
    pub(crate) fn ints(&self, offset: usize, count: usize) -> Option<MappedInts> {
        let end = offset.checked_add(count.checked_mul(size_of::<i16>())?)?;
        let part = self.0.get(offset..end)?;
        let usable = cfg!(target_endian = "little") && part.as_ptr().cast::<i16>().is_aligned();
        usable.then(|| MappedInts { file: self.clone(), offset, count })
    }
}

/// Integers that lie in a mapped file.
#[derive(Clone, Debug)]
pub(crate) struct MappedInts {
    file: MappedFile,
    offset: usize,
    count: usize,
}

impl MappedInts {
    #[inline]
    pub(crate) fn as_slice(&self) -> &[i16] {
        let start = self.file.0.as_ptr().wrapping_add(self.offset).cast::<i16>();
        // SAFETY: `MappedFile::ints` made sure that the part lies within the mapping and is aligned; the mapping lives
        // as long as `self`, is never written to, and every bit pattern is an integer.
        unsafe { std::slice::from_raw_parts(start, self.count) }
    }
}
