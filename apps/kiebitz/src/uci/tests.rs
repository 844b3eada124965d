//! Whole conversations.

use std::io::Cursor;
use std::sync::{Arc, Mutex};

use super::*;

/// Collects what is written.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn answer(lines: &str) -> String {
    answer_at(Pace::Conversation, lines)
}

/// As [`answer`], but nothing is cut short by the end of input.
fn answer_script(lines: &str) -> String {
    answer_at(Pace::Script, lines)
}

fn answer_at(pace: Pace, lines: &str) -> String {
    let sink = Sink::default();
    converse(Cursor::new(lines.as_bytes().to_vec()), Output::new(sink.clone()), pace);
    let bytes = sink.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// A sink that notes whether a search still counts as going on when its answer is written.
struct Witness {
    outstanding: Outstanding,
    seen: Arc<Mutex<Vec<bool>>>,
}

impl std::io::Write for Witness {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.starts_with(b"bestmove") {
            self.seen.lock().unwrap().push(self.outstanding.goes_on());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_search_is_over_before_its_answer_is_read() {
    let (outstanding, seen) = (Outstanding::default(), Arc::default());
    let witness = Witness { outstanding: outstanding.clone(), seen: Arc::clone(&seen) };
    let (jobs, received) = mpsc::channel();
    let signal = SearchSignal::new();
    outstanding.add(OrderKind::Search, signal.clone());
    let go = Box::new(Go { depth: Some(1), ..Go::default() });
    jobs.send(Job::Go { go, game: GameHistory::default(), signal, asked: CLOCK.now() }).unwrap();
    drop(jobs);
    Player::new(Output::new(witness), outstanding).work(&received);
    assert_eq!(*seen.lock().unwrap(), [false]);
}

#[test]
fn readiness_waits_for_what_was_ordered_since_the_search_was_stopped() {
    let text = answer("go infinite\nisready\nstop\nsetoption name Nonsense value 1\nisready\n");
    let (during, after) = text.split_once("readyok").expect("an answer");
    assert!(!during.contains("bestmove"), "{text}");
    let (note, ready) = (after.find("no option 'Nonsense'"), after.find("readyok"));
    assert!(note.is_some() && note < ready, "{text}");
}

#[test]
fn introduces_itself() {
    let text = answer("uci\r\nisready\n");
    assert!(text.starts_with("id name Kiebitz"), "{text}");
    assert!(text.contains("option name Hash type spin default 16 min 1"), "{text}");
    assert!(text.find("uciok").unwrap() < text.find("readyok").unwrap());
}

#[test]
fn searches_and_lives_on_after_nonsense() {
    let text = answer(
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition startpos moves e2e5\nsetoption name Hash value 0\n\
         setoption name Nonsense value 1\ngo depth x\nfoo bar\nposition startpos moves e2e4\ngo depth 3\nisready\n",
    );
    assert!(text.matches("bestmove").count() == 2, "{text}");
    assert!(text.contains("info string position refused"), "{text}");
    assert!(text.contains("info string option 'Hash': '0' is not an integer within"), "{text}");
    assert!(text.contains("there is no option 'Nonsense'"), "{text}");
}

#[test]
fn a_go_without_moves_is_answered() {
    let mate = answer("position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\ngo depth 5\n");
    assert!(mate.contains("score mate 0") && mate.contains("bestmove (none)"), "{mate}");
    let stalemate = answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nstop\n");
    assert!(stalemate.contains("score cp 0") && stalemate.contains("bestmove (none)"), "{stalemate}");
}

#[test]
fn castling_is_written_as_asked() {
    let fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ngo depth 1 searchmoves";
    assert!(answer(&format!("{fen} e1g1\n")).contains("bestmove e1g1"));
    assert!(answer(&format!("setoption name UCI_Chess960 value true\n{fen} e1h1\n")).contains("bestmove e1h1"));
}

#[test]
fn extra_commands_answer() {
    let text = answer_script("d\neval\ncompiler\ngo perft 3\ngenfens 2 seed 7 book None\n");
    assert!(text.contains("Fen: rnbqkbnr/pppppppp"), "{text}");
    assert!(text.contains("Nodes searched: 8902"), "{text}");
    assert_eq!(text.matches("info string genfens ").count(), 2, "{text}");
}

#[test]
fn a_flipped_position_stays_set() {
    let fen = "position fen r3k3/8/8/8/8/8/8/4K2R b Kq - 3 9\n";
    let text = answer(&format!("{fen}flip\nd\ngo depth 1 searchmoves e1c1\nflip\n"));
    let shown: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("Fen: ")).collect();
    let (flipped, as_set) = ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 3 9", "r3k3/8/8/8/8/8/8/4K2R b Kq - 3 9");
    assert_eq!(shown, [flipped, flipped, as_set], "{text}");
    assert!(text.contains("bestmove e1c1"), "{text}");
}

#[test]
fn a_limit_that_cannot_be_read_does_not_make_the_search_endless() {
    for order in ["go depth", "go wtime x btime y", "go nonsense"] {
        // A script waits for the end of every search.
        let text = answer_script(&format!("{order}\n"));
        assert!(text.contains("info string no limit could be read"), "{order}: {text}");
        assert_eq!(text.matches("bestmove").count(), 1, "{order}: {text}");
    }
    let text = answer_script("go depth nodes 500\n");
    assert!(!text.contains("no limit") && text.contains("info string depth is missing"), "{text}");
}

#[test]
fn eval_shows_the_network_and_every_hand_crafted_term() {
    let text = answer("eval\n");
    let (network, terms) = text.split_once("hand-crafted terms").expect("two views");
    assert!(network.contains("Additive split"), "{text}");
    for term in
        ["material", "  piece square", "  knight mobility", "  shelter", "danger penalty", "Danger to either king"]
    {
        assert!(terms.contains(term), "{term}: {text}");
    }
    let alone = answer("setoption name Evaluation value handcrafted\neval\n");
    assert!(!alone.contains("Additive split") && alone.contains("  piece square"), "{alone}");
}
