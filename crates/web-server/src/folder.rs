//! Files of the workspace: found by walking it, never by joining what a client said to a path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How deep a walk goes, and how many folders it visits at most: a workspace may hold anything.
const DEEPEST: usize = 4;
const MOST_FOLDERS: usize = 3000;

/// A folder that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its path below the root, with `/`: its name in requests.
    pub(crate) id: String,
    pub(crate) path: PathBuf,
}

/// Every folder below the root that holds a file of this name, in the order of their names. Links are not followed.
pub(crate) fn folders_with(root: &Path, file: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut open = vec![(root.to_path_buf(), String::new(), 0)];
    let mut visited = 0;
    while let Some((path, id, depth)) = open.pop() {
        visited += 1;
        if visited > MOST_FOLDERS {
            break;
        }
        if !id.is_empty() && path.join(file).is_file() {
            found.push(Found { id: id.clone(), path: path.clone() });
        }
        if depth < DEEPEST {
            for (name, kind) in entries(&path) {
                if kind.is_dir() {
                    let below = if id.is_empty() { name.clone() } else { format!("{id}/{name}") };
                    open.push((path.join(&name), below, depth + 1));
                }
            }
        }
    }
    found.sort_by(|one, other| one.id.cmp(&other.id));
    found
}

/// The plain files of a folder with one of these endings, in the order of their names.
pub(crate) fn files_ending(folder: &Path, endings: &[&str]) -> Vec<Found> {
    let mut files: Vec<Found> = entries(folder)
        .into_iter()
        .filter(|(name, kind)| kind.is_file() && endings.iter().any(|ending| name.ends_with(ending)))
        .map(|(name, _)| Found { path: folder.join(&name), id: name })
        .collect();
    files.sort_by(|one, other| one.id.cmp(&other.id));
    files
}

/// Names and kinds of what a folder holds; nothing if it cannot be read. Hidden files and names that are no text are left out.
fn entries(folder: &Path) -> Vec<(String, fs::FileType)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let readable = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let kind = entry.file_type().ok()?;
        (!name.starts_with('.')).then_some((name, kind))
    });
    readable.collect()
}

/// When a file was changed and how long it is; together they tell whether it has to be read again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    pub(crate) changed_ms: u64,
    pub(crate) bytes: u64,
}

impl Stamp {
    /// The stamp of a file; `None` if it is gone.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let changed_ms = milliseconds(metadata.modified().ok()?);
        Some(Self { changed_ms, bytes: metadata.len() })
    }

    /// Whether the file was changed within this time.
    pub(crate) fn is_fresh(&self, within: Duration) -> bool {
        let age = milliseconds(SystemTime::now()).saturating_sub(self.changed_ms);
        u128::from(age) < within.as_millis()
    }
}

/// Milliseconds since 1970.
pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Writes a file under a temporary name, brings it to the disk and renames it, so that nobody ever sees half of it.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use io::Write;
    let temporary = path.with_extension("part");
    let mut file = fs::File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}
