//! Walks, divisions and triplets that are killed leave nothing half-written, and a rerun has the bytes of a run in peace.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{files, games, kill_when, lab, scratch, succeed};

/// A folder with a shard of games, and two folders to work in.
fn place(name: &str, megabytes: usize) -> (PathBuf, PathBuf, PathBuf) {
    let place = scratch(name);
    let (pgn, shard) = (place.join("games.pgn"), place.join("games.kbz"));
    fs::write(&pgn, games(megabytes)).unwrap();
    succeed(&lab().args(["data", "import", "--output"]).arg(&shard).arg(&pgn).output().unwrap());
    let (peaceful, disturbed) = (place.join("peaceful"), place.join("disturbed"));
    fs::create_dir_all(&peaceful).unwrap();
    fs::create_dir_all(&disturbed).unwrap();
    (shard, peaceful, disturbed)
}

/// What stands under the name of an output is complete, whenever the command was killed.
fn assert_complete(disturbed: &Path, expected: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files(disturbed) {
        let is_unfinished = [".unfinished", ".state"].iter().any(|ending| name.ends_with(ending));
        assert!(is_unfinished || expected.get(&name) == Some(&bytes), "{name} is not what it has to become");
    }
}

/// Kills a command whenever one of these files is there, and lets it finish at last.
fn end_alike(signs: &[&str], command: impl Fn(&Path) -> Command, peaceful: &Path, disturbed: &Path) {
    succeed(&command(peaceful).output().unwrap());
    let expected = files(peaceful);
    let mut kills = 0;
    for sign in signs {
        kills += usize::from(kill_when(&mut command(disturbed), &disturbed.join(sign)));
        assert_complete(disturbed, &expected);
    }
    assert!(kills > 0, "every run was over before it could be killed");
    succeed(&command(disturbed).output().unwrap());
    assert_eq!(files(disturbed).keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(files(disturbed) == expected, "other bytes");
}

#[test]
fn killed_walks_go_on_where_they_were() {
    let (shard, peaceful, disturbed) = place("killed-walk", 1);
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/small.net.gz");
    let walk = |to: &Path| {
        let mut command = lab();
        command.args(["data", "walk", "--part-samples", "10000", "--threads", "2", "--seed", "4", "--net"]).arg(&net);
        command.arg("--output").arg(to.join("out.kbz")).arg(&shard);
        command
    };
    end_alike(&["out-00000.kbz", "out-00001.kbz", "out-00003.kbz"], walk, &peaceful, &disturbed);
    assert!(files(&peaceful).len() > 4, "several parts and a manifest");
}

#[test]
fn killed_divisions_leave_no_half_of_a_file() {
    let (shard, peaceful, disturbed) = place("killed-split", 12);
    let split = |to: &Path| {
        let mut command = lab();
        command.args(["data", "split", "--share", "0.5", "--seed", "2", "--train"]).arg(to.join("train.kbz"));
        command.arg("--validation").arg(to.join("validation.kbz")).arg(&shard);
        command
    };
    end_alike(&["train.kbz.unfinished", "validation.kbz.unfinished"], split, &peaceful, &disturbed);
    let written = files(&peaceful);
    assert_eq!(written.len(), 4, "two shards with manifests");
    assert!(["train.kbz", "validation.kbz"].iter().all(|name| written[*name].len() > 10_000), "both sides have games");
}

#[test]
fn killed_triplets_leave_no_half_of_a_file() {
    let (shard, peaceful, disturbed) = place("killed-pqr", 2);
    let triplets = |to: &Path| {
        let mut command = lab();
        command.args(["data", "pqr", "--seed", "2", "--output"]).arg(to.join("games.pqr")).arg(&shard);
        command
    };
    end_alike(&["games.pqr.unfinished", "games.pqr.unfinished"], triplets, &peaceful, &disturbed);
    assert_eq!(files(&peaceful).len(), 1);
}
