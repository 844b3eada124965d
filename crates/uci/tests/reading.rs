//! Lines as engines and interfaces really write them, and what is wrong with some of them.

use std::time::Duration;

use kiebitz_chess::{CastlingForm, Color, GameHistory, Position, Score, Wdl};
use kiebitz_uci::{
    BestMove, Bound, Complaint, EngineMessage, Go, GuiMessage, Id, Info, MoveText, OptionDeclaration, OptionKind,
    PositionError, PositionMessage, ScoreReport, ScoreValue,
};

fn go(line: &str) -> (Go, Vec<Complaint>) {
    let parsed = GuiMessage::parse(line);
    match parsed.message {
        Some(GuiMessage::Go(go)) => (*go, parsed.complaints),
        other => panic!("{line}: {other:?}"),
    }
}

fn info(line: &str) -> (Info, Vec<Complaint>) {
    let parsed = EngineMessage::parse(line);
    match parsed.message {
        Some(EngineMessage::Info(info)) => (*info, parsed.complaints),
        other => panic!("{line}: {other:?}"),
    }
}

fn option(line: &str) -> (Option<OptionDeclaration>, Vec<Complaint>) {
    let parsed = EngineMessage::parse(line);
    match parsed.message {
        Some(EngineMessage::Option(option)) => (Some(option), parsed.complaints),
        None => (None, parsed.complaints),
        other => panic!("{line}: {other:?}"),
    }
}

fn position(line: &str) -> PositionMessage {
    match GuiMessage::parse(line).message {
        Some(GuiMessage::Position(position)) => position,
        other => panic!("{line}: {other:?}"),
    }
}

fn texts(moves: &[MoveText]) -> Vec<String> {
    moves.iter().map(MoveText::to_string).collect()
}

#[test]
fn unknown_words_are_passed_over() {
    for line in ["joho debug on", "  debug \t on\r\n", "debug on joho"] {
        assert_eq!(GuiMessage::parse(line).message, Some(GuiMessage::Debug(true)), "{line}");
    }
    assert_eq!(GuiMessage::parse("debug joho on").message, None);
    let parsed = GuiMessage::parse("joho debug on");
    assert_eq!(parsed.complaints, [Complaint::UnknownToken { token: "joho".into() }]);
    let parsed = EngineMessage::parse("Stockfish 15.1 by the Stockfish developers (see AUTHORS file)");
    assert_eq!(parsed.message, None);
    assert!(matches!(parsed.complaints.as_slice(), [Complaint::UnknownMessage { .. }]));
    for blank in ["", " ", "\r\n", "\t"] {
        assert!(GuiMessage::parse(blank).complaints.is_empty());
    }
}

#[test]
fn one_clock_is_enough_and_may_have_run_out() {
    let (order, complaints) = go("go btime 100");
    assert!(complaints.is_empty());
    assert_eq!(order.clock(Color::White), None);
    assert_eq!(order.clock(Color::Black).unwrap().time, Duration::from_millis(100));
    let (order, complaints) = go("go wtime -37 winc 10");
    assert!(complaints.is_empty());
    assert_eq!(order.white_time_ms, Some(-37));
    let clock = order.clock(Color::White).unwrap();
    assert_eq!((clock.time, clock.increment), (Duration::ZERO, Duration::from_millis(10)));
}

#[test]
fn search_moves_may_stand_anywhere() {
    for line in ["go depth 3 searchmoves e2e4 d2d4", "go searchmoves e2e4 d2d4 depth 3"] {
        let (order, complaints) = go(line);
        assert!(complaints.is_empty());
        assert_eq!((texts(&order.search_moves), order.depth), (vec!["e2e4".into(), "d2d4".into()], Some(3)));
    }
}

#[test]
fn odd_orders_are_understood_and_reported() {
    let (order, complaints) = go("go depth depth 5 movetime 12.7 nodes -4 wobble 3 infinite mate x");
    assert_eq!(order, Go { depth: Some(5), move_time_ms: Some(12), nodes: Some(0), infinite: true, ..Go::default() });
    assert_eq!(
        complaints,
        [
            Complaint::Missing { field: "depth" },
            Complaint::NotAnInteger { field: "movetime", token: "12.7".into() },
            Complaint::OutOfRange { field: "nodes", token: "-4".into() },
            Complaint::UnknownToken { token: "wobble".into() },
            Complaint::Missing { field: "mate" },
            Complaint::UnknownToken { token: "x".into() },
        ]
    );
    let (order, complaints) = go("go nodes 1 nodes 2");
    assert_eq!((order.nodes, complaints), (Some(2), vec![Complaint::Duplicate { field: "nodes" }]));
}

