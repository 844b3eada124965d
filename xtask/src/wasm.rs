//! The crates of the browser build for `wasm32-unknown-unknown`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::findings::Findings;
use crate::layers::LayerTable;
use crate::shell;

const TARGET: &str = "wasm32-unknown-unknown";

/// The step: builds every crate marked `wasm = true`, fetching the target's standard library when it is missing.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let table = LayerTable::read(root)?;
    let names: Vec<&String> = table.crates.iter().filter(|(_, layer)| layer.wasm).map(|(name, _)| name).collect();
    if names.is_empty() {
        return Ok(Findings::skip("layers.toml marks no crate with wasm = true"));
    }
    if !target_is_installed()? && !install_target() {
        let reason = format!("the target {TARGET} is not installed and rustup could not add it");
        // A person may work offline; the shared check must not quietly lose a step.
        let in_ci = std::env::var_os("CI").is_some();
        return Ok(if in_ci { Findings::from_problems(vec![reason]) } else { Findings::skip(reason) });
    }
    let mut command = shell::cargo(root);
    command.args(["build", "--quiet", "--target", TARGET]);
    command.args(names.iter().flat_map(|name| ["--package", name.as_str()]));
    // Flags for the machine at hand, such as its CPU, mean nothing in the browser.
    shell::must_pass(command.env_remove("RUSTFLAGS"))
}

fn target_is_installed() -> Result<bool> {
    let sysroot = shell::output_of(Command::new("rustc").args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(sysroot.trim()).join("lib/rustlib").join(TARGET).join("lib").is_dir())
}

fn install_target() -> bool {
    let result = Command::new("rustup").args(["target", "add", TARGET]).output();
    result.is_ok_and(|output| output.status.success())
}
