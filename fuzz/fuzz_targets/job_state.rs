//! Any bytes as what an interrupted job has left: the journal of labels, and the state of a job in parts. No panic, and the job ends
//! with all of its chains, or says what is wrong.

#![no_main]

#[path = "../overlay.rs"]
mod overlay;

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use kiebitz_chess::Position;
use kiebitz_dataset::{
    Chain, ChainSource, DatasetError, Description, Format, LabelError, Link, OldScores, PartFate, PartLimit, Parts,
    Scorer, ScoringJob,
};
use libfuzzer_sys::fuzz_target;

/// A folder for each fuzzing process, in memory where there is such a place.
static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let place = parent.join(format!("kiebitz-fuzz-job-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a folder for files");
    place
});

const JOB: &str = "job";
const GAMES: usize = 4;

fn game(number: usize) -> Chain {
    let moves = Position::default().legal_moves();
    Chain { links: vec![Link::new(Some(moves[number])), Link { kept: false, ..Link::new(None) }], ..Chain::default() }
}

/// The games that are to be labelled.
static SHARD: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = PLACE.join("games.kbz");
    let mut sink = Format::Kiebitz.create(&path, &Description::default()).expect("a file");
    (0..GAMES).for_each(|number| sink.write(&game(number)).expect("a game"));
    sink.finish().expect("a complete file");
    path
});

/// Every sample is worth nothing.
struct Nothing;

impl Scorer for Nothing {
    fn scores(&mut self, chain: &Chain, _stop: &AtomicBool) -> Result<Option<Vec<i16>>, LabelError> {
        Ok(Some(vec![0; chain.samples()]))
    }
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// A header, and records of two bytes for the game, one for the number of scores, and the scores.
fn journal(mut rest: &[u8]) -> Vec<u8> {
    let mut bytes = with_checksum([&b"KBZJ"[..], &(JOB.len() as u32).to_le_bytes(), JOB.as_bytes()].concat());
    while let [low, high, count, behind @ ..] = rest {
        let game = u64::from(u16::from_le_bytes([*low, *high]));
        let (scores, behind) = behind.split_at(behind.len().min(2 * usize::from(*count)));
        // An odd byte at the end, or a count that is not that of the scores, is what the reader has to notice.
        bytes.extend(with_checksum([&game.to_le_bytes()[..], &u32::from(*count).to_le_bytes(), scores].concat()));
        rest = behind;
    }
    bytes.extend(rest);
    bytes
}

fn label(left: &[u8]) {
    let output = PLACE.join("labelled.kbz");
    fs::write(PLACE.join("labelled.kbz.labels"), left).expect("a file can be written");
    let job = ScoringJob {
        scorer: "nothing",
        identity: JOB,
        unit: "nothing",
        sources: &[],
        output: &output,
        scorers: NonZeroUsize::MIN,
        old_scores: OldScores::Replaced,
    };
    let open = || -> Result<Box<dyn ChainSource + Send>, DatasetError> { Format::Kiebitz.open(&SHARD) };
    let start = || -> Result<Box<dyn Scorer + Send>, LabelError> { Ok(Box::new(Nothing)) };
    if let Ok(labelled) = job.run(&open, &start, &AtomicBool::new(false), |_| ()) {
        assert_eq!(labelled.counts.chains, GAMES as u64);
    }
}

fn parts_output() -> PathBuf {
    PLACE.join("out.kbz")
}

fn open_parts() -> Result<Parts, DatasetError> {
    let limit = PartLimit { bytes: u64::MAX, samples: 1 };
    // Parts that are kept are never removed, whatever names a state has.
    let (format, fate) = (Format::Kiebitz, PartFate::Kept);
    Parts::open(format, &parts_output(), &Description::default(), limit, fate, serde_json::json!(JOB))
}

fn state_path() -> PathBuf {
    PLACE.join("out.kbz.state")
}

/// The state behind two parts.
static STATE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut parts = open_parts().expect("a new job");
    for number in 0..2 {
        parts.write(&game(number)).expect("a game");
        parts.unit_done(number as u64 + 1, || serde_json::json!(number)).expect("a part");
    }
    fs::read(state_path()).expect("a state")
});

fn go_on(left: &[u8]) {
    fs::write(state_path(), left).expect("a file can be written");
    let Ok(mut parts) = open_parts() else { return };
    let _ = parts.note();
    let done = usize::try_from(parts.consumed()).unwrap_or(GAMES).min(GAMES);
    for number in done..GAMES {
        parts.write(&game(number)).expect("a game");
        parts.unit_done(number as u64 + 1, || serde_json::json!(number)).expect("a part");
    }
    if let Ok(files) = parts.finish(|_, _| ()) {
        assert!(!files.is_empty() && !state_path().exists());
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let state = &*STATE;
    match choice % 4 {
        0 => label(rest),
        1 => label(&journal(rest)),
        2 => go_on(rest),
        _ => go_on(&overlay::overlay(state, rest)),
    }
});
