//! Engines to be tested with: our mock, and Stockfish where it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use kiebitz_uci::EngineCommand;

/// The mock engine with a vice. It belongs to another crate, so cargo has not built it for us.
pub(crate) fn mock(vice: &str) -> EngineCommand {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        // …/<profile>/deps/<this test>
        let test = std::env::current_exe().expect("a test knows where it is");
        let folder = test.ancestors().nth(2).expect("tests lie two folders deep");
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(other) => other,
        };
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "kiebitz-uci", "--bin", "uci-mock-engine", "--profile", profile])
            .arg("--target-dir")
            .arg(folder.parent().unwrap_or(folder))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo started this test");
        let program = folder.join("uci-mock-engine").with_extension(std::env::consts::EXE_EXTENSION);
        assert!(build.success() && program.is_file(), "cannot build {}", program.display());
        program
    });
    EngineCommand::new(program).argument(vice)
}

/// What a test prints that needs Stockfish where there is none.
pub(crate) const NO_STOCKFISH: &str = "skipped: no stockfish is installed";

/// Stockfish, if it is installed.
pub(crate) fn stockfish() -> Option<EngineCommand> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).chain([PathBuf::from("/usr/games")]);
    let found = places.find_map(|folder| Some(folder.join("stockfish")).filter(|path| Path::is_file(path)));
    found.map(EngineCommand::new)
}
