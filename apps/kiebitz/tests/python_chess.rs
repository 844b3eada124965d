//! A second witness: python-chess plays games with the engine and checks everything it says.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn python_chess_finds_nothing_wrong_in_whole_games() {
    let python = std::env::var_os("KIEBITZ_PYTHON").filter(|path| !path.is_empty()).map(PathBuf::from);
    let usable = |python: &PathBuf| {
        Command::new(python).args(["-c", "import chess.engine"]).status().is_ok_and(|status| status.success())
    };
    let Some(python) = python.filter(usable) else {
        eprintln!("skipped: KIEBITZ_PYTHON is not set, or has no python-chess");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/games.py");
    let output = Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_kiebitz")).output().unwrap();
    let (told, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{complained}");
    eprintln!("{}", told.trim_end());
}
