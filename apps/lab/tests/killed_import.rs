//! Imports and conversions that are killed, cut off or short of space lose nothing that was finished.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "what a test cannot do without ends it, and it says what it skips"
)]

mod support;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{files, games, kill_when, lab, scratch, succeed};

fn import(place: &Path, games: &Path) -> Command {
    let mut command = lab();
    command.args(["data", "import", "--part-samples", "20000", "--threads", "2", "--output"]);
    command.arg(place.join("out.kbz")).arg(games);
    command
}

/// Kills a command whenever one more part is there, and lets it finish at last.
fn disturb(mut start: impl FnMut() -> Child, place: &Path) -> usize {
    let mut kills = 0;
    for wanted in [1, 3, 4] {
        let mut child = start();
        let patience = Instant::now() + Duration::from_secs(60);
        let parts = || {
            let names = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name());
            names.filter(|name| name.to_string_lossy().starts_with("out-0")).count()
        };
        while parts() < wanted && child.try_wait().unwrap().is_none() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        // SIGKILL on Unix: no chance to tidy up.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    succeed(&start().wait_with_output().unwrap());
    kills
}

#[test]
fn killed_imports_and_conversions_end_with_the_same_bytes() {
    let place = scratch("killed-import");
    let games_path = place.join("games.pgn");
    fs::write(&games_path, games(12)).unwrap();
    let (peaceful, disturbed) = (place.join("peaceful"), place.join("disturbed"));
    fs::create_dir_all(&peaceful).unwrap();
    fs::create_dir_all(&disturbed).unwrap();
    succeed(&import(&peaceful, &games_path).output().unwrap());
    let expected = files(&peaceful);
    assert!(expected.len() > 6, "{:?}", expected.keys());
    let kills = disturb(|| import(&disturbed, &games_path).spawn().unwrap(), &disturbed);
    assert!(kills > 0, "every import was over before it could be killed");
    assert_eq!(files(&disturbed).keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(files(&disturbed) == expected, "other bytes");

    let (quiet, loud) = (place.join("quiet"), place.join("loud"));
    fs::create_dir_all(&quiet).unwrap();
    fs::create_dir_all(&loud).unwrap();
    let convert = |to: &Path| {
        let mut command = lab();
        command.args(["data", "convert", "--part-samples", "20000", "--output"]).arg(to.join("out.epd"));
        command.args(expected.keys().filter(|name| name.ends_with(".kbz")).map(|name| peaceful.join(name)));
        command
    };
    succeed(&convert(&quiet).output().unwrap());
    let kills = disturb(|| convert(&loud).spawn().unwrap(), &loud);
    assert!(kills > 0, "every conversion was over before it could be killed");
    assert!(files(&quiet).len() > 6 && files(&loud) == files(&quiet), "other bytes");
}

#[test]
fn killed_shuffles_and_searches_for_equal_positions_end_with_the_same_bytes() {
    let place = scratch("killed-shuffle");
    let games_path = place.join("games.pgn");
    fs::write(&games_path, games(12)).unwrap();
    let (peaceful, disturbed) = (place.join("peaceful"), place.join("disturbed"));
    fs::create_dir_all(&peaceful).unwrap();
    fs::create_dir_all(&disturbed).unwrap();
    let unique = |to: &Path| {
        let mut command = lab();
        // A megabyte of memory for many more positions: each round reads the file again.
        command.args(["data", "import", "--unique", "--memory", "1", "--output"]).arg(to.join("unique.kbz"));
        command.arg(&games_path);
        command
    };
    let shuffle = |to: &Path, memory: &str| {
        let mut command = lab();
        command.args(["data", "shuffle", "--unit", "sample", "--seed", "5", "--memory", memory, "--output"]);
        command.arg(to.join("shuffled.kbz")).arg(place.join("all.kbz"));
        command
    };
    succeed(&lab().args(["data", "import", "--output"]).arg(place.join("all.kbz")).arg(&games_path).output().unwrap());
    succeed(&unique(&peaceful).output().unwrap());
    succeed(&shuffle(&peaceful, "4").output().unwrap());

    // While games are read, and while equal positions are looked for.
    let kills = ["unique.all.kbz.part00000.unfinished", "unique.all.kbz.json"]
        .map(|sign| kill_when(&mut unique(&disturbed), &disturbed.join(sign)));
    assert!(kills.contains(&true), "every import was over before it could be killed");
    succeed(&unique(&disturbed).output().unwrap());
    // With less memory there are more temporary files.
    let kills = [("1", "shuffled.kbz.pile20"), ("4", "shuffled.kbz.unfinished")]
        .map(|(memory, sign)| kill_when(&mut shuffle(&disturbed, memory), &disturbed.join(sign)));
    assert!(kills.contains(&true), "every shuffle was over before it could be killed");
    succeed(&shuffle(&disturbed, "4").output().unwrap());
    let expected = files(&peaceful);
    assert_eq!(files(&disturbed).keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(expected.len() == 4 && files(&disturbed) == expected, "other bytes");
}

#[test]
fn a_collection_that_is_cut_off_is_used_as_far_as_it_goes() {
    let place = scratch("cut-games");
    let text = games(1);
    let whole = place.join("whole.pgn");
    let cut = place.join("cut.pgn");
    fs::write(&whole, &text).unwrap();
    // In the middle of a move.
    let at = text.rfind("Rb1 Rg8").unwrap() + 2;
    fs::write(&cut, &text[..at]).unwrap();
    let chains = |games: &Path| {
        let output = lab()
            .args(["data", "import", "--json", "--output"])
            .arg(place.join("out.kbz"))
            .arg(games)
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        succeed(&output);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["chains"].as_u64().unwrap()
    };
    assert!(chains(&cut) >= chains(&whole) - 1);

    // Of a compressed file that is cut, all games before the cut are there, and the exit code tells.
    let packed = place.join("cut.pgn.zst");
    let frame = zstd::encode_all(text.as_bytes(), 1).unwrap();
    fs::write(&packed, [&frame[..], &frame[..frame.len() / 2]].concat()).unwrap();
    let output = lab()
        .args(["data", "import", "--json", "--output"])
        .arg(place.join("packed.kbz"))
        .arg(&packed)
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the complete games before were imported"));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["chains"].as_u64().unwrap() >= chains(&whole));
    succeed(&lab().args(["data", "stats"]).arg(place.join("packed.kbz")).output().unwrap());

    // A shard that is cut keeps its complete blocks, and says where it ends.
    let shard = place.join("out.kbz");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() - 10]).unwrap();
    let output = lab().args(["data", "convert", "--output"]).arg(place.join("again.kbz")).arg(&shard).output().unwrap();
    succeed(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cut off at byte"));
}

/// Needs the right to mount a small file system; skipped without.
#[test]
#[ignore = "mounts a small file system"]
fn a_full_disk_is_said_and_costs_nothing_that_was_finished() {
    let place = scratch("full-disk");
    let disk = place.join("disk");
    fs::create_dir_all(&disk).unwrap();
    let mount = |size: &str, how: &str| {
        let options = format!("{how}size={size}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&disk).output();
        mounted.is_ok_and(|output| output.status.success())
    };
    if !mount("700k", "") {
        eprintln!("skipped: no right to mount a file system");
        return;
    }
    let games_path = place.join("games.pgn");
    fs::write(&games_path, games(12)).unwrap();
    let refused = import(&disk, &games_path).output().unwrap();
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    let finished = files(&disk);
    let larger = mount("20m", "remount,");
    let second = import(&disk, &games_path).output().unwrap();
    let ended = files(&disk);
    let _ = Command::new("umount").arg(&disk).status();
    assert_eq!(refused.status.code(), Some(1));
    assert!(message.contains("No space left"), "{message}");
    let parts = finished.keys().filter(|name| name.starts_with("out-0") && name.ends_with(".kbz")).count();
    assert!(larger && parts > 0, "{:?}", finished.keys());
    succeed(&second);
    let peaceful = place.join("peaceful");
    fs::create_dir_all(&peaceful).unwrap();
    succeed(&import(&peaceful, &games_path).output().unwrap());
    let mut expected = files(&peaceful);
    assert!(expected.iter().all(|(name, bytes)| ended.get(name) == Some(bytes)), "other bytes");
    expected.retain(|name, _| !ended.contains_key(name));
    assert!(expected.is_empty());
}
