//! What comes out of texts that people and programs really write, and of those they write by mistake.

#![allow(clippy::unwrap_used, reason = "tests may fail loudly")]

use std::io::Write;

use kiebitz_chess::{Color, Outcome};
use kiebitz_pgn::{
    BrokenGame, BrokenReason, Chunks, Game, GameReader, MAX_GAME_BYTES, MAX_VARIATION_DEPTH, NodeId, Source,
    SourceProblem,
};

fn read(text: impl AsRef<[u8]>) -> Vec<Result<Game, BrokenGame>> {
    GameReader::new(Source::from_reader("test.pgn", text.as_ref())).collect()
}

#[track_caller]
fn game(text: impl AsRef<[u8]>) -> Game {
    let mut games = read(text);
    assert_eq!(games.len(), 1);
    games.remove(0).unwrap()
}

#[track_caller]
fn broken(text: impl AsRef<[u8]>) -> BrokenGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1);
    games.remove(0).unwrap_err()
}

fn moves(game: &Game) -> String {
    let text = game.to_string();
    text.split_once("\n\n").unwrap().1.trim_end().replace('\n', " ")
}

#[test]
fn moves_in_many_spellings() {
    let played = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *";
    for text in [
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1",
        "e2-e4 e7-e5 Ng1-f3 Nb8-c6 Bf1-b5 a7-a6 Bb5-a4 Ng8-f6 0-0 *",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 Ba4 Nf6 5 o-o",
        "1. ♙e4 ♟e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. ♗a4 ♞f6 5. Ke1g1",
        "1. e4 e5\n\n2. Nf3 Nc6\n\n3. Bb5 a6 4. Ba4 Nf6 5. O-O\n",
    ] {
        assert_eq!(moves(&game(text)), played, "{text}");
    }
    let promotion = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
    for text in ["1. a8=Q+", "1. a8Q", "1. a8q+", "1. a7a8q", "1. a8=q#"] {
        assert_eq!(moves(&game(format!("{promotion}{text}"))), "1. a8=Q+ *", "{text}");
    }
    let en_passant = "[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2\"]\n\n";
    for text in ["2. exd6", "2. exd6 e.p.", "2. exd6e.p.", "2. exd6ep", "2. e:d6", "2. ed6", "2. e5xd6"] {
        assert_eq!(moves(&game(format!("{en_passant}{text}"))), "2. exd6 *", "{text}");
    }
    assert_eq!(moves(&game("1. e4!? e5?! 2. Nf3 +- Nc6 $14 $146 N")), "1. e4 $5 e5 $6 2. Nf3 $18 Nc6 $14 $146 $146 *");
}

#[test]
fn variations_and_comments_stay_where_they_belong() {
    let text = "{Start} 1. e4 {King's pawn} (1. d4 d5 (1... Nf6 {Indian}) 2. c4) ({Or} 1. c4) 1... e5 $1 *";
    let read = game(text);
    assert_eq!(moves(&read), text);
    assert_eq!(read.comments(NodeId::ROOT)[0].text(), "Start");
    assert_eq!(read.children(NodeId::ROOT).count(), 3);
    let third = read.children(NodeId::ROOT).nth(2).unwrap();
    assert_eq!(read.introduction(third)[0].text(), "Or");
    assert_eq!(read.move_count(), 7);
    // A comment after a variation belongs to the move before it.
    assert_eq!(moves(&game("1. e4 (1. d4) {x} e5 ; y\n2. d4")), "1. e4 {x} (1. d4) 1... e5 {y} 2. d4 *");
    assert_eq!(moves(&game("1. e4 ( {nothing} ) e5 () 2. d4 {}")), "1. e4 {nothing} 1... e5 2. d4 *");
}

