//! `style.toml`: the rules for names, lengths and spelling that a machine can check.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Style {
    pub(crate) names: Names,
    pub(crate) lengths: Lengths,
    pub(crate) spelling: Spelling,
}

/// Names that say nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    /// Names of files and folders, without extension; a trailing `*` stands for any ending.
    pub(crate) forbidden: Vec<String>,
}

/// How long a source file may be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lengths {
    /// Files with more lines get a warning.
    pub(crate) warn: usize,
    /// Files with more lines fail the check.
    pub(crate) fail: usize,
    /// Files that may be longer, each with the reason.
    #[serde(default)]
    pub(crate) exceptions: BTreeMap<String, String>,
}

/// Words with one accepted spelling.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spelling {
    /// The beginning of a refused spelling, in lower case, and what we write instead.
    pub(crate) words: BTreeMap<String, String>,
    /// Files that must name somebody else's spelling, each with the reason.
    #[serde(default)]
    pub(crate) exceptions: BTreeMap<String, String>,
}

impl Style {
    /// Reads the rules of this repository.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join("style.toml")).context("cannot read style.toml")?;
        toml::from_str(&text).context("cannot understand style.toml")
    }
}
