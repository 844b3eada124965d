//! Whole dialogues.

use super::*;

fn dialogue(color: Players, fen: Option<&str>, lines: &str) -> String {
    let arguments = Arguments { fen: fen.map(String::from), chess960: false, color, seed: Some(1) };
    let mut output = Vec::new();
    play(&arguments, Paint::Plain, lines.as_bytes(), &mut output).expect("a game");
    String::from_utf8(output).expect("text")
}

#[test]
fn two_people_play_the_shortest_mate() {
    let text = dialogue(Players::Both, None, "f3\ne7e5\ng4\nQh4\n");
    assert!(text.contains("checkmate, black wins"), "{text}");
    assert!(text.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{text}");
}

#[test]
fn the_end_of_input_ends_the_game() {
    let text = dialogue(Players::Both, None, "e4\n");
    assert!(text.ends_with("Black to move> \n"), "{text}");
}

#[test]
fn bad_input_gets_a_helpful_line() {
    let text = dialogue(Players::Both, None, "Ke2\nwhat?\n\u{fffd}\nquit\n");
    assert_eq!(text.matches("is not legal here").count(), 1, "{text}");
    assert_eq!(text.matches("I do not understand").count(), 2, "{text}");
}

#[test]
fn the_opponent_answers_and_undo_takes_both_moves_back() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = dialogue(Players::White, None, "undo\ne4\nundo\nfen\nquit\n");
    assert!(text.contains("There is nothing to take back."), "{text}");
    assert!(text.contains("I play 1..."), "{text}");
    assert!(text.contains(start), "{text}");
}

#[test]
fn the_program_begins_when_a_person_has_black() {
    let text = dialogue(Players::Black, None, "resign\n");
    assert!(text.contains("I play 1. "), "{text}");
    assert!(text.contains("Black resigns: White wins."), "{text}");
    assert!(text.contains("[Black \"You\"]"), "{text}");
}

#[test]
fn endings_are_announced_with_their_reason() {
    let stalemate = dialogue(Players::Both, Some("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "Qf7\n");
    assert!(stalemate.contains("stalemate"), "{stalemate}");
    let fifty = dialogue(Players::Both, Some("7k/8/6K1/8/8/8/8/5R2 w - - 99 80"), "Rf2\n");
    assert!(fifty.contains("fifty-move rule"), "{fifty}");
    let dead = dialogue(Players::Both, Some("7k/8/8/8/8/8/4r3/4K3 w - - 0 1"), "Kxe2\n");
    assert!(dead.contains("insufficient material"), "{dead}");
    let repeated = dialogue(Players::Both, None, &"Nf3\nNf6\nNg1\nNg8\n".repeat(2));
    assert!(repeated.contains("repetition"), "{repeated}");
}

#[test]
fn the_score_is_printed_as_pgn() {
    let text = dialogue(Players::Both, None, "e4\ne5\nNf3\npgn\nquit\n");
    assert!(text.contains("\n1. e4 e5 2. Nf3 *\n"), "{text}");
    let text = dialogue(Players::Both, Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"), "Kd7\ne4\npgn\nquit\n");
    assert!(text.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n[SetUp \"1\"]"), "{text}");
    assert!(text.contains("\n7... Kd7 8. e4 *\n"), "{text}");
}
