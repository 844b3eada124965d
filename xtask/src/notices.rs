//! `THIRD-PARTY.md`: what other people's work is inside the programs we ship.
//!
//! The list follows the normal dependencies of the packages under `apps/`; what only builds or tests, macros
//! included, is left out.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::findings::Findings;
use crate::licence_texts;
use crate::metadata::{Metadata, Node, Package};

const FILE: &str = "THIRD-PARTY.md";

/// Releases are built for this target, so its dependencies are the ones that are shipped.
const SHIPPED_TARGET: &str = "x86_64-unknown-linux-gnu";

const HEADER: &str = "\
# Third-party software

<!-- Written by `cargo xtask notices --write`; `cargo xtask check generated` fails when this file is stale. -->

Kiebitz is free software under the GNU General Public License, version 3 or later. Its programs contain the
Rust standard library (MIT OR Apache-2.0) and the following libraries, each under its own licence. Their authors
have our thanks. The texts of the licences follow the table.

| library | version | licence |
|---|---|---|
";

/// The step: the committed file must be the one we would write.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let expected = text(root)?;
    // A missing file is a stale file.
    let present = fs::read_to_string(root.join(FILE)).unwrap_or_default();
    let problem = || format!("{FILE} is stale; run `cargo xtask notices --write`");
    Ok(Findings::from_problems(if present == expected { Vec::new() } else { vec![problem()] }))
}

/// Writes the file.
pub(crate) fn write(root: &Path) -> Result<()> {
    fs::write(root.join(FILE), text(root)?).with_context(|| format!("cannot write {FILE}"))
}

/// The file as it should be.
pub(crate) fn text(root: &Path) -> Result<String> {
    let metadata = Metadata::resolved_for(root, SHIPPED_TARGET)?;
    let apps = root.join("apps").canonicalize().context("there is no apps folder")?;
    let is_app = |package: &&Package| package.source.is_none() && package.folder().starts_with(&apps);
    let roots: Vec<&str> = metadata.packages.iter().filter(is_app).map(|package| package.id.as_str()).collect();
    let nodes = &metadata.resolve.as_ref().context("cargo metadata resolved nothing")?.nodes;
    let by_id = metadata.by_id();
    let mut shipped: Vec<&Package> =
        reachable(&roots, nodes, |id| by_id.get(id).is_some_and(|package| package.is_macro()))
            .iter()
            .filter_map(|id| by_id.get(id).copied())
            .filter(|package| package.source.is_some())
            .collect();
    shipped.sort_by_key(|package| (&package.name, &package.version));
    Ok(table(&shipped) + &licence_texts::sections(shipped.iter().copied())?)
}

/// Everything that the roots reach over normal dependencies without passing through something to be left out.
fn reachable<'a>(roots: &[&'a str], nodes: &'a [Node], left_out: impl Fn(&str) -> bool) -> HashSet<&'a str> {
    let by_id: HashMap<&str, &Node> = nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let mut found = HashSet::new();
    let mut waiting = roots.to_vec();
    while let Some(id) = waiting.pop() {
        if !left_out(id) && found.insert(id) {
            let dependencies = by_id.get(id).into_iter().flat_map(|node| &node.deps);
            let normal = dependencies.filter(|dependency| dependency.dep_kinds.iter().any(|why| why.kind.is_none()));
            waiting.extend(normal.map(|dependency| dependency.pkg.as_str()));
        }
    }
    found
}

fn table(packages: &[&Package]) -> String {
    let mut text = String::from(HEADER);
    for package in packages {
        let licence = package.license.as_deref().unwrap_or("see below");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {} | {licence} |", package.name, package.version);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{DependencyKind, NodeDependency};

    fn node(id: &str, arrows: &[(&str, Option<&str>)]) -> Node {
        let arrow = |(to, kind): &(&str, Option<&str>)| NodeDependency {
            pkg: (*to).into(),
            dep_kinds: vec![DependencyKind { kind: kind.map(String::from) }],
        };
        Node { id: id.into(), deps: arrows.iter().map(arrow).collect() }
    }

    #[test]
    fn only_what_is_shipped_is_reached() {
        let nodes = [
            node("app", &[("clap", None), ("insta", Some("dev")), ("cc", Some("build")), ("derive", None)]),
            node("clap", &[("anstream", None)]),
            node("derive", &[("syn", None)]),
        ];
        let found = reachable(&["app"], &nodes, |id| id == "derive");
        assert_eq!(found, HashSet::from(["app", "clap", "anstream"]));
    }

    #[test]
    fn every_library_has_its_row() {
        let package = Package {
            id: "zstd".into(),
            name: "zstd".into(),
            version: "1.0.0".into(),
            license: Some("MIT".into()),
            source: Some("registry".into()),
            manifest_path: "Cargo.toml".into(),
            dependencies: Vec::new(),
            targets: Vec::new(),
        };
        assert!(table(&[&package]).ends_with("| zstd | 1.0.0 | MIT |\n"));
    }
}
