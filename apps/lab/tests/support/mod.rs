//! What the tests share that kill the program: games for it to read, and ways to kill it.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) fn lab() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

pub(crate) fn succeed(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Everything in a folder but the games.
pub(crate) fn files(place: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(place).unwrap().map(Result::unwrap);
    let entries = entries.filter(|entry| entry.path().extension().is_none_or(|ending| ending != "pgn"));
    entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())).collect()
}

/// Games that differ from each other, many megabytes of them.
pub(crate) fn games(megabytes: usize) -> String {
    let openings = ["e4 e5 2. Nf3 Nc6 3. Bb5 a6", "d4 d5 2. c4 e6 3. Nc3 Nf6", "c4 e5 2. Nc3 Nf6 3. g3 d5"];
    let middle = "4. a3 h6 5. h3 { [%clk 0:01:00] } g6 6. Rb1 Rg8 7. Ra1 Rh8 8. Rb1 Rg8";
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= megabytes << 20 {
            break;
        }
        let opening = openings[number % 3];
        let rating = 1_000 + number % 1_500;
        text += &format!("[WhiteElo \"{rating}\"]\n[BlackElo \"{rating}\"]\n\n1. {opening} {middle} 1-0\n\n");
    }
    text
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// Kills a command as soon as a file is there, and tells whether that ended it.
pub(crate) fn kill_when(command: &mut Command, file: &Path) -> bool {
    let mut child = command.spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !file.exists() && child.try_wait().unwrap().is_none() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL on Unix: no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}
