//! Running other programs, quietly unless they fail.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::findings::Findings;

/// The cargo that started us, so that `cargo +toolchain xtask` stays with its toolchain.
pub(crate) fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// A passed step when the command succeeds; otherwise its whole output as the problem.
pub(crate) fn must_pass(command: &mut Command) -> Result<Findings> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if output.status.success() {
        return Ok(Findings::default());
    }
    let text = [output.stdout, output.stderr].concat();
    Ok(Findings::from_problems(vec![String::from_utf8_lossy(&text).into_owned()]))
}

/// Standard output of a command that has to succeed.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} did not print text"))
}