#[test]
fn options_have_spaces_in_names_and_values() {
    let set = |line: &str| GuiMessage::parse(line).faultless().unwrap();
    let expected =
        |name: &str, value: Option<&str>| GuiMessage::SetOption { name: name.into(), value: value.map(String::from) };
    assert_eq!(set("setoption name Clear Hash"), expected("Clear Hash", None));
    assert_eq!(set("setoption name Hash value 32\r\n"), expected("Hash", Some("32")));
    assert_eq!(
        set("setoption name NalimovPath value c:\\my  tb;d:\\value of tb "),
        expected("NalimovPath", Some("c:\\my  tb;d:\\value of tb"))
    );
    assert_eq!(set("setoption name Book value"), expected("Book", Some("")));
    assert_eq!(GuiMessage::parse("setoption value 3").message, None);
    assert_eq!(GuiMessage::parse("setoption").message, None);
}

#[test]
fn a_stockfish_line_is_read_whole() {
    let (info, complaints) = info(
        "info depth 24 seldepth 33 multipv 1 score cp 13 wdl 36 937 27 lowerbound nodes 5012345 nps 1512345 \
         hashfull 871 tbhits 0 time 3314 pv e2e4 e7e5 g1f3",
    );
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(info.score, Some(ScoreReport { value: ScoreValue::Centipawns(13), bound: Some(Bound::Lower) }));
    assert_eq!(info.wdl, Wdl::new(36, 27));
    assert_eq!((info.selective_depth, info.hash_full_permille, info.time_ms), (Some(33), Some(871), Some(3314)));
    assert_eq!(texts(&info.pv), ["e2e4", "e7e5", "g1f3"]);
    assert!(info.is_main_line());
}

#[test]
fn everything_the_specification_lists_is_read() {
    let (first, complaints) = info(
        "info currmove e2e4 currmovenumber 1 sbhits 3 cpuload 990 refutation d1h5 g6h5 currline 1 e2e4 e7e5 \
         pv d2d4 score mate -3 string pv score  any text",
    );
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(first.current_move, Some("e2e4".into()));
    assert_eq!(texts(&first.refutation), ["d1h5", "g6h5"]);
    assert_eq!(first.current_line.as_ref().map(|line| (line.cpu, line.moves.len())), Some((Some(1), 2)));
    assert_eq!(first.score.unwrap().value.score(), Score::mated_in(6));
    assert_eq!(first.string.as_deref(), Some("pv score  any text"));
    let (second, complaints) = info("info score lowerbound cp 12 currline e2e4");
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(second.score, Some(ScoreReport { value: ScoreValue::Centipawns(12), bound: Some(Bound::Lower) }));
    assert_eq!(second.current_line.unwrap().cpu, None);
}

#[test]
fn scores_are_measured_in_our_own_units() {
    for (value, score) in [
        (ScoreValue::Mate(1), Score::mate_in(1)),
        (ScoreValue::Mate(3), Score::mate_in(5)),
        (ScoreValue::Mate(0), Score::mated_in(0)),
        (ScoreValue::Mate(-2), Score::mated_in(4)),
        (ScoreValue::Centipawns(-35), Score::centipawns(-35)),
    ] {
        assert_eq!(value.score(), score);
        assert_eq!(ScoreValue::from(score), value);
    }
    assert!(ScoreValue::Mate(i32::MAX).score().is_mate());
    assert!(ScoreValue::Mate(i32::MIN).score() < Score::DRAW);
}

