//! The built engine in conversation: it repeats itself, and survives whatever it is told.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and print what they measure")]

mod conversation;

use std::time::Instant;

use conversation::Conversation;
use kiebitz_uci::Exit;

/// Positions in which a search has much to do: the start, a middle game, an ending, a mate in sight.
const POSITIONS: [&str; 4] = [
    "position startpos",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
];

#[test]
fn a_go_right_behind_a_stop_is_served() {
    let mut engine = Conversation::start();
    for _ in 0..20 {
        engine.send("position startpos\ngo infinite\nstop\nposition startpos moves e2e4\ngo depth 2");
        engine.until("bestmove");
        let (lines, _) = engine.until("bestmove");
        assert!(lines.iter().any(|line| line.contains("depth 2 ")), "{lines:?}");
    }
}

/// What must be the same again: everything but time and speed.
fn timeless(lines: &[String]) -> Vec<String> {
    let strip = |line: &String| {
        let mut kept = Vec::new();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            if matches!(word, "time" | "nps") {
                words.next();
            } else {
                kept.push(word);
            }
        }
        kept.join(" ")
    };
    lines.iter().map(strip).collect()
}

#[test]
fn the_same_search_after_a_new_game_gives_the_same_output() {
    let mut engine = Conversation::start();
    engine.send("setoption name Hash value 8");
    for position in POSITIONS {
        for order in ["go nodes 20000", "go depth 9"] {
            let mut answer = || {
                engine.send("ucinewgame");
                engine.ready();
                engine.send(position);
                timeless(&engine.go(order))
            };
            let first = answer();
            assert!(first.len() > 1, "{first:?}");
            assert_eq!(first, answer(), "{position}, {order}");
        }
    }
}

#[test]
fn nodes_are_exact() {
    let mut engine = Conversation::start();
    for (threads, nodes) in [(1, 1), (1, 100), (1, 12_345), (2, 5_000), (4, 5_000), (3, 77_777)] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("ucinewgame");
        engine.send("position startpos");
        let lines = engine.go(&format!("go nodes {nodes}"));
        let last = lines.iter().rev().find_map(|line| line.split_once(" nodes ")).expect("a report");
        let told: u64 = last.1.split_whitespace().next().unwrap().parse().unwrap();
        assert_eq!(told, nodes, "{threads} threads");
    }
}

#[test]
fn eight_threads_and_a_larger_table_work() {
    search_with(8, 256);
}

#[test]
#[ignore = "takes 4 GiB of memory"]
fn eight_threads_and_four_gibibytes_work() {
    search_with(8, 4096);
}

fn search_with(threads: usize, mebibytes: usize) {
    let mut engine = Conversation::start();
    engine.send(&format!("setoption name Hash value {mebibytes}"));
    engine.send(&format!("setoption name Threads value {threads}"));
    let begun = Instant::now();
    engine.send("isready");
    let (lines, _) = engine.until("readyok");
    assert!(!lines.iter().any(|line| line.contains("no memory")), "{lines:?}");
    eprintln!("{mebibytes} MiB and {threads} threads were ready after {:?}", begun.elapsed());
    for position in POSITIONS {
        engine.send(position);
        let lines = engine.go("go movetime 200");
        assert!(lines.iter().any(|line| line.contains(" score ")), "{lines:?}");
        assert!(!lines.last().unwrap().contains("(none)"), "{lines:?}");
        engine.send("ucinewgame");
    }
    engine.ready();
    engine.send("quit");
    assert_eq!(engine.exit(), Some(Exit::Code(0)));
}

/// Seeded random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Whole lines that are cut and mixed.
const LINES: [&str; 22] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "register later",
    "setoption name Hash value 4",
    "setoption name Threads value 2",
    "setoption name MultiPV value 3",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1500",
    "setoption name UCI_ShowWDL value true",
    "setoption name SyzygyPath value /nowhere/at/all",
    "setoption name Clear Hash",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 8/8/8/4pK2/2k1P3/8/8/8 b - - 99 1",
    "go depth 2 searchmoves e2e4 d2d4",
    "go nodes 50",
    "go movetime 1",
    "go wtime 10 btime -5 winc 0 binc 0 movestogo 1",
    "stop",
    "ponderhit",
];

/// Words that do not belong where they are put; none of them lets a search or a count run for long.
const WORDS: [&str; 16] = [
    "value",
    "name",
    "moves",
    "fen",
    "startpos",
    "e2e9",
    "e7e8q",
    "0000",
    "-1",
    "99999999999999999999",
    "\u{fffd}",
    "♔",
    "\t",
    "..",
    "KQkq",
    "infinite",
];

/// A line of the list, cut short, with a word too many, in the wrong case, or with letters exchanged.
fn mutilated(random: &mut Random) -> String {
    let mut line = random.pick(&LINES).to_owned();
    for _ in 0..random.below(3) {
        let cut = line.char_indices().map(|(at, _)| at).nth(random.below(line.chars().count().max(1))).unwrap_or(0);
        match random.below(4) {
            0 => line.truncate(cut),
            1 => line.insert_str(cut, random.pick(&WORDS)),
            2 => line = format!("{line} {}", random.pick(&WORDS)),
            _ => line = line.to_uppercase(),
        }
    }
    // A search without a limit would only be waited for.
    line.replace("depth 2", "depth 1")
}

#[test]
fn garbage_and_truncated_lines_are_survived() {
    let seed = 20_261_116;
    let mut random = Random(seed);
    let mut engine = Conversation::start();
    for round in 0..60 {
        for _ in 0..20 {
            engine.send(&mutilated(&mut random));
        }
        // Whatever is going on, it can be stopped, and then a plain order is served.
        engine.send("stop");
        engine.send("isready");
        engine.until("readyok");
        if round % 10 == 9 {
            engine.send("setoption name UCI_LimitStrength value false");
            engine.send("setoption name MultiPV value 1");
            engine.send("position startpos");
            engine.send("go depth 3 searchmoves a2a3");
            let mut best = engine.until("bestmove").0.pop().unwrap();
            // Answers to orders among the garbage may still be on their way.
            while !best.starts_with("bestmove a2a3") {
                best = engine.until("bestmove").0.pop().unwrap();
            }
        }
    }
    engine.send("stop");
    engine.send("quit");
    assert_eq!(engine.exit(), Some(Exit::Code(0)), "seed {seed}");
}

/// Bytes that are no text, lines without end, and the end in the middle of a line.
#[test]
fn bytes_that_are_no_text_are_survived() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_kiebitz"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().unwrap();
    let mut random = Random(7);
    let noise: Vec<u8> = (0..100_000).map(|_| random.below(256) as u8).collect();
    input.write_all(&noise).unwrap();
    input.write_all(&vec![b'x'; 3 << 20]).unwrap();
    input.write_all(b"\nisready\nposition startpos\ngo depth 2\nposition fen 8/8").unwrap();
    drop(input);
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(text.contains("readyok") && text.contains("bestmove"), "{}", &text[text.len().saturating_sub(2000)..]);
}
