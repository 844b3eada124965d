//! The build script of both programs: tells them what `--version` says.
//!
//! Prints `KIEBITZ_VERSION`, such as `0.1.0 (1a2b3c4, rustc 1.95.0)`. Outside a checkout of this repository the
//! commit is `unknown`, even when the archive was unpacked inside somebody else's repository.
#![expect(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const UNKNOWN: &str = "unknown";

fn main() {
    let package = env::var("CARGO_PKG_VERSION").unwrap_or_else(|_| UNKNOWN.into());
    let commit = commit().unwrap_or_else(|| UNKNOWN.into());
    let compiler = compiler().unwrap_or_else(|| UNKNOWN.into());
    println!("cargo::rustc-env=KIEBITZ_VERSION={package} ({commit}, rustc {compiler})");
    println!("cargo::rerun-if-changed=../version.rs");
}

/// The short name of the checked-out commit; also asks cargo to come back when it moves.
fn commit() -> Option<String> {
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    let here = Path::new("../..").canonicalize().ok()?;
    if top != here {
        return None;
    }
    // Git knows where these are in a worktree, too. A branch moves inside refs/heads, or in packed-refs.
    for name in ["HEAD", "refs/heads", "packed-refs"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        // Cargo takes a watched path that does not exist for one that always changes.
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=7", "--verify", "HEAD"])
}

fn compiler() -> Option<String> {
    let text = output_of(Command::new(env::var_os("RUSTC")?).arg("--version"))?;
    text.split_whitespace().nth(1).map(String::from)
}

fn git(arguments: &[&str]) -> Option<String> {
    output_of(Command::new("git").args(arguments))
}

fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