#[test]
fn results() {
    for (text, outcome) in [
        ("[Result \"1-0\"]\n\n1. e4 *", Some(Outcome::Win(Color::White))),
        ("[Result \"1-0\"]\n\n1. e4", Some(Outcome::Win(Color::White))),
        ("[Result \"1-0\"]\n\n1. e4 0-1", Some(Outcome::Win(Color::Black))),
        ("1. e4 ½-½", Some(Outcome::Draw)),
        ("1. e4 (1. d4 1-0) e5 0-1", Some(Outcome::Win(Color::Black))),
        ("1. e4", None),
    ] {
        assert_eq!(game(text).outcome(), outcome, "{text}");
        assert_eq!(game(text).tags().result(), outcome, "{text}");
    }
}

#[test]
fn broken_games_are_named_and_skipped() {
    let text =
        "[Event \"Club\"]\n[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.02\"]\n\n1. e4 e5\n2. Nf4 *\n\n1. d4 *\n";
    let games = read(text);
    let fault = games[0].as_ref().unwrap_err();
    assert_eq!(fault.to_string(), "test.pgn: game 1, line 7 (A – B, Club 2020): move 2. Nf4 is not legal");
    assert_eq!(fault.offset, text.find("Nf4").unwrap() as u64);
    assert_eq!(moves(games[1].as_ref().unwrap()), "1. d4 *");
}

#[test]
fn every_kind_of_fault() {
    let reason = |text: &str| broken(text).reason.to_string();
    assert_eq!(reason("1. e4 Ke7"), "move 1... Ke7 is not legal");
    assert_eq!(reason("1. Nf3 a6 2. d4 a5 3. Nd2"), "move 3. Nd2 is ambiguous");
    assert!(reason("[FEN \"what\"]\n\n*").starts_with("the FEN tag \"what\" is not a position: "));
    assert_eq!(reason("[Variant \"Atomic\"]\n\n1. e4"), "the variant Atomic is not supported");
    assert_eq!(reason("1. e4 huh 2. d4"), "\"huh\" is neither a move nor anything else that belongs here");
    assert_eq!(reason("1. e4 e5 huh 1-0"), "\"huh\" is neither a move nor anything else that belongs here");
    assert_eq!(reason("1. e4 (1. d4 huh) e5"), "\"huh\" is neither a move nor anything else that belongs here");
    assert_eq!(reason("1. e4 1-0 e5"), "e5 follows the result");
    assert_eq!(reason("1. e4 {never closed"), "a comment is not closed");
    assert_eq!(reason("1. e4 (1. d4"), "a variation is not closed");
    assert_eq!(reason("1. e4) e5"), "a ) that belongs to nothing");
    assert_eq!(reason("(1. e4) e5"), "a ( that belongs to nothing");
    assert_eq!(reason("1. f3 e5 2. g4 Qh4# 3. --"), "move 3. -- is not legal");
    assert_eq!(reason("1. e4 (1. d5) e5"), "move 1. d5 is not legal");
    assert_eq!(reason(&format!("1. e4 {}", "(1. e4 ".repeat(2000))), "variations are nested deeper than 1024");
}

#[test]
fn nesting_is_a_matter_of_memory_only() {
    let nested = |depth: usize| format!("1. e4 {}{}", "(1. e4 ".repeat(depth), ")".repeat(depth));
    let deep = game(nested(MAX_VARIATION_DEPTH));
    assert_eq!(deep.children(NodeId::ROOT).count(), MAX_VARIATION_DEPTH + 1);
    assert_eq!(game(deep.to_string()), deep);
    assert_eq!(broken(nested(100_000)).reason, BrokenReason::TooDeep);
    // A variation on each ply: as deep as a tree can be.
    let text = format!("{}{}", "1. Nf3 (1. Nc3 Nc6 2. Nb1 Nb8 ".repeat(1000), ")".repeat(1000));
    assert!(read(&text)[0].is_ok());
}

#[test]
fn names_in_old_encodings() {
    let game = game(b"[White \"M\xfcller\"]\n[Black \"Kr\xc3\xa4mer\"]\n\n1. e4 {gut f\xfcr Wei\xdf} *");
    // The section is not UTF-8, so it is Latin-1, value by value.
    assert_eq!((game.tags().white(), game.tags().black()), (Some("Müller"), Some("Krämer")));
    assert_eq!(game.comments(game.main_line().next().unwrap())[0].text(), "gut für Weiß");
}

