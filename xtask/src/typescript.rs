//! The TypeScript that the page imports, generated from the messages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::findings::Findings;
use crate::shell;

fn file(root: &Path) -> PathBuf {
    root.join("web/src/api/generated/messages.ts")
}

/// The file as it should be.
fn text(root: &Path) -> Result<String> {
    let arguments =
        ["run", "--quiet", "--package", "kiebitz-messages", "--features", "typescript", "--example", "typescript"];
    shell::output_of(shell::cargo(root).args(arguments))
}

/// Writes the file.
pub(crate) fn write(root: &Path) -> Result<()> {
    let path = file(root);
    let temporary = path.with_extension("part");
    fs::write(&temporary, text(root)?).with_context(|| format!("cannot write {}", temporary.display()))?;
    fs::rename(&temporary, &path).with_context(|| format!("cannot write {}", path.display()))
}

/// Compares the file with what it should be.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let path = file(root);
    let found = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if found == text(root)? {
        return Ok(Findings::default());
    }
    let problem = format!("{} differs from crates/messages; run `cargo xtask generate`", path.display());
    Ok(Findings::from_problems(vec![problem]))
}
