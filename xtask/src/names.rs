//! Names that say nothing are refused: such a drawer always ends up holding a bit of every layer.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::findings::Findings;
use crate::sources;
use crate::style::Style;

const CODE_EXTENSIONS: &[&str] = &["rs", "ts", "tsx", "vue", "js", "py", "sh", "cu"];

/// The step: looks at the name of every code file and of the folders above it.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let style = Style::read(root)?;
    Ok(Findings::from_problems(problems(&sources::files(root)?, &style.names.forbidden)))
}

fn problems(paths: &[PathBuf], forbidden: &[String]) -> Vec<String> {
    let is_code = |path: &&PathBuf| {
        path.extension().and_then(|extension| extension.to_str()).is_some_and(|text| CODE_EXTENSIONS.contains(&text))
    };
    let complaint = |path: &PathBuf| {
        let without_extension = path.with_extension("");
        let names = without_extension.iter().filter_map(|name| name.to_str());
        let bad = names.into_iter().find(|name| forbidden.iter().any(|rule| matches(rule, name)))?;
        Some(format!("{}: {bad:?} says nothing; name it after what it holds", path.display()))
    };
    paths.iter().filter(is_code).filter_map(complaint).collect()
}

fn matches(rule: &str, name: &str) -> bool {
    match rule.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == rule,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawers_are_refused_as_files_and_as_folders() {
        let forbidden = ["utils".to_string(), "new_*".to_string()];
        let paths =
            ["src/utils.rs", "src/utils/a.rs", "src/new_search.rs", "src/square.rs", "utils.md", "src/utilsx.rs"];
        let found = problems(&paths.map(PathBuf::from), &forbidden);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[2].contains("new_search"));
    }
}
