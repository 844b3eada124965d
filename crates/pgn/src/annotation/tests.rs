use super::*;

fn commands(text: &str) -> Vec<Command> {
    RawComment(text.as_bytes()).commands().map(|(_, command)| command).collect()
}

#[test]
fn commands_round_trip() {
    for text in [
        "[%eval 0.17]",
        "[%eval -0.05]",
        "[%eval 12.3]",
        "[%eval 0.0]",
        "[%eval #3]",
        "[%eval #-3]",
        "[%eval 0.17,20]",
        "[%clk 0:00:30]",
        "[%clk 101:59:59.5]",
        "[%emt 0:00:00.123]",
        "[%cal Gd4e5,Rd4c6]",
        "[%csl Gd4,Yh8]",
    ] {
        let [command] = &commands(text)[..] else { panic!("{text} is one command") };
        assert_eq!(command.to_string(), text);
    }
}

#[test]
fn other_spellings() {
    assert_eq!(commands("[%eval +1]")[0].to_string(), "[%eval 1.0]");
    assert_eq!(commands("[%eval .255, 9]")[0].to_string(), "[%eval 0.26,9]");
    assert_eq!(commands("[%eval  \n-0.00]")[0].to_string(), "[%eval 0.0]");
    assert_eq!(commands("[%clk 00:1:02.0]")[0].to_string(), "[%clk 0:01:02]");
    assert_eq!(commands("[%csl Ga1 , Rb2]")[0].to_string(), "[%csl Ga1,Rb2]");
}

#[test]
fn malformed_commands_are_text() {
    for text in [
        "[%eval]",
        "[%eval x]",
        "[%eval 1.2.3]",
        "[%eval 1,]",
        "[%eval #]",
        "[%eval .]",
        "[%eval 99999999999]",
        "[%clk 30]",
        "[%clk 0:61:00]",
        "[%clk 0:00:60]",
        "[%clk 0:00:1.]",
        "[%clk -0:00:01]",
        "[%cal Gd4]",
        "[%cal Gd4d4]",
        "[%csl Xd4]",
        "[%csl Gd9]",
        "[%csl]",
        "[%foo 1]",
        "[%eval 0.1",
        "[%",
        "",
    ] {
        assert_eq!(commands(text), [], "{text}");
    }
}

#[test]
fn commands_are_found_among_text() {
    let text = "good [%eval bad [%eval 0.5] and [%clk 0:00:01][%emt 0:00:02] end";
    assert_eq!(commands(text).len(), 3);
    let raw = RawComment(text.as_bytes());
    assert_eq!(raw.clock(), Some(Duration::from_secs(1)));
    assert_eq!(raw.evaluation().map(|evaluation| evaluation.score), Some(EvaluationScore::Centipawns(50)));
}

#[test]
fn engine_notes() {
    let note = |text: &str| EngineNote::read(text.as_bytes());
    let read = note("+0.19/10 28s").unwrap();
    assert_eq!((read.score, read.depth), (EvaluationScore::Centipawns(19), 10));
    assert_eq!(read.time, Some(Duration::from_secs(28)));
    let read = note("-M12/13 0.25s, White mates").unwrap();
    assert_eq!((read.score, read.time), (EvaluationScore::Mate(-12), Some(Duration::from_millis(250))));
    assert_eq!(note("0.00/31").map(|note| note.time), Some(None));
    for text in ["book", "", "1/2", "a/b", "+0.19", "12/x 3s", "(0.00 → 0.75) Inaccuracy."] {
        assert_eq!(note(text), None, "{text}");
    }
}
