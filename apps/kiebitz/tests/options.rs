//! What the options of the built engine do.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

mod conversation;

use std::time::{Duration, Instant};

use conversation::Conversation;

/// A network that ships beside the one that is built in.
const SMALL_NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/small.net.gz");

/// All that is said until the engine is ready.
fn said(engine: &mut Conversation) -> String {
    engine.send("isready");
    engine.until("readyok").0.join("\n")
}

/// The evaluation of the position that is set, as it is explained.
fn evaluation(engine: &mut Conversation) -> String {
    engine.send("eval");
    said(engine)
}

#[test]
fn a_log_has_both_directions() {
    let path = std::env::temp_dir().join(format!("kiebitz-log-{}.txt", std::process::id()));
    let mut engine = Conversation::start();
    engine.send(&format!("setoption name Debug Log File value {}", path.display()));
    engine.send("position startpos");
    engine.go("go depth 2");
    engine.ready();
    engine.send("setoption name Debug Log File value <empty>");
    engine.go("go depth 1");
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    for wanted in ["< position startpos", "< go depth 2", "> info depth 2 ", "> bestmove ", "< isready", "> readyok"] {
        assert!(log.lines().any(|line| line.starts_with(wanted)), "no '{wanted}' in {log}");
    }
    assert!(!log.contains("go depth 1"), "what was said after the end of the log: {log}");

    engine.send("setoption name Debug Log File value /nowhere/at/all");
    assert!(said(&mut engine).contains("info string option 'Debug Log File': cannot write /nowhere/at/all"));
}

/// The differences are seconds, so that a busy machine does not blur them.
#[test]
fn the_time_that_a_move_loses_on_its_way_is_not_planned_with() {
    let mut engine = Conversation::start();
    engine.send("setoption name Move Overhead value 5000");
    for order in ["go movetime 5020", "go wtime 5020 btime 5020 movestogo 1"] {
        engine.send("position startpos");
        let begun = Instant::now();
        engine.go(order);
        assert!(begun.elapsed() < Duration::from_secs(3), "{order} took {:?}", begun.elapsed());
    }
    engine.send("setoption name Move Overhead value 0");
    let begun = Instant::now();
    engine.go("go movetime 300");
    assert!(begun.elapsed() >= Duration::from_millis(295), "only {:?}", begun.elapsed());
}

#[test]
fn chances_are_told_when_they_are_asked_for() {
    let mut engine = Conversation::start();
    for (value, wanted) in [("true", true), ("false", false)] {
        engine.send(&format!("setoption name UCI_ShowWDL value {value}"));
        engine.send("position startpos");
        let lines = engine.go("go depth 3");
        for line in lines.iter().filter(|line| line.contains(" score ")) {
            let mut words = line.split_whitespace().skip_while(|word| *word != "wdl").skip(1);
            let chances: Vec<u32> = words.by_ref().map_while(|word| word.parse().ok()).collect();
            assert_eq!(chances.len() == 3 && chances.iter().sum::<u32>() == 1000, wanted, "{line}");
        }
    }
}

#[test]
fn another_network_is_played() {
    let mut engine = Conversation::start();
    engine.send("position startpos moves e2e4");
    let built_in = evaluation(&mut engine);
    engine.send(&format!("setoption name EvalFile value {SMALL_NETWORK}"));
    let note = said(&mut engine);
    assert!(note.contains("info string playing with the network"), "{note}");
    let other = evaluation(&mut engine);
    assert!(other.contains("Additive split") && other != built_in, "{other}");
    assert!(engine.go("go depth 4").iter().any(|line| line.contains(" depth 4 ")));
    engine.send("setoption name EvalFile value /nowhere/at/all.net");
    assert!(said(&mut engine).contains("info string option 'EvalFile': "));
    assert_eq!(evaluation(&mut engine), other, "what cannot be read changes nothing");
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(evaluation(&mut engine), built_in);
}

#[test]
fn the_order_of_evaluation_and_its_file_does_not_matter() {
    let file = format!("setoption name EvalFile value {SMALL_NETWORK}");
    let orders = [
        ["setoption name Evaluation value handcrafted", "setoption name EvalFile value <empty>"],
        ["setoption name EvalFile value <empty>", "setoption name Evaluation value handcrafted"],
        ["setoption name Evaluation value handcrafted", &file],
        [&file, "setoption name Evaluation value handcrafted"],
    ];
    let mut engine = Conversation::start();
    for order in orders {
        engine.send("setoption name Evaluation value network");
        for line in order {
            engine.send(line);
        }
        let text = evaluation(&mut engine);
        assert!(!text.contains("Additive split") && text.contains("piece square"), "{order:?}: {text}");
    }
    // The file is there when it is wanted.
    engine.send("setoption name Evaluation value network");
    let chosen = evaluation(&mut engine);
    engine.send("setoption name EvalFile value <empty>");
    assert!(chosen.contains("Additive split") && evaluation(&mut engine) != chosen, "{chosen}");
}

/// A gigabyte of addresses is enough for a few threads, not for a thousand.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_are_done_without() {
    use kiebitz_uci::{EngineCommand, Exit};

    let narrow = EngineCommand::new("/bin/sh")
        .argument("-c")
        .argument("ulimit -v 1000000; exec \"$0\"")
        .argument(env!("CARGO_BIN_EXE_kiebitz"));
    let mut engine = Conversation::with(&narrow);
    engine.send("setoption name Threads value 1024");
    let note = said(&mut engine);
    assert!(note.contains("info string there is no room for 1024 threads; using "), "{note}");
    engine.send("position startpos");
    let lines = engine.go("go nodes 50000");
    assert!(lines.iter().any(|line| line.contains(" nodes 50000 ")), "{lines:?}");
    engine.send("setoption name Evaluation value handcrafted");
    engine.send("ucinewgame");
    assert!(engine.go("go nodes 5000").iter().any(|line| line.contains(" nodes 5000 ")));
    engine.send("quit");
    assert_eq!(engine.exit(), Some(Exit::Code(0)));
}