#[test]
fn faults_of_reports_are_listed() {
    let wrong = |line: &str| info(line).1;
    let not_integer = |field, token: &str| Complaint::NotAnInteger { field, token: token.into() };
    assert_eq!(wrong("info nps 1.5e6 time 12.5"), [not_integer("nps", "1.5e6"), not_integer("time", "12.5")]);
    assert_eq!(info("info score cp 1e3").0.score, None);
    assert_eq!(wrong("info score cp 1e3"), [not_integer("cp", "1e3")]);
    assert_eq!(wrong("info score"), [Complaint::Missing { field: "score" }]);
    assert_eq!(wrong("info depth 1 depth 2"), [Complaint::Duplicate { field: "depth" }]);
    assert_eq!(wrong("info hashfull 1001"), [Complaint::OutOfRange { field: "hashfull", token: "1001".into() }]);
    assert_eq!(wrong("info nodes -1"), [Complaint::OutOfRange { field: "nodes", token: "-1".into() }]);
    assert_eq!(wrong("info wdl 500 400 200"), [Complaint::WdlSum { win: 500, draw: 400, loss: 200 }]);
    assert_eq!(wrong("info upperbound").len(), 1);
    assert_eq!(wrong("info pv"), [Complaint::Missing { field: "pv" }]);
    assert_eq!(wrong("info pv e2e4 Nf6 g1f3"), [Complaint::NotAMove { field: "pv", token: "Nf6".into() }]);
    assert_eq!(wrong("info pv e7e8Q"), [Complaint::NotAMove { field: "pv", token: "e7e8Q".into() }]);
    assert_eq!(wrong("info movesleft 40 depth 3"), [Complaint::UnknownToken { token: "movesleft".into() }]);
    let huge = "9".repeat(50);
    let (report, complaints) = info(&format!("info nodes {huge} depth 1e300"));
    assert_eq!((report.nodes, report.depth), (Some(u64::MAX), Some(u32::MAX)));
    assert_eq!(complaints.len(), 3, "{complaints:?}");
}

#[test]
fn options_of_all_types_are_read_in_any_order() {
    let declaration = |name: &str, kind| Some(OptionDeclaration { name: name.into(), kind });
    for (line, expected) in [
        ("option name Nullmove type check default true", declaration("Nullmove", OptionKind::Check { default: true })),
        (
            "option name Selectivity type spin default 2 min 0 max 4",
            declaration("Selectivity", OptionKind::Spin { default: 2, range: 0..=4 }),
        ),
        (
            "option type spin max 4 min -4 default 2 name Some Thing",
            declaration("Some Thing", OptionKind::Spin { default: 2, range: -4..=4 }),
        ),
        (
            "option name Style type combo default Very Normal var Solid var Very Normal var Risky",
            declaration(
                "Style",
                OptionKind::Combo {
                    default: "Very Normal".into(),
                    values: ["Solid", "Very Normal", "Risky"].map(String::from).to_vec(),
                },
            ),
        ),
        (
            "option name NalimovPath type string default c:\\ my  var default",
            declaration("NalimovPath", OptionKind::Text { default: "c:\\ my  var default".into() }),
        ),
        (
            "option name Debug Log File type string default",
            declaration("Debug Log File", OptionKind::Text { default: String::new() }),
        ),
        ("option name Clear Hash type button", declaration("Clear Hash", OptionKind::Button)),
    ] {
        assert_eq!(option(line), (expected, Vec::new()), "{line}");
    }
}

#[test]
fn faults_of_options_are_listed() {
    for (line, is_read, expected) in [
        (
            "option name X type spin default 5 min 0 max 4",
            true,
            Complaint::OutOfRange { field: "default", token: "5".into() },
        ),
        (
            "option name X type spin default 1.5 min 0 max 4",
            true,
            Complaint::NotAnInteger { field: "default", token: "1.5".into() },
        ),
        ("option name X type spin default 1 min 0", true, Complaint::Missing { field: "max" }),
        ("option name X type check default yes", true, Complaint::NotAllowed { field: "default", token: "yes".into() }),
        ("option name X type check", true, Complaint::Missing { field: "default" }),
        (
            "option name X type combo default c var a var b",
            true,
            Complaint::NotAllowed { field: "default", token: "c".into() },
        ),
        ("option name X type slider", false, Complaint::NotAllowed { field: "type", token: "slider".into() }),
        ("option name X", false, Complaint::Missing { field: "type" }),
        ("option type button", false, Complaint::Missing { field: "name" }),
    ] {
        let (option, complaints) = option(line);
        assert_eq!((option.is_some(), complaints), (is_read, vec![expected]), "{line}");
    }
}

