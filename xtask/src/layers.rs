//! The arrows between crates, compared with `layers.toml`.
//!
//! Cargo allows every arrow that is not a cycle. The picture in `ARCHITECTURE.md` allows fewer, and stays true
//! because this step refuses the others. Tests may use anything: development dependencies are exempt.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::findings::Findings;
use crate::metadata::{Metadata, Package};

/// `layers.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerTable {
    /// What each package may do, by package name.
    pub(crate) crates: BTreeMap<String, Layer>,
}

/// The permissions and duties of one package.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Layer {
    /// Packages of this workspace that it may depend on.
    may_use: Vec<String>,
    /// Packages that it may depend on except in the browser.
    #[serde(default)]
    may_use_natively: Vec<String>,
    /// Whether it may contain unsafe code.
    #[serde(default, rename = "unsafe")]
    pub(crate) may_be_unsafe: bool,
    /// Whether it must build for the browser.
    #[serde(default)]
    pub(crate) wasm: bool,
}

impl Layer {
    fn allowed(&self) -> impl Iterator<Item = &String> {
        self.may_use.iter().chain(&self.may_use_natively)
    }
}

impl LayerTable {
    /// Reads the table of this repository.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join("layers.toml")).context("cannot read layers.toml")?;
        toml::from_str(&text).context("cannot understand layers.toml")
    }
}

/// The step: every workspace package against its line in the table.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let table = LayerTable::read(root)?;
    let metadata = Metadata::of_workspace(root)?;
    Ok(Findings::from_problems(problems(&table, &metadata.packages)))
}

fn problems(table: &LayerTable, packages: &[Package]) -> Vec<String> {
    let exists = |name: &str| packages.iter().any(|package| package.name == name);
    let mut problems = Vec::new();
    for (name, layer) in &table.crates {
        if !exists(name) {
            problems.push(format!("layers.toml lists {name}, but the workspace has no such crate"));
        }
        for used in layer.allowed().filter(|used| !table.crates.contains_key(*used)) {
            problems.push(format!("layers.toml lets {name} use {used}, but has no line for {used}"));
        }
        problems.extend(browser_problems(table, name, layer));
    }
    for package in packages {
        let Some(layer) = table.crates.get(&package.name) else {
            problems.push(format!("{} is missing from layers.toml", package.name));
            continue;
        };
        for dependency in &package.dependencies {
            let exempt = dependency.kind.as_deref() == Some("dev") || !exists(&dependency.name);
            if !exempt && !layer.allowed().any(|used| *used == dependency.name) {
                problems.push(format!(
                    "{} uses {}, but layers.toml does not allow the arrow {} -> {}",
                    package.name, dependency.name, package.name, dependency.name
                ));
            }
        }
    }
    problems
}

/// A crate for the browser may only stand on crates for the browser.
fn browser_problems(table: &LayerTable, name: &str, layer: &Layer) -> Vec<String> {
    let elsewhere = |used: &&String| table.crates.get(*used).is_some_and(|below| !below.wasm);
    let sentence = |used: &String| format!("{name} must build for wasm, but may use {used}, which need not");
    if layer.wasm { layer.may_use.iter().filter(elsewhere).map(sentence).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn table(text: &str) -> LayerTable {
        toml::from_str(text).expect("a table")
    }

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency =
            |(name, kind): &(&str, Option<&str>)| Dependency { name: (*name).into(), kind: kind.map(String::from) };
        Package {
            id: name.into(),
            name: name.into(),
            version: "0.1.0".into(),
            license: None,
            source: None,
            manifest_path: format!("/somewhere/{name}/Cargo.toml").into(),
            dependencies: dependencies.iter().map(dependency).collect(),
            targets: Vec::new(),
        }
    }

    const RULES: &str = "
        [crates.kernels]
        may_use = []
        [crates.chess]
        may_use = ['kernels']
    ";

    #[test]
    fn allowed_arrows_pass() {
        let packages = [package("kernels", &[("libc", None)]), package("chess", &[("kernels", None)])];
        assert_eq!(problems(&table(RULES), &packages), Vec::<String>::new());
    }

    #[test]
    fn an_upward_arrow_is_named() {
        let packages = [package("kernels", &[("chess", None)]), package("chess", &[])];
        let found = problems(&table(RULES), &packages);
        assert_eq!(found, ["kernels uses chess, but layers.toml does not allow the arrow kernels -> chess"]);
    }

    #[test]
    fn development_dependencies_are_exempt_and_build_dependencies_are_not() {
        let packages = [package("kernels", &[("chess", Some("dev"))]), package("chess", &[])];
        assert_eq!(problems(&table(RULES), &packages).len(), 0);
        let packages = [package("kernels", &[("chess", Some("build"))]), package("chess", &[])];
        assert_eq!(problems(&table(RULES), &packages).len(), 1);
    }

    #[test]
    fn missing_and_stale_lines_are_named() {
        let packages = [package("kernels", &[]), package("pgn", &[])];
        let found = problems(&table(RULES), &packages);
        assert_eq!(
            found,
            ["layers.toml lists chess, but the workspace has no such crate", "pgn is missing from layers.toml"]
        );
    }

    #[test]
    fn a_permission_must_point_at_a_listed_crate() {
        let rules = table("[crates.chess]\nmay_use = ['kernel']");
        let found = problems(&rules, &[package("chess", &[])]);
        assert_eq!(found, ["layers.toml lets chess use kernel, but has no line for kernel"]);
    }

    #[test]
    fn the_browser_needs_the_browser_below_it() {
        let rules = table("[crates.a]\nmay_use = ['b']\nwasm = true\n[crates.b]\nmay_use = []");
        let found = problems(&rules, &[package("a", &[]), package("b", &[])]);
        assert_eq!(found, ["a must build for wasm, but may use b, which need not"]);
        let rules = table("[crates.a]\nmay_use = []\nmay_use_natively = ['b']\nwasm = true\n[crates.b]\nmay_use = []");
        assert_eq!(problems(&rules, &[package("a", &[("b", None)]), package("b", &[])]), Vec::<String>::new());
    }
}
