use super::*;

fn read(text: &str) -> (String, String, String) {
    let pair = scan_pair(text.as_bytes());
    let mut tags = Tags::new();
    tags.read(text.as_bytes());
    let (name, value) = tags.iter().next().unwrap_or_default();
    (name.into(), value.into(), text[pair.end..].into())
}

#[test]
fn pairs_are_read_as_they_are_meant() {
    for (text, name, value, rest) in [
        ("[Event \"A\"]\n", "Event", "A", "\n"),
        ("[ Event   \"A b\" ] [", "Event", "A b", " ["),
        ("[White \"Joe \"The Rook\" Doe\"]", "White", "Joe \"The Rook\" Doe", ""),
        (r#"[White "a\"b\\c\d"]"#, "White", r#"a"b\c\d"#, ""),
        ("[Event \"A]\nx", "Event", "A", "\nx"),
        ("[Event \"A\"\nx", "Event", "A", "\nx"),
        ("[Event A]x", "Event", "A", "x"),
        ("[Event \"\"]", "Event", "", ""),
        ("[Event]", "Event", "", ""),
        ("[", "", "", ""),
    ] {
        assert_eq!(read(text), (name.into(), value.into(), rest.into()), "{text}");
    }
}

#[test]
fn what_begins_a_game() {
    assert_eq!(looks_like_pair(b"[Event \"x"), Some(true));
    assert_eq!(looks_like_pair(b"[%clk 0:01]"), Some(false));
    assert_eq!(looks_like_pair(b"[0.5]"), Some(false));
    assert_eq!(looks_like_pair(b"[Eve"), None);
    assert_eq!(looks_like_pair(&[b'['; 1000]), Some(false));
    assert_eq!(looks_like_pair(&[&b"["[..], &[b'a'; 1000]].concat()), Some(false));
    assert_eq!(looks_like_pair(&[&b"["[..], &[b' '; 1000]].concat()), Some(false));
}

#[test]
fn export_order_has_the_roster_first() {
    let mut tags = Tags::new();
    tags.read(b"[WhiteElo \"2800\"][ECO \"B90\"]\n[White \"A\"]\n[white \"B\"]\n[Result \"1-0\"]\n\n*");
    let names: Vec<_> = tags.clone().into_export_order().iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "WhiteElo"]);
    assert_eq!(tags.into_export_order().get("White"), Some("A"));
    let mut blank = Tags::new();
    blank.read(b"[Event \" \"]");
    assert_eq!(blank.into_export_order().get("Event"), Some("?"));
}

#[test]
fn typed_values() {
    let mut tags = Tags::new();
    assert!(tags.set("WhiteElo", " 2785 ") && tags.set("BlackElo", "?") && tags.set("Date", "1997.05.??"));
    assert!(!tags.set("no name", "x"));
    assert_eq!((tags.white_elo(), tags.black_elo(), tags.year()), (Some(2785), None, Some(1997)));
    assert!(tags.set("White", "A\n\"B\""));
    assert_eq!(tags.headline(), "A \"B\" – ? 1997");
    assert!(tags.to_string().ends_with("[White \"A \\\"B\\\"\"]\n"));
}
