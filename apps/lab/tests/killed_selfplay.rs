//! Self-play that is killed again and again leaves the same bytes as one that is left in peace.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn start(folder: &Path, threads: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .args(["data", "selfplay", "--games", "48", "--shard-games", "8", "--nodes", "200", "--seed", "3"])
        .args(["--opening-nodes", "100", "--longest", "60", "--hash", "1", "--threads", threads, "--output"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn shards(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "kbz" || ending == "json"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn killed_selfplay_goes_on_where_it_was() {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed-selfplay");
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&scratch);
    let (peaceful, disturbed) = (scratch.join("peaceful"), scratch.join("disturbed"));
    let output = start(&peaceful, "1").wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = shards(&peaceful);
    assert_eq!(expected.len(), 7, "six shards and a manifest");

    let mut kills = 0;
    for wanted in [2, 3, 5] {
        let mut child = start(&disturbed, "2");
        let patience = Instant::now() + Duration::from_secs(60);
        while shards(&disturbed).len() <= wanted && child.try_wait().unwrap().is_none() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL on Unix: no chance to tidy up.
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "every run was over before it could be killed");
    let output = start(&disturbed, "3").wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(shards(&disturbed), expected);
}

#[test]
fn a_folder_has_one_set_of_rules() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("other-rules");
    let _ = fs::remove_dir_all(&folder);
    let play = |nodes: &str| {
        Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
            .args(["data", "selfplay", "--games", "1", "--shard-games", "1", "--nodes", nodes, "--hard-nodes", "500"])
            .args(["--opening-nodes", "0", "--longest", "5", "--hash", "1", "--output"])
            .arg(&folder)
            .output()
            .unwrap()
    };
    assert!(play("50").status.success());
    let refused = play("60");
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("`soft_nodes` was 50 and is 60 now"), "{message}");
    // A shard that was cut off is named, not trusted.
    let shard = folder.join("games-000000000.kbz");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() - 1]).unwrap();
    let refused = play("50");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("games-000000000.kbz"));
}
