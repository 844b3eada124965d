//! A match whose player would silently play with another network than it was given is not played.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "what a test cannot do without ends it, and is said")]

use std::path::Path;
use std::process::Command;

#[test]
fn a_network_that_cannot_be_read_keeps_a_match_from_beginning() {
    let lab = Path::new(env!("CARGO_BIN_EXE_kiebitz-lab"));
    let engine = lab.with_file_name(format!("kiebitz{}", std::env::consts::EXE_SUFFIX));
    if !engine.is_file() {
        eprintln!("skipped: the engine was not built beside kiebitz-lab (cargo build -p kiebitz)");
        return;
    }
    let engine = engine.display();
    let play = |options: &str| {
        let first = format!("{engine},name=one,option.Evaluation=handcrafted{options}");
        let second = format!("{engine},name=two,option.Evaluation=handcrafted");
        Command::new(lab)
            .args(["match", "--nodes", "1", "--games", "2", "--longest", "4", "--engine", &first, "--engine", &second])
            .output()
            .unwrap()
    };
    assert!(play("").status.success());
    let refused = play(",option.EvalFile=/none.net");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{told}");
    assert!(told.contains("player one does not take what it is given: option 'EvalFile'"), "{told}");
}
