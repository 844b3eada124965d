//! Files that appear under their names complete, also when the machine loses its power.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;

use crate::error::TrainError;

/// Writes a file and waits until it lies on the disk; the name is to be nobody else's yet.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let write = || -> std::io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(TrainError::io(path))
}

/// Writes a file beside its name and moves it there.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let temporary = path.with_extension("part");
    write_synced(&temporary, bytes)?;
    fs::rename(&temporary, path).map_err(TrainError::io(path))
}

/// Waits until the names in a folder lie on the disk. Where folders cannot be opened like files there is nothing to wait for.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// One run at a time works in a folder; the system forgets the lock of a program that died.
pub(crate) fn lock(folder: &Path) -> Result<File, TrainError> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(TrainError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TrainError::Busy(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(TrainError::io(&path)(error)),
    }
}
