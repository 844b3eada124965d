//! What `--help` and the README tell to do can be done.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use support::{lab, succeed};

/// Who copies an example should find its recipe.
#[test]
fn the_recipes_of_all_examples_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let helps = [vec!["train"], vec!["forge"], vec!["study"], vec!["train-speed"], vec!["net", "loss"]].map(|words| {
        let output = lab().stdout(Stdio::piped()).args(words).arg("--help").output().unwrap();
        succeed(&output);
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut recipes = 0;
    for text in helps.iter().chain([&readme]) {
        for word in text.split_whitespace().filter(|word| word.starts_with("runs/") && word.ends_with(".toml")) {
            assert!(root.join(word).is_file(), "{word} does not exist");
            recipes += 1;
        }
    }
    assert!(recipes >= 8, "only {recipes} found");
}
