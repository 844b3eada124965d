//! One spelling per word, so that a search for it finds everything.

use std::path::Path;

use anyhow::Result;

use crate::findings::Findings;
use crate::sources::{self, Source};
use crate::style::{Spelling, Style};

/// The step: reads sources and documents for the refused spellings in `style.toml`.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let style = Style::read(root)?;
    Ok(Findings::from_problems(problems(&sources::with_extension(root, &["rs", "md", "ts", "vue"])?, &style.spelling)))
}

fn problems(sources: &[Source], spelling: &Spelling) -> Vec<String> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| !spelling.exceptions.contains_key(&source.name())) {
        for (index, line) in source.text.lines().enumerate() {
            let line = line.to_lowercase();
            for (refused, accepted) in spelling.words.iter().filter(|(refused, _)| line.contains(refused.as_str())) {
                let place = format!("{}:{}", source.name(), index + 1);
                problems.push(format!("{place}: write {accepted:?}, not {refused:?}"));
            }
        }
    }
    for name in spelling.exceptions.keys().filter(|name| !sources.iter().any(|source| source.name() == **name)) {
        problems.push(format!("style.toml excuses the spelling of {name}, which does not exist"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_spellings_are_found_inside_names() {
        let words = [("grey".to_string(), "gray".to_string())].into();
        let spelling = Spelling { words, exceptions: [("b.rs".to_string(), "quotes".to_string())].into() };
        let sources = [Source::invented("a.rs", "gray\nlet DarkGrey = 1;"), Source::invented("b.rs", "grey")];
        assert_eq!(problems(&sources, &spelling), ["a.rs:2: write \"gray\", not \"grey\""]);
    }
}
