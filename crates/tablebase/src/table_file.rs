//! How table files are read: small ones into memory, large ones piece by piece.
//!
//! A probe reads a handful of bytes at a time, so that system calls dominate where each read is one. Memory maps would
//! avoid that, but a map is unsafe for a reason: a file that shrinks, or a disk that fails, kills the process. The
//! tables that searches hit most are small, and are simply held in memory, up to a limit over all files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// Bytes of tables held in memory over all files.
const MEMORY: u64 = 256 << 20;
/// The largest file that is held in memory at all, in bytes.
const LARGEST_IN_MEMORY: u64 = 16 << 20;

/// Reads table files.
pub(crate) struct TableFiles {
    system: OsFilesystem,
    memory_left: Arc<AtomicU64>,
}

impl TableFiles {
    /// With nothing opened yet.
    pub(crate) fn new() -> Self {
        Self { system: OsFilesystem::new(), memory_left: Arc::new(AtomicU64::new(MEMORY)) }
    }
}

impl Filesystem for TableFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = File::open(path)?.metadata()?.len();
        let take = |left: u64| left.checked_sub(size);
        let fits = size <= LARGEST_IN_MEMORY
            && self.memory_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
        if fits { Ok(Box::new(InMemory(fs::read(path)?))) } else { self.system.open(path) }
    }
}

struct InMemory(Vec<u8>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
