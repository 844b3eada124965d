//! Source files stay short enough to be read in one sitting.

use std::path::Path;

use anyhow::Result;

use crate::findings::Findings;
use crate::sources::{self, Source};
use crate::style::{Lengths, Style};

/// The step: counts the lines of every Rust source.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    Ok(judge(&sources::with_extension(root, &["rs"])?, &Style::read(root)?.lengths))
}

fn judge(sources: &[Source], limits: &Lengths) -> Findings {
    let mut findings = Findings::default();
    for source in sources {
        let name = source.name();
        let lines = source.text.lines().count();
        let excused = limits.exceptions.contains_key(&name);
        if lines > limits.fail && !excused {
            findings.problems.push(format!("{name} has {lines} lines; at most {} are allowed", limits.fail));
        } else if lines > limits.warn && !excused {
            findings.warnings.push(format!("{name} has {lines} lines; think of a split beyond {}", limits.warn));
        } else if lines <= limits.fail && excused {
            findings.problems.push(format!("{name} no longer needs its exception in style.toml"));
        }
    }
    for name in limits.exceptions.keys().filter(|name| !sources.iter().any(|source| source.name() == **name)) {
        findings.problems.push(format!("style.toml excuses the length of {name}, which does not exist"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(exceptions: &[&str]) -> Lengths {
        let excuse = |name: &&str| ((*name).to_string(), "a table".to_string());
        Lengths { warn: 2, fail: 4, exceptions: exceptions.iter().map(excuse).collect() }
    }

    fn source(name: &str, lines: usize) -> Source {
        Source::invented(name, &"line\n".repeat(lines))
    }

    #[test]
    fn lengths_warn_and_then_fail() {
        let findings = judge(&[source("a.rs", 2), source("b.rs", 4), source("c.rs", 5)], &limits(&[]));
        assert_eq!(findings.warnings, ["b.rs has 4 lines; think of a split beyond 2"]);
        assert_eq!(findings.problems, ["c.rs has 5 lines; at most 4 are allowed"]);
    }

    #[test]
    fn exceptions_hold_as_long_as_they_are_needed() {
        assert_eq!(judge(&[source("a.rs", 9)], &limits(&["a.rs"])), Findings::default());
        assert_eq!(judge(&[source("a.rs", 4)], &limits(&["a.rs"])).problems.len(), 1);
        assert_eq!(judge(&[], &limits(&["a.rs"])).problems.len(), 1);
    }
}
