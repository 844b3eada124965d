//! `cargo xtask check`: the steps in order, one line each.
//!
//! Every step runs even when an earlier one failed, so that one run shows everything there is to mend.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::findings::{Findings, Verdict};
use crate::{layers, lengths, names, notices, shell, spelling, typescript, unsafe_code, wasm};

/// One check: its name on the command line, what it looks at, and the function that does it.
struct Step {
    name: &'static str,
    meaning: &'static str,
    run: fn(&Path) -> Result<Findings>,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", meaning: "sources are formatted", run: formatting },
    Step { name: "clippy", meaning: "no lint speaks up", run: clippy },
    Step { name: "builds", meaning: "programs build without CUDA, and with tunable numbers", run: builds },
    Step { name: "docs", meaning: "documentation builds without a warning", run: documentation },
    Step { name: "layers", meaning: "crates use only what layers.toml allows", run: layers::check },
    Step { name: "unsafe", meaning: "unsafe code stays in the crates that may hold it", run: unsafe_code::check },
    Step { name: "wasm", meaning: "the crates marked so build for the browser", run: wasm::check },
    Step { name: "generated", meaning: "generated files are up to date", run: generated },
    Step { name: "lengths", meaning: "no source file has grown too long", run: lengths::check },
    Step { name: "names", meaning: "no file has a name that says nothing", run: names::check },
    Step { name: "spelling", meaning: "one spelling per word", run: spelling::check },
];

/// The list of steps for the help text.
pub(crate) fn help() -> String {
    let line = |step: &Step| format!("  {:<10} {}\n", step.name, step.meaning);
    format!("Steps:\n{}", STEPS.iter().map(line).collect::<String>())
}

/// Runs the named steps (all of them when none is named) and reports success or failure as an exit code.
pub(crate) fn run(root: &Path, names: &[&str]) -> Result<ExitCode> {
    let known = |name: &&str| STEPS.iter().any(|step| step.name == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        bail!("there is no step called {unknown:?}\n\n{}", help());
    }
    let wanted = |step: &&Step| names.is_empty() || names.contains(&step.name);
    let mut failed = Vec::new();
    for step in STEPS.iter().filter(wanted) {
        let start = Instant::now();
        // A step that could not do its work has failed too, and must not hide the steps after it.
        let findings = (step.run)(root).unwrap_or_else(|error| Findings::from_problems(vec![format!("{error:#}")]));
        report(step.name, &findings, start.elapsed().as_secs_f64());
        if findings.verdict() == Verdict::Failed {
            failed.push(step.name);
        }
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("failed: {}", failed.join(", "));
    Ok(ExitCode::FAILURE)
}

fn report(name: &str, findings: &Findings, seconds: f64) {
    println!("{name:<10} {:<8} {seconds:>6.1} s", findings.verdict());
    let skipped = findings.skipped.iter().map(|reason| ("skipped", reason));
    let warnings = findings.warnings.iter().map(|warning| ("warning", warning));
    let problems = findings.problems.iter().map(|problem| ("problem", problem));
    for (kind, text) in skipped.chain(warnings).chain(problems) {
        println!("  {kind}: {}", text.trim_end().replace('\n', "\n  "));
    }
}

fn formatting(root: &Path) -> Result<Findings> {
    shell::must_pass(shell::cargo(root).args(["fmt", "--all", "--check"]))
}

fn clippy(root: &Path) -> Result<Findings> {
    shell::must_pass(shell::cargo(root).args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Features that no other step builds with.
fn builds(root: &Path) -> Result<Findings> {
    let mut findings = Findings::default();
    for arguments in [["--package=kiebitz-lab", "--no-default-features"], ["--package=kiebitz", "--features=tune"]] {
        findings.problems.extend(shell::must_pass(shell::cargo(root).arg("check").args(arguments))?.problems);
    }
    Ok(findings)
}

fn documentation(root: &Path) -> Result<Findings> {
    let mut command = shell::cargo(root);
    shell::must_pass(command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn generated(root: &Path) -> Result<Findings> {
    let mut findings = notices::check(root)?;
    findings.problems.extend(typescript::check(root)?.problems);
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_names_are_unique_and_in_the_help() {
        let text = help();
        for (index, step) in STEPS.iter().enumerate() {
            assert!(STEPS[..index].iter().all(|earlier| earlier.name != step.name));
            assert!(text.contains(step.name));
        }
    }

    #[test]
    fn an_unknown_step_is_refused() {
        let error = run(Path::new("."), &["laters"]).expect_err("no such step");
        assert!(error.to_string().contains("laters"));
    }
}
