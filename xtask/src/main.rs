//! `cargo xtask`: the chores and checks of this repository.
//!
//! It stands beside the crates, not among them: it reads `cargo metadata`, `layers.toml`, `style.toml` and the
//! sources as text, and uses none of the libraries. People and machines run the same `cargo xtask check`.
#![expect(clippy::print_stdout, reason = "a command-line tool speaks on standard output")]

mod check;
mod findings;
mod layers;
mod lengths;
mod licence_texts;
mod metadata;
mod names;
mod notices;
mod shell;
mod sources;
mod spelling;
mod style;
mod typescript;
mod unsafe_code;
mod wasm;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const HELP: &str = "\
The chores and checks of Kiebitz

Usage: cargo xtask <COMMAND>

Commands:
  check [STEP…]      Run every check, or only the named steps
  notices [--write]  Print THIRD-PARTY.md as it should be, or write it
  generate           Write the TypeScript of the messages
  help               Print this text
";

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        // Not `Result` from `main`: a mistyped word deserves a sentence, not a stack trace.
        let _ = writeln!(io::stderr(), "error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = repository_root()?;
    match words.as_slice() {
        [] | ["help" | "--help" | "-h", ..] | [_, "--help" | "-h"] => {
            print!("{HELP}\n{}", check::help());
            Ok(ExitCode::SUCCESS)
        }
        ["check", steps @ ..] => check::run(&root, steps),
        ["notices"] => {
            print!("{}", notices::text(&root)?);
            Ok(ExitCode::SUCCESS)
        }
        ["notices", "--write"] => {
            notices::write(&root)?;
            Ok(ExitCode::SUCCESS)
        }
        ["generate"] => {
            typescript::write(&root)?;
            Ok(ExitCode::SUCCESS)
        }
        other => bail!("unknown arguments: {} (see cargo xtask help)", other.join(" ")),
    }
}

/// The folder above this package. Asked at run time, so that a moved checkout with an old build still finds itself.
fn repository_root() -> Result<PathBuf> {
    let package = std::env::var("CARGO_MANIFEST_DIR").context("start this through `cargo xtask`")?;
    let parent = PathBuf::from(package).parent().map(PathBuf::from);
    parent.context("the xtask package has no parent folder")
}
