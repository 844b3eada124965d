//! What a step has to say when it is done.

use std::fmt::{self, Display};

/// Everything one step found. A step without problems has passed, unless it says that it was skipped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Sentences that make the check fail.
    pub(crate) problems: Vec<String>,
    /// Sentences worth reading that do not make it fail.
    pub(crate) warnings: Vec<String>,
    /// Why the step did nothing, if so.
    pub(crate) skipped: Option<String>,
}

/// The one-word result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing is wrong.
    Passed,
    /// Something must be mended.
    Failed,
    /// The step could not run here and is allowed not to.
    Skipped,
}

impl Findings {
    /// Findings that consist of problems alone.
    pub(crate) fn from_problems(problems: Vec<String>) -> Self {
        Self { problems, ..Self::default() }
    }

    /// A step that did not run, and why.
    pub(crate) fn skip(reason: impl Into<String>) -> Self {
        Self { skipped: Some(reason.into()), ..Self::default() }
    }

    /// Problems outweigh a skip.
    pub(crate) fn verdict(&self) -> Verdict {
        if !self.problems.is_empty() {
            Verdict::Failed
        } else if self.skipped.is_some() {
            Verdict::Skipped
        } else {
            Verdict::Passed
        }
    }
}

impl Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Passed => "ok",
            Self::Failed => "FAILED",
            Self::Skipped => "skipped",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_outweigh_a_skip() {
        assert_eq!(Findings::default().verdict(), Verdict::Passed);
        let mut findings = Findings::skip("no compiler");
        assert_eq!(findings.verdict(), Verdict::Skipped);
        findings.problems.push("broken".into());
        assert_eq!(findings.verdict(), Verdict::Failed);
    }
}