#[test]
fn set_up_positions_and_chess960() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n\n40... Kd7 41. e4 *";
    let read = game(text);
    assert_eq!(read.tags().get("SetUp"), Some("1"));
    assert_eq!(moves(&read), "40... Kd7 41. e4 *");
    let start = "nbbrk1rq/pppppppp/8/8/8/8/PPPPPPPP/NBBRK1RQ w GDgd - 0 9";
    let read = game(format!("[FEN \"{start}\"]\n\n9. O-O *"));
    assert_eq!(moves(&read), "9. O-O *");
    assert_eq!(read.tags().get("Variant"), Some("Chess960"));
    assert_eq!(game(read.to_string()), read);
    // A tag that says nothing new is left out.
    let plain = game("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n*");
    assert_eq!(plain.tags().fen(), None);
}

#[test]
fn a_game_without_end_does_not_eat_the_memory() {
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(MAX_GAME_BYTES / 20);
    let text = format!("1. e4 *\n\n[White \"X\"]\n\n{long}\n\n[Event \"next\"]\n\n1. d4 *\n");
    let mut games = read(&text).into_iter();
    assert!(games.next().unwrap().is_ok());
    let fault = games.next().unwrap().unwrap_err();
    assert_eq!((fault.number, fault.reason), (2, BrokenReason::TooLong));
    assert_eq!(games.next().unwrap().unwrap().tags().event(), Some("next"));
    assert!(games.next().is_none());
}

#[test]
fn compressed_files_are_recognised_and_cut_ones_read_as_far_as_they_go() {
    let game = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    let text = game.repeat(5000);
    let two_halves = [text.as_bytes(), text.as_bytes()];
    let gzip = two_halves.map(|half| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(half).unwrap();
        encoder.finish().unwrap()
    });
    let bzip2 = two_halves.map(|half| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(half).unwrap();
        encoder.finish().unwrap()
    });
    let zstd = two_halves.map(|half| zstd::encode_all(half, 1).unwrap());
    for (name, compressed) in [("gzip", gzip.concat()), ("bzip2", bzip2.concat()), ("zstd", zstd.concat())] {
        let source = Source::detect(name, &compressed[..], None).unwrap();
        assert_eq!(GameReader::new(source).filter(Result::is_ok).count(), 10_000, "{name}");
        let cut = &compressed[..compressed.len() - 10];
        let mut reader = GameReader::new(Source::detect(name, cut, None).unwrap());
        let games: Vec<_> = reader.by_ref().collect();
        let sound = games.iter().filter(|game| game.is_ok()).count();
        assert!((5000..10_000).contains(&sound) && games.len() <= sound + 1, "{name}: {sound} of {}", games.len());
        let error = reader.source_error().unwrap();
        assert_eq!((error.problem, error.file.as_str()), (SourceProblem::Decompress, name));
    }
    assert_eq!(Source::open("no/such/file.pgn").unwrap_err().problem, SourceProblem::Open);
    assert_eq!(Source::open("src").unwrap_err().problem, SourceProblem::Open);
}

#[test]
fn a_reader_that_fails_is_reported_after_its_games() {
    struct Failing(usize);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let text = b"1. e4 *\n\n1. d4 d5 2. c4";
            if self.0 == text.len() {
                return Err(std::io::Error::other("the disk is gone"));
            }
            buffer[0] = text[self.0];
            self.0 += 1;
            Ok(1)
        }
    }
    let mut reader = GameReader::from_chunks(Chunks::new(Source::from_reader("disk", Failing(0))));
    assert!(reader.next().unwrap().is_ok());
    assert_eq!(reader.next().unwrap().unwrap_err().reason, BrokenReason::Truncated);
    assert!(reader.next().is_none());
    assert_eq!(reader.source_error().unwrap().to_string(), "disk: cannot be read: the disk is gone");
    assert!(reader.next().is_none());
}
