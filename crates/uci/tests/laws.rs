//! Laws of the messages: what is written is read back the same; no text breaks anything.

#[path = "support/round_trips.rs"]
mod round_trips;

use kiebitz_chess::{PieceKind, Square, Wdl};
use kiebitz_uci::{
    BestMove, Bound, CurrentLine, EngineMessage, Go, GuiMessage, Id, Info, MoveText, OptionDeclaration, OptionKind,
    PositionMessage, Register, ScoreReport, ScoreValue, StartPosition, Verdict,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn move_text() -> impl Strategy<Value = MoveText> {
    let promotion = prop_oneof![
        5 => Just(None),
        1 => prop::sample::select(&[PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen][..])
            .prop_map(Some),
    ];
    (prop::sample::select(&Square::ALL[..]), prop::sample::select(&Square::ALL[..]), promotion)
        .prop_map(|(from, to, promotion)| MoveText::Squares { from, to, promotion })
}

/// Moves with a few words among them that are none.
fn any_moves(most: usize) -> impl Strategy<Value = Vec<MoveText>> {
    let word = prop_oneof![
        20 => move_text(),
        1 => Just(MoveText::Null),
        1 => "[!-~]{1,6}é?x".prop_map(|word| MoveText::from(word.as_str())),
    ];
    vec(word, 0..most)
}

/// One or more words; none of them has a meaning of its own anywhere.
fn text() -> impl Strategy<Value = String> {
    "[A-Z0-9_.:/é-]{1,6}( {1,2}[A-Z0-9_/é-]{1,6}){0,3}"
}

fn go() -> impl Strategy<Value = Go> {
    let clocks = (of(any::<i64>()), of(any::<i64>()), of(any::<i64>()), of(any::<i64>()));
    let limits = (of(any::<u32>()), of(any::<u32>()), of(any::<u64>()), of(any::<u32>()), of(any::<u64>()));
    (clocks, limits, of(any::<u32>()), any::<(bool, bool)>(), any_moves(5)).prop_map(
        |(clocks, limits, perft, (ponder, infinite), search_moves)| Go {
            search_moves,
            ponder,
            white_time_ms: clocks.0,
            black_time_ms: clocks.1,
            white_increment_ms: clocks.2,
            black_increment_ms: clocks.3,
            moves_to_go: limits.0,
            depth: limits.1,
            nodes: limits.2,
            mate: limits.3,
            move_time_ms: limits.4,
            infinite,
            perft,
        },
    )
}

fn gui_message() -> impl Strategy<Value = GuiMessage> {
    let start = prop_oneof![Just(StartPosition::Standard), text().prop_map(StartPosition::Fen)];
    prop_oneof![
        prop::sample::select(
            &[
                GuiMessage::Uci,
                GuiMessage::Debug(true),
                GuiMessage::Debug(false),
                GuiMessage::IsReady,
                GuiMessage::Register(Register::Later),
                GuiMessage::NewGame,
                GuiMessage::Stop,
                GuiMessage::PonderHit,
                GuiMessage::Quit,
            ][..]
        ),
        (text(), of(prop_oneof![text(), Just(String::new())]))
            .prop_map(|(name, value)| GuiMessage::SetOption { name, value }),
        (text(), text()).prop_map(|(name, code)| GuiMessage::Register(Register::As { name, code })),
        (start, any_moves(20)).prop_map(|(start, moves)| GuiMessage::Position(PositionMessage { start, moves })),
        go().prop_map(|go| GuiMessage::Go(Box::new(go))),
    ]
}

fn score() -> impl Strategy<Value = ScoreReport> {
    let value = prop_oneof![any::<i32>().prop_map(ScoreValue::Centipawns), any::<i32>().prop_map(ScoreValue::Mate)];
    (value, of(prop_oneof![Just(Bound::Lower), Just(Bound::Upper)]))
        .prop_map(|(value, bound)| ScoreReport { value, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let wdl =
        (0..=1000u16).prop_flat_map(|win| (Just(win), 0..=1000 - win)).prop_map(|(win, loss)| Wdl::new(win, loss));
    let first = (of(any::<u32>()), of(any::<u32>()), of(any::<u32>()), of(score()), prop_oneof![Just(None), wdl]);
    let counts = (of(any::<u64>()), of(any::<u64>()), of(any::<u64>()), of(any::<u64>()), of(any::<u64>()));
    let loads = (of(any::<u32>()), of(any::<u32>()), of(any::<u32>()));
    let line = (of(any::<u32>()), vec(move_text(), 0..4)).prop_map(|(cpu, moves)| CurrentLine { cpu, moves });
    let moves = (of(move_text()), any_moves(4), of(line), any_moves(30));
    (first, counts, loads, moves, of(text())).prop_map(|(first, counts, loads, moves, string)| Info {
        depth: first.0,
        selective_depth: first.1,
        multi_pv: first.2,
        score: first.3,
        wdl: first.4,
        nodes: counts.0,
        nodes_per_second: counts.1,
        tablebase_hits: counts.2,
        shredder_base_hits: counts.3,
        time_ms: counts.4,
        hash_full_permille: loads.0,
        cpu_load_permille: loads.1,
        current_move_number: loads.2,
        current_move: moves.0,
        refutation: moves.1,
        current_line: moves.2,
        pv: moves.3,
        string,
    })
}

fn option() -> impl Strategy<Value = OptionDeclaration> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<(i64, i64, i64)>().prop_map(|(default, min, max)| OptionKind::Spin { default, range: min..=max }),
        (text(), vec(text(), 0..5)).prop_map(|(default, values)| OptionKind::Combo { default, values }),
        Just(OptionKind::Button),
        prop_oneof![text(), Just(String::new())].prop_map(|default| OptionKind::Text { default }),
    ];
    (text(), kind).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn engine_message() -> impl Strategy<Value = EngineMessage> {
    let verdict = || prop::sample::select(&[Verdict::Checking, Verdict::Ok, Verdict::Error][..]);
    let unreadable = Just(MoveText::from("Nf3"));
    let best = (of(prop_oneof![9 => move_text(), 1 => unreadable, 1 => Just(MoveText::from(""))]), of(move_text()))
        .prop_map(|(best, ponder)| BestMove { best, ponder });
    prop_oneof![
        text().prop_map(|name| EngineMessage::Id(Id::Name(name))),
        text().prop_map(|author| EngineMessage::Id(Id::Author(author))),
        Just(EngineMessage::UciOk),
        Just(EngineMessage::ReadyOk),
        best.prop_map(EngineMessage::BestMove),
        verdict().prop_map(EngineMessage::CopyProtection),
        verdict().prop_map(EngineMessage::Registration),
        info().prop_map(|info| EngineMessage::Info(Box::new(info))),
        option().prop_map(EngineMessage::Option),
    ]
}

/// Lines made of the protocol's own words in any order: these come further than random letters do.
fn salad() -> impl Strategy<Value = String> {
    let words = [
        "uci",
        "debug",
        "on",
        "isready",
        "setoption",
        "name",
        "value",
        "register",
        "later",
        "code",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "infinite",
        "perft",
        "stop",
        "id",
        "author",
        "bestmove",
        "(none)",
        "0000",
        "info",
        "seldepth",
        "score",
        "cp",
        "lowerbound",
        "wdl",
        "nps",
        "hashfull",
        "currmove",
        "currline",
        "pv",
        "string",
        "option",
        "type",
        "check",
        "spin",
        "combo",
        "button",
        "default",
        "min",
        "max",
        "var",
        "true",
        "<empty>",
        "e2e4",
        "e7e8Q",
        "e7e8q",
        "O-O",
        "1",
        "-7",
        "1.5",
        "1e9",
        "99999999999999999999999999999999999999999999",
        "+",
        "-",
        ".",
        "é",
        "\r",
        "\t",
        "  ",
        "\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "w",
        "KQkq",
        "copyprotection",
        "registration",
        "ok",
    ];
    vec(prop::sample::select(words.to_vec()), 0..25).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages_to_engines_come_back_the_same(message in gui_message()) {
        let written = message.to_string();
        prop_assert_eq!(GuiMessage::parse(&written).message, Some(message.clone()), "{}", written);
        let spaced = format!("\t{}  \r\n", written.replace(' ', if written.contains("  ") { " " } else { " \t " }));
        if !matches!(message, GuiMessage::SetOption { .. } | GuiMessage::Register(_) | GuiMessage::Position(_)) {
            prop_assert_eq!(GuiMessage::parse(&spaced).message, Some(message), "{}", spaced);
        }
    }

    #[test]
    fn messages_from_engines_come_back_the_same(message in engine_message()) {
        let written = message.to_string();
        prop_assert_eq!(EngineMessage::parse(&written).message, Some(message), "{}", written);
    }

    #[test]
    fn a_well_formed_order_is_read_without_complaint(mut go in go()) {
        go.search_moves.retain(MoveText::is_readable);
        let parsed = GuiMessage::parse(&go.to_string());
        prop_assert_eq!(parsed.faultless(), Some(GuiMessage::Go(Box::new(go))));
    }

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        round_trips::gui(&text);
        round_trips::engine(&text);
    }

    #[test]
    fn any_words_are_survived(text in salad()) {
        round_trips::gui(&text);
        round_trips::engine(&text);
        for first in ["option name X ", "info ", "go ", "position fen ", "setoption name ", "bestmove "] {
            round_trips::gui(&format!("{first}{text}"));
            round_trips::engine(&format!("{first}{text}"));
        }
    }

    #[test]
    fn no_text_smuggles_a_line(text in any::<String>()) {
        let text = format!("{text}\nquit\r\nquit");
        round_trips::one_line(&GuiMessage::SetOption { name: text.clone(), value: Some(text.clone()) }.to_string());
        round_trips::one_line(&MoveText::from(text.as_str()).to_string());
        let message = PositionMessage { start: StartPosition::Fen(text.clone()), moves: vec![text.as_str().into()] };
        round_trips::one_line(&message.to_string());
        let info = Info { string: Some(text), ..Info::default() };
        round_trips::one_line(&info.to_string());
    }
}