#[test]
fn best_moves_are_read_with_and_without_ponder() {
    let read = |line: &str| match EngineMessage::parse(line).message {
        Some(EngineMessage::BestMove(best)) => best,
        other => panic!("{other:?}"),
    };
    let best = |best: Option<&str>, ponder: Option<&str>| BestMove {
        best: best.map(MoveText::from),
        ponder: ponder.map(MoveText::from),
    };
    assert_eq!(read("bestmove e2e4"), best(Some("e2e4"), None));
    assert_eq!(read("bestmove e2e4 ponder e7e5"), best(Some("e2e4"), Some("e7e5")));
    assert_eq!(read("bestmove (none)"), best(None, None));
    assert_eq!(read("bestmove 0000 ponder 0000"), best(None, None));
    assert_eq!(read("bestmove e2e4 ponder (none)"), best(Some("e2e4"), None));
    assert_eq!(read("bestmove"), best(Some(""), None));
    assert_eq!(read("bestmove ponder e7e5"), best(Some(""), Some("e7e5")));
    assert_eq!(read("bestmove Nf3"), best(Some("Nf3"), None));
}

#[test]
fn introductions_keep_their_words() {
    let parsed = EngineMessage::parse("id name Shredder  X (64-bit)\r").message;
    assert_eq!(parsed, Some(EngineMessage::Id(Id::Name("Shredder  X (64-bit)".into()))));
    assert_eq!(EngineMessage::parse("id").message, None);
}

#[test]
fn positions_become_games() {
    let game = position("position startpos moves e2e4 e7e5").resolve().unwrap();
    assert_eq!(game.moves().len(), 2);
    assert_eq!(position("position startpos moves").resolve().unwrap(), GameHistory::default());
    let fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9 moves e1g1 e8c8";
    let game = position(fen).resolve().unwrap();
    assert!(game.moves().iter().all(|mv| mv.castling().is_some()));
    // Four fields are enough for many interfaces.
    assert!(position("position fen 4k3/8/8/8/8/8/8/4K2R w K -").resolve().is_ok());
}

#[test]
fn chess960_castling_is_king_takes_rook() {
    let start = "bnrbkrnq/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR2 w FCfc - 0 1";
    let game = position(&format!("position fen {start} moves e1f1 e7e6")).resolve().unwrap();
    assert!(game.moves()[0].castling().is_some());
    assert_eq!(game.position().piece_at("g1".parse().unwrap()).unwrap().to_char(), 'K');
    let told = PositionMessage::of(&game, CastlingForm::KingTakesRook);
    assert_eq!(told.to_string(), format!("position fen {start} moves e1f1 e7e6"));
    assert_eq!(told.resolve().unwrap(), game);
}

#[test]
fn the_first_illegal_move_is_named() {
    for (line, expected, message) in [
        ("position startpos moves e2e4 e7e5 e4e5 d7d5", 3, "move 3 of the position: e4e5 is not legal here"),
        ("position startpos moves 0000", 1, "move 1 of the position: '0000' is not a move"),
        ("position startpos moves e2e4 Nf6", 2, "move 2 of the position: 'Nf6' is not a move"),
    ] {
        let error = position(line).resolve().unwrap_err();
        assert!(matches!(error, PositionError::Move { number, .. } if number == expected), "{error}");
        assert!(error.to_string().starts_with(message), "{error}");
    }
    assert!(matches!(position("position fen 8/8/8/8 w").resolve(), Err(PositionError::Fen(_))));
    assert_eq!(GuiMessage::parse("position").message, None);
    assert_eq!(GuiMessage::parse("position fen moves e2e4").message, None);
}

#[test]
fn games_are_told_in_both_forms_of_castling() {
    let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let mut game = GameHistory::new(position);
    game.play(game.position().parse_uci("e1g1").unwrap());
    let told = |form| PositionMessage::of(&game, form).to_string();
    assert_eq!(told(CastlingForm::KingMove), "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1");
    assert_eq!(told(CastlingForm::KingTakesRook), "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1");
    assert_eq!(PositionMessage::of(&GameHistory::default(), CastlingForm::KingMove).to_string(), "position startpos");
}
