//! Import agrees with python-chess, move for move, clock for clock, evaluation for evaluation.
//!
//! `KIEBITZ_PYTHON` names a Python that has python-chess (`make set-up` installs it).

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests say what they skip, and may fail loudly")]

mod support;

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use kiebitz_chess::{CastlingForm, Color, Score};
use kiebitz_dataset::{Chain, ChainDecoder, ImportReport, ImportRules, import};
use kiebitz_pgn::Source;
use support::data;

/// Bytes of games: about 250 with clocks and evaluations.
const BYTES: u64 = 1 << 20;

/// The beginning of a collection, up to its last complete game.
fn beginning(file: &str) -> Option<Vec<u8>> {
    let decoder = zstd::Decoder::new(File::open(data(file)?).unwrap()).unwrap();
    let mut bytes = Vec::new();
    decoder.take(BYTES).read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(8).rposition(|window| window == b"\n\n[Event").unwrap();
    bytes.truncate(end + 2);
    Some(bytes)
}

/// A game in the words of the script.
fn words(chain: &Chain) -> String {
    let mut plies: Vec<(String, Option<u32>, Option<i16>)> = Vec::new();
    chain.visit(|position, link| {
        // A score belongs to the position, and the script says it behind the move that led there.
        if let Some((_, _, score)) = plies.last_mut() {
            *score = link.score.map(|score| if position.side_to_move() == Color::White { score } else { -score });
        }
        if let Some(mv) = link.mv {
            plies.push((position.uci(mv, CastlingForm::KingMove), link.clock, None));
        }
    });
    let score = |score: Option<i16>| match score.map(i32::from) {
        None => "-".to_owned(),
        Some(value) if value >= Score::MATE.value() - 1_000 => format!("#{}", (Score::MATE.value() - value + 1) / 2),
        Some(value) if value <= 1_000 - Score::MATE.value() => format!("#-{}", (Score::MATE.value() + value + 1) / 2),
        Some(value) => value.to_string(),
    };
    let clock = |clock: Option<u32>| clock.map_or("-".to_owned(), |clock| clock.to_string());
    let ply =
        |(mv, time, value): &(String, Option<u32>, Option<i16>)| format!("{mv} {} {}", clock(*time), score(*value));
    plies.iter().map(ply).collect::<Vec<_>>().join(" ")
}

#[test]
fn games_are_read_as_python_chess_reads_them() {
    let Some(python) = std::env::var_os("KIEBITZ_PYTHON").filter(|path| !path.is_empty()) else {
        eprintln!("skipped: KIEBITZ_PYTHON is not set");
        return;
    };
    for file in ["games/lichess_misc_clk_eval_train.pgn.zst", "games/twic_otb_1998-2022_train_a.pgn.zst"] {
        let Some(games) = beginning(file) else { return };
        let mut child = Command::new(&python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/import.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let text = games.clone();
        let writer = std::thread::spawn(move || input.write_all(&text));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stdout).unwrap();
        let theirs: Vec<&str> = said.lines().filter(|line| !line.is_empty() && *line != "broken").collect();

        let mut report = ImportReport::default();
        let mut bytes = Vec::new();
        let threads = NonZeroUsize::new(2).unwrap();
        import(Source::from_reader(file, &games[..]), &ImportRules::default(), threads, &mut report, |chains| {
            bytes.extend(chains.bytes);
            ControlFlow::Continue(())
        })
        .unwrap();
        let (mut decoder, mut chain, mut ours) = (ChainDecoder::new(&bytes), Chain::default(), Vec::new());
        while decoder.next_chain(&mut chain).unwrap() {
            ours.push(words(&chain));
        }
        assert!(ours.len() > 100, "{} games of {file}", ours.len());
        assert_eq!(ours.len(), theirs.len(), "{file}");
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(ours, theirs, "game {number} of {file}");
        }
        eprintln!("{} games of {file} agree", ours.len());
    }
}
