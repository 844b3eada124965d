//! The part of `cargo metadata` that the checks read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::shell;

/// Packages and, where it was asked for, how they hang together.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    /// Only present when dependencies were resolved.
    pub(crate) resolve: Option<Resolve>,
}

/// One package, of the workspace or from a registry.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The licence in SPDX form.
    pub(crate) license: Option<String>,
    /// None for packages of this repository.
    pub(crate) source: Option<String>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
}

/// Something that a package builds.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// `lib`, `bin`, `proc-macro`, `custom-build`, …
    pub(crate) kind: Vec<String>,
}

/// A dependency as the manifest declares it.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    /// The package's real name, whatever the manifest renames it to.
    pub(crate) name: String,
    /// None means a normal dependency; otherwise `dev` or `build`.
    pub(crate) kind: Option<String>,
}

/// The resolved graph.
#[derive(Debug, Deserialize)]
pub(crate) struct Resolve {
    pub(crate) nodes: Vec<Node>,
}

/// One package in the resolved graph.
#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) deps: Vec<NodeDependency>,
}

/// One arrow of the resolved graph.
#[derive(Debug, Deserialize)]
pub(crate) struct NodeDependency {
    pub(crate) pkg: String,
    pub(crate) dep_kinds: Vec<DependencyKind>,
}

/// Why an arrow of the resolved graph exists.
#[derive(Debug, Deserialize)]
pub(crate) struct DependencyKind {
    /// None means a normal dependency.
    pub(crate) kind: Option<String>,
}

impl Metadata {
    /// The packages of this workspace alone; needs nothing but the manifests.
    pub(crate) fn of_workspace(root: &Path) -> Result<Self> {
        Self::read(root, &["--no-deps"])
    }

    /// All packages as resolved for one target, so that every machine sees the same list.
    pub(crate) fn resolved_for(root: &Path, target: &str) -> Result<Self> {
        Self::read(root, &["--filter-platform", target])
    }

    fn read(root: &Path, options: &[&str]) -> Result<Self> {
        let mut command = shell::cargo(root);
        let text = shell::output_of(command.args(["metadata", "--format-version", "1"]).args(options))?;
        serde_json::from_str(&text).context("cannot understand cargo metadata")
    }

    /// Packages by their identifier.
    pub(crate) fn by_id(&self) -> HashMap<&str, &Package> {
        self.packages.iter().map(|package| (package.id.as_str(), package)).collect()
    }
}

impl Package {
    /// Whether the package runs inside the compiler, and so leaves nothing of itself in a program.
    pub(crate) fn is_macro(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
    }

    /// The folder that holds the manifest.
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(Path::new(""))
    }
}
