//! The licence texts that travel with the libraries we ship.
//!
//! Most licences ask that their text and copyright line go along with the program. Many libraries carry the same text, so
//! each text is printed once, under the names of all that use it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::metadata::Package;

const BEGINNINGS: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// A section for every different text, with the libraries that it belongs to.
pub(crate) fn sections<'a>(packages: impl Iterator<Item = &'a Package>) -> Result<String> {
    let mut users: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for package in packages {
        for path in chosen(licence_files(package.folder())?) {
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let names = users.entry(normalised(&String::from_utf8_lossy(&bytes))).or_default();
            if !names.contains(&package.name.as_str()) {
                names.push(&package.name);
            }
        }
    }
    let mut by_users: Vec<(Vec<&str>, String)> = users.into_iter().map(|(text, names)| (names, text)).collect();
    by_users.sort();
    let mut output = String::new();
    for (names, text) in by_users {
        // Writing to a string cannot fail. Four backticks, because a text may itself contain three.
        let _ = write!(output, "\n## {}\n\n````text\n{text}````\n", names.join(", "));
    }
    Ok(output)
}

/// Licence files of the package itself, and of foreign sources in a folder below it.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in listed(folder)? {
        if path.is_file() && begins_like_one_of(&path, BEGINNINGS) {
            found.push(path);
        } else if path.is_dir() {
            found.extend(
                listed(&path)?.into_iter().filter(|below| below.is_file() && begins_like_one_of(below, &["LICENSE"])),
            );
        }
    }
    Ok(found)
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn begins_like_one_of(path: &Path, beginnings: &[&str]) -> bool {
    let name = upper_case_name(path);
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

fn upper_case_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_uppercase()
}

/// Where a library may be had under MIT or under Apache-2.0, we take MIT, whose text is shorter.
fn chosen(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let has_mit = files.iter().any(|path| upper_case_name(path).contains("MIT"));
    files.into_iter().filter(|path| !(has_mit && upper_case_name(path).contains("APACHE"))).collect()
}

/// The text without accidental differences: line ends, trailing blanks, empty lines around it.
fn normalised(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mit_is_preferred_to_apache() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(chosen(files(&["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"])), files(&["LICENSE-MIT", "NOTICE"]));
        assert_eq!(chosen(files(&["LICENSE-APACHE"])), files(&["LICENSE-APACHE"]));
    }

    #[test]
    fn line_ends_do_not_make_a_different_text() {
        assert_eq!(normalised("\r\nMIT \r\n\r\nCopyright"), normalised("MIT\n\nCopyright\n"));
    }
}
