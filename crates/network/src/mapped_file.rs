//! Files mapped into memory: networks, so that processes and threads share their weights, and the blocks of shards, so that
//! they are decoded where they lie (`kiebitz-dataset`).
//!
//! The only place of this crate with unsafe code, and the only one that maps files. A mapping shows a file as it is at every
//! moment: whoever changes a network in place while it is in use changes the weights under a player, and whoever cuts a
//! mapped file off, or pulls out the disk below it, ends by a signal every program that then touches what is gone. Our
//! writers never do that: they write under a temporary name and rename, which leaves existing mappings alone.
#![allow(unsafe_code, reason = "mapping a file is unsafe; each block states why it is sound")]

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::{Mmap, MmapOptions};

/// A file in memory, or a part of one, read only. Clones share the mapping, which ends with the last of them.
///
/// For files that are replaced rather than changed: while it is mapped, nobody may write to the file or cut it off. Renaming
/// and removing it does no harm.
#[derive(Clone, Debug)]
pub struct MappedFile(Arc<Mmap>);

impl MappedFile {
    /// Maps a whole file.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, or is of a kind that cannot be mapped, such as a pipe.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::part(&File::open(path)?, 0, usize::MAX)
    }

    /// Maps at most so many bytes of a file, beginning anywhere; fewer where the file ends at this moment, and none behind
    /// its end.
    ///
    /// # Errors
    ///
    /// When the file is of a kind that cannot be mapped, or the system refuses.
    pub fn part(file: &File, from: u64, most: usize) -> io::Result<Self> {
        let left = file.metadata()?.len().saturating_sub(from);
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(most);
        // SAFETY: the mapping lies within the file, is private to this type and only ever read as plain bytes and integers,
        // for which every bit pattern is valid; the writers of networks and of shards replace files instead of changing
        // them (see above).
        let map = unsafe { MmapOptions::new().offset(from).len(length).map(file)? };
        Ok(Self(Arc::new(map)))
    }

    /// What was mapped.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_begins_anywhere_and_ends_with_the_file() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        let content: Vec<u8> = (0..20_000_u32).map(|number| (number % 251) as u8).collect();
        std::fs::write(&path, &content).unwrap();
        let file = File::open(&path).unwrap();
        for (from, most) in [(0, 10), (1, 4095), (4096, 1), (5000, 9000), (19_990, 11), (20_000, 5), (30_000, 5)] {
            let expected: Vec<u8> = content.iter().copied().skip(from).take(most).collect();
            assert_eq!(MappedFile::part(&file, from as u64, most).unwrap().bytes(), expected, "{most} from {from}");
        }
        assert_eq!(MappedFile::open(&path).unwrap().bytes(), content);
    }
}
