//! Unsafe code stays where `layers.toml` allows it.
//!
//! The lint `unsafe_code` can be lifted by one line in any file; this step cannot.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::findings::Findings;
use crate::layers::LayerTable;
use crate::metadata::Metadata;
use crate::sources::{self, Source};

/// The step: looks for the keyword in every source outside the allowed crates.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let table = LayerTable::read(root)?;
    let metadata = Metadata::of_workspace(root)?;
    // Cargo may have resolved a link on the way to the repository, so paths are compared in their real form.
    let real_root = root.canonicalize()?;
    let mut allowed = Vec::new();
    for package in &metadata.packages {
        if table.crates.get(&package.name).is_some_and(|layer| layer.may_be_unsafe) {
            let folder = package.folder().canonicalize()?;
            allowed.push(folder.strip_prefix(&real_root).map(Path::to_path_buf).unwrap_or(folder));
        }
    }
    Ok(Findings::from_problems(problems(&sources::with_extension(root, &["rs"])?, &allowed)))
}

fn problems(sources: &[Source], allowed: &[PathBuf]) -> Vec<String> {
    let guarded = |source: &&Source| !allowed.iter().any(|folder| source.path.starts_with(folder));
    let first_use = |source: &Source| {
        let index = source.text.lines().position(has_keyword)?;
        Some(format!("{}:{}: unsafe code is not allowed in this crate", source.name(), index + 1))
    };
    sources.iter().filter(guarded).filter_map(first_use).collect()
}

/// Whether a line contains the keyword outside a line comment and outside a plain string.
fn has_keyword(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    // Every second piece between quotation marks is inside a string.
    let outside_strings = code.split('"').step_by(2);
    let is_part_of_word = |character: char| character.is_alphanumeric() || character == '_';
    outside_strings.flat_map(|piece| piece.split(|character| !is_part_of_word(character))).any(|word| word == "unsafe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_told_from_words_about_it() {
        assert!(has_keyword("    unsafe { pext(a, b) }"));
        assert!(has_keyword("pub unsafe fn pext() {} // fast"));
        assert!(!has_keyword("#![allow(unsafe_code)]"));
        assert!(!has_keyword("// unsafe is for kernels"));
        assert!(!has_keyword(&format!("let word = {:?};", "unsafe")));
    }

    #[test]
    fn allowed_folders_are_left_alone() {
        let sources = [
            Source::invented("crates/kernels/src/pext.rs", "unsafe {}"),
            Source::invented("crates/kernels2/src/pext.rs", "fn a() {\nunsafe {}\n}"),
        ];
        let found = problems(&sources, &["crates/kernels".into()]);
        assert_eq!(found, ["crates/kernels2/src/pext.rs:2: unsafe code is not allowed in this crate"]);
    }
}
