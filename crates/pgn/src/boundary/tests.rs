use super::*;

/// The games of a text that is there all at once.
fn whole(text: &[u8]) -> Vec<&[u8]> {
    let mut splitter = Splitter::new();
    let mut games = Vec::new();
    while let Step::Game(game) = splitter.advance(text, true) {
        games.push(&text[game]);
    }
    games
}

/// The games of a text that arrives in pieces of `size` bytes.
fn piecewise(text: &[u8], size: usize) -> Vec<Vec<u8>> {
    let mut splitter = Splitter::new();
    let mut buffer = Vec::new();
    let mut games = Vec::new();
    let mut pieces = text.chunks(size);
    loop {
        let piece = pieces.next();
        buffer.extend_from_slice(piece.unwrap_or_default());
        while let Step::Game(game) = splitter.advance(&buffer, piece.is_none()) {
            games.push(buffer[game].to_vec());
        }
        let cut = splitter.needed_from();
        buffer.drain(..cut);
        splitter.cut_front(cut);
        if piece.is_none() {
            return games;
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let trimmed =
        |game: &[u8]| String::from_utf8_lossy(game).trim_end_matches('\u{feff}').trim_end().replace("\r\n", "\n");
    let crlf = text.replace('\n', "\r\n");
    for text in [text, crlf.as_str()] {
        let games = whole(text.as_bytes());
        assert_eq!(games.iter().map(|game| trimmed(game)).collect::<Vec<_>>(), expected, "{text:?}");
        for size in [1, 2, 3, 5, 7, 64] {
            assert_eq!(piecewise(text.as_bytes(), size), games, "{text:?} in pieces of {size}");
        }
    }
}

#[test]
fn nothing_is_no_game() {
    check("", &[]);
    check("\u{feff}  \n\t\n", &[]);
    check("% only for other programs\n; nothing here\n", &[]);
}

#[test]
fn tags_begin_games() {
    check(
        "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n",
        &["[Event \"A\"]\n\n1. e4 *", "[Event \"B\"]\n\n1. d4 *"],
    );
    check("[Event \"A\"]\n1. e4\n[Event \"B\"]\n1. d4", &["[Event \"A\"]\n1. e4", "[Event \"B\"]\n1. d4"]);
    check("[A \"1\"] [B \"2\"] 1. e4\n  [A \"3\"] *", &["[A \"1\"] [B \"2\"] 1. e4", "[A \"3\"] *"]);
    check("1. e4 *\n\u{feff}[Event \"B\"]\n*", &["1. e4 *", "[Event \"B\"]\n*"]);
}

#[test]
fn tags_without_moves_are_games() {
    let two = "[Event \"A\"]\n[Site \"x\"]\n\n[Event \"B\"]\n[Site \"y\"]\n\n";
    check(two, &["[Event \"A\"]\n[Site \"x\"]", "[Event \"B\"]\n[Site \"y\"]"]);
    // ChessBase puts an empty line between the tags of one game.
    check("[Event \"A\"]\n\n[Site \"x\"]\n\n1. e4 *", &["[Event \"A\"]\n\n[Site \"x\"]\n\n1. e4 *"]);
}

#[test]
fn empty_lines_between_moves_mean_nothing() {
    check("1. e4\n\n1... e5\n\n2. Nf3 *\n\n", &["1. e4\n\n1... e5\n\n2. Nf3 *"]);
    check("1. e4 e5 1-0\n\n1. d4 d5 0-1\n \nd4 ½–½\n\n*", &["1. e4 e5 1-0", "1. d4 d5 0-1", "d4 ½–½", "*"]);
    check("1. e4 e5\n\n1. d4 d5", &["1. e4 e5", "1. d4 d5"]);
}

#[test]
fn comments_hide_everything() {
    let text = "1. e4 {\n\n[Event \"no\"]\n\n1. d4 *\n\n} e5 *";
    check(text, &[text]);
    let text = "1. e4 ; {\n1... e5 ; [Event\n2. d4 *";
    check(text, &[text]);
    let text = "1. e4 {[%clk 0:01]} e5\n[%clk] *\n% [Event \"no\"]\n[x]";
    check(text, &[text]);
    let text = "[Event \"A\"]\n%[Event \"B\"]\n\n%\n1. e4 *";
    check(text, &[text]);
}

#[test]
fn an_unclosed_comment_ends_with_its_game() {
    check(
        "1. e4 {oops *\n\n[Event \"B\"]\n\n1. d4 {fine} *\n\n[Event \"C\"]\n\n*",
        &["1. e4 {oops *", "[Event \"B\"]\n\n1. d4 {fine} *", "[Event \"C\"]\n\n*"],
    );
    check("1. e4 {oops *\n\n[Event \"B\"]\n\n1. d4 *", &["1. e4 {oops *", "[Event \"B\"]\n\n1. d4 *"]);
    check("1. e4 {oops", &["1. e4 {oops"]);
}

#[test]
fn giving_up_finds_the_next_game() {
    let mut splitter = Splitter::new();
    let mut buffer = b"[Event \"A\"]\n\n1. e4 {never".to_vec();
    assert_eq!(splitter.advance(&buffer, false), Step::NeedMore);
    assert_eq!(splitter.give_up(&buffer), None);
    for piece in [&b"ending"[..], b"\n[Ev", b"ent \"B\"]\n", b"\n*\n"] {
        let cut = splitter.needed_from();
        buffer.drain(..cut);
        splitter.cut_front(cut);
        buffer.extend_from_slice(piece);
        if let Step::Game(game) = splitter.advance(&buffer, false) {
            assert!(buffer[game.end..].starts_with(b"[Event \"B\"]"));
        }
    }
    let Step::Game(game) = splitter.advance(&buffer, true) else { panic!("the next game is there") };
    assert_eq!(&buffer[game], b"[Event \"B\"]\n\n*\n");
}
