//! The built program as test frameworks call it.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

use std::process::{Command, Stdio};

use kiebitz_chess::Position;

/// What the program prints, with nothing to read and these arguments; it must end by itself and well.
#[track_caller]
fn output_of(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kiebitz")).args(arguments).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn positions(output: &str) -> Vec<Position> {
    let fens = output.lines().filter_map(|line| line.strip_prefix("info string genfens "));
    fens.map(|fen| fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))).collect()
}

/// OpenBench runs `./engine "genfens N seed S book None|PATH" "quit"` and reads the lines.
#[test]
fn genfens_works_as_openbench_calls_it() {
    let first = output_of(&["genfens 10 seed 1 book None", "quit"]);
    assert_eq!(positions(&first).len(), 10, "{first}");
    assert_eq!(first, output_of(&["genfens 10 seed 1 book None", "quit"]), "the same seed, the same positions");
    assert_ne!(first, output_of(&["genfens 10 seed 2 book None", "quit"]));

    let book = std::env::temp_dir().join(format!("kiebitz-genfens-{}.epd", std::process::id()));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1 ; pawns\n\n").unwrap();
    let from_book = output_of(&[&format!("genfens 3 seed 1 book {}", book.display()), "quit"]);
    let pawns = positions(&from_book);
    assert!(pawns.len() == 3 && pawns.iter().all(|position| position.occupied().len() <= 18), "{from_book}");

    // A side without anything but its king is lost, whatever is played first.
    std::fs::write(&book, "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\n").unwrap();
    let hopeless = output_of(&[&format!("genfens 3 seed 1 book {}", book.display()), "quit"]);
    std::fs::remove_file(&book).unwrap();
    assert!(hopeless.starts_with("info string genfens failed: the last 500 positions from "), "{hopeless}");
    assert_eq!(hopeless.lines().count(), 1, "{hopeless}");

    let missing = output_of(&["genfens 3 seed 1 book /nowhere/at/all.epd", "quit"]);
    assert!(missing.contains("info string genfens failed: cannot read /nowhere/at/all.epd"), "{missing}");
}

/// OpenBench runs `./engine "setoption name EvalFile value NETWORK" bench quit` for engines whose network is not built in, and
/// puts the same words before `genfens`.
#[test]
fn bench_and_genfens_take_the_network_that_was_set() {
    let small = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/small.net.gz");
    let eval_file = format!("setoption name EvalFile value {small}");
    let signature = |arguments: &[&str]| {
        let text = output_of(arguments);
        text.lines().find(|line| line.starts_with("Nodes searched")).map(str::to_owned).expect(&text)
    };
    let of_the_small_one = signature(&[&eval_file, "bench 4", "quit"]);
    assert_ne!(of_the_small_one, signature(&["bench", "4"]));
    assert_eq!(of_the_small_one, signature(&[&eval_file, "setoption name Hash value 1", "bench 4", "quit"]));
    let handcrafted = signature(&["setoption name Evaluation value handcrafted", "bench 4"]);
    assert!(handcrafted != of_the_small_one && handcrafted != signature(&["bench", "4"]));
    assert_eq!(positions(&output_of(&[&eval_file, "genfens 3 seed 1 book None", "quit"])).len(), 3);
}

#[test]
fn a_speedtest_measures_every_number_of_threads() {
    let text = output_of(&["speedtest", "--threads", "3", "--hash", "1", "--seconds", "0.2", "--json"]);
    let threads: Vec<&str> = text.lines().filter_map(|line| line.split([':', ',']).nth(1)).collect();
    assert_eq!(threads, ["1", "2", "3"], "{text}");
    assert!(text.lines().all(|line| !line.contains("\"nodes\":0,")), "{text}");
    assert_eq!(output_of(&["speedtest", "--threads", "1", "--hash", "1", "--seconds", "0.1"]).lines().count(), 1);
    for senseless in ["nan", "inf", "-1"] {
        let program =
            Command::new(env!("CARGO_BIN_EXE_kiebitz")).args(["speedtest", &format!("--seconds={senseless}")]).output();
        let output = program.unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{senseless}: {output:?}");
    }
}

/// OpenBench runs `make EXE=NAME EVALFILE=NETWORK` and expects the engine under that name. What Cargo would do is only noted.
#[cfg(unix)]
#[test]
fn make_builds_the_engine_under_the_name_and_with_the_network_that_were_asked_for() {
    use std::os::unix::fs::PermissionsExt;

    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let Ok(version) = Command::new("make").arg("--version").output() else {
        eprintln!("skipped: no make");
        return;
    };
    assert!(version.status.success());
    let folder = std::env::temp_dir().join(format!("kiebitz-make-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("release")).unwrap();
    let (cargo, engine) = (folder.join("cargo"), folder.join("engine"));
    let script = "#!/bin/sh\necho \"$EVALFILE: $*\" > \"$CARGO_TARGET_DIR/release/kiebitz\"\n";
    std::fs::write(&cargo, script).unwrap();
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
    let made = Command::new("make")
        .current_dir(root)
        .env("CARGO_TARGET_DIR", &folder)
        .arg(format!("CARGO={}", cargo.display()))
        .arg(format!("EXE={}", engine.display()))
        .arg("EVALFILE=nets/small.net.gz")
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let noted = std::fs::read_to_string(&engine).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(noted.contains("nets/small.net.gz: build --release --package kiebitz"), "{noted}");
}
