//! Collections of EPDs: well-kept ones are read to the last move, all others at least without harm.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they skip")]

mod support;

use std::path::PathBuf;

use kiebitz_chess::Epd;
use support::round_trips;

/// Every line a legal position, every move legal.
const WELL_KEPT: [&str; 13] = [
    "bt2630.epd",
    "ecmgcp.epd",
    "eet.epd",
    "endgame-dm-4.epd",
    "endgame-dm-5.epd",
    "endgame.epd",
    "fischer.epd",
    "iq4.epd",
    "KRvK1000.epd",
    "lapuce2.epd",
    "pet.epd",
    "standard.epd",
    "wacnew.epd",
];

/// Every EPD file below the suites' folder.
fn epd_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = support::data("suites").into_iter().collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "epd") {
                files.push(path);
            }
        }
    }
    files
}

/// What is wrong with a line.
fn problem(line: &str) -> Option<String> {
    let epd: Epd = match line.parse() {
        Ok(epd) => epd,
        Err(error) => return Some(error.to_string()),
    };
    for opcode in ["bm", "am"] {
        // Collections of mates write their length, `bm #3`.
        let is_length = epd.text(opcode).is_some_and(|text| text.starts_with('#'));
        match epd.moves(opcode) {
            Err(error) if !is_length => return Some(error.to_string()),
            _ => {}
        }
    }
    None
}

#[test]
fn every_line_is_read() {
    let problems = support::in_parallel(epd_files(), |file| {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let well_kept = WELL_KEPT.contains(&name.as_str());
        let mut problems = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            round_trips::epd(line);
            if well_kept && let Some(problem) = problem(line) {
                problems.push(format!("{name}, line {}: {problem}: {line}", number + 1));
            }
        }
        problems
    });
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    assert!(problems.is_empty(), "{} lines, among them {:#?}", problems.len(), &problems[..problems.len().min(20)]);
}
