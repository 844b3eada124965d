//! The files of this repository that people wrote.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folders of generated or fetched things. Walking the tree by hand instead of asking git keeps the checks working
/// in an unpacked archive.
const SKIPPED_FOLDERS: &[&str] = &["target", "workspace", "dist", "node_modules", "corpus", "artifacts", "testdata"];

/// One text file with its path relative to the repository root.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl Source {
    /// A source made up by a test.
    #[cfg(test)]
    pub(crate) fn invented(path: &str, text: &str) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// The path as it is written in configuration and messages.
    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().replace('\\', "/")
    }
}

/// Paths of all files, relative to `root`, sorted.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type()?;
            if kind.is_dir() && !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&name.as_ref()) {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path().strip_prefix(root).map(Path::to_path_buf).unwrap_or(entry.path()));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// All files with one of the given extensions, with their text.
pub(crate) fn with_extension(root: &Path, extensions: &[&str]) -> Result<Vec<Source>> {
    let wanted = |path: &PathBuf| {
        path.extension().and_then(|extension| extension.to_str()).is_some_and(|text| extensions.contains(&text))
    };
    let read = |path: PathBuf| {
        let text = fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Source { path, text })
    };
    files(root)?.into_iter().filter(wanted).map(read).collect()
}
