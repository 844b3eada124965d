//! Engines that misbehave on purpose, each with its own vice.
//!
//! No test depends on anything being quick: only what never happens is waited for briefly.

mod support;

use std::time::{Duration, Instant};

use kiebitz_chess::{CastlingForm, GameHistory, Position};
use kiebitz_uci::{
    Answer, Awaited, BestMoveProblem, Complaint, Engine, EngineError, EngineProblem, Exit, Go, Incident, Limits,
    resolve_line,
};
use support::{BRIEF, PATIENCE, mock, patient, problem, start};

fn ask(engine: &mut Engine) -> Result<Answer, EngineError> {
    engine.search(&GameHistory::default(), &Go::depth(1), PATIENCE, |_, _| {})
}

fn complaints(engine: &mut Engine) -> Vec<Complaint> {
    let complaint = |incident| match incident {
        Incident::Complaint { complaint, .. } => Some(complaint),
        _ => None,
    };
    engine.take_incidents().list.into_iter().filter_map(complaint).collect()
}

#[test]
fn a_missing_program_is_named() {
    let error = Engine::start(kiebitz_uci::EngineCommand::new("/nowhere/at all"), patient()).err().unwrap();
    assert!(error.is_fatal());
    assert!(error.to_string().starts_with("at all: cannot start /nowhere/at all: "), "{error}");
}

#[test]
fn hanging_at_uci_is_noticed() {
    let limits = Limits { start: BRIEF, ..patient() };
    let found = problem(start("hang-at-uci", limits));
    assert!(
        matches!(found, EngineProblem::NoAnswer { awaited: Awaited::UciOk, limit, .. } if limit == BRIEF),
        "{found}"
    );
}

#[test]
fn a_slow_start_is_a_matter_of_the_limit() {
    let limits = Limits { start: Duration::from_millis(50), ..patient() };
    assert!(matches!(problem(start("slow-start", limits)), EngineProblem::NoAnswer { awaited: Awaited::UciOk, .. }));
    assert!(start("slow-start", patient()).is_ok());
}

#[test]
fn dying_at_the_start_is_told_with_its_exit_code() {
    let found = problem(start("die-at-start", patient()));
    assert!(matches!(found, EngineProblem::Died { exit: Exit::Code(42), .. }), "{found}");
}

#[test]
fn hanging_at_isready_is_noticed() {
    let limits = Limits { ready: BRIEF, ..patient() };
    let found = problem(start("hang-at-isready", limits));
    assert!(matches!(found, EngineProblem::NoAnswer { awaited: Awaited::ReadyOk, .. }), "{found}");
}

#[test]
fn hanging_at_go_is_noticed_and_a_restart_helps() {
    for vice in ["hang-at-go", "ignores-stop"] {
        let mut engine = start(vice, Limits { stop: BRIEF, ..patient() }).unwrap();
        engine.set_option("hash", Some("64")).unwrap();
        let error = engine.search(&GameHistory::default(), &Go::depth(1), BRIEF, |_, _| {}).unwrap_err();
        assert!(error.is_fatal(), "{error}");
        assert!(matches!(*error.problem, EngineProblem::NoAnswer { awaited: Awaited::BestMove, .. }), "{error}");
        assert!(engine.is_searching());
        let first = engine.process().id();
        engine.restart().unwrap();
        assert!(!engine.is_searching());
        assert_ne!(engine.process().id(), first);
        assert_eq!(engine.restarts(), 1);
    }
}

#[test]
fn death_is_told_with_status_and_last_words() {
    let mut engine = start("die-at-go", patient()).unwrap();
    let found = problem(ask(&mut engine));
    let EngineProblem::Died { awaited, exit, stderr } = found else { panic!("{found}") };
    assert_eq!((awaited, exit, stderr.len()), (Awaited::BestMove, Exit::Code(42), 0));
    // The dead stay dead until they are restarted.
    assert!(matches!(problem(ask(&mut engine)), EngineProblem::Died { exit: Exit::Code(42), .. }));
    engine.restart().unwrap();
    assert!(engine.synchronise().is_ok());

    let mut engine = start("die-with-stderr", patient()).unwrap();
    let error = ask(&mut engine).unwrap_err();
    let EngineProblem::Died { exit, stderr, .. } = &*error.problem else { panic!("{error}") };
    #[cfg(unix)]
    assert_eq!(*exit, Exit::Signal(6));
    assert_eq!(stderr.last().unwrap(), "assertion failed: accumulator is not computed");
    assert!(error.to_string().contains("accumulator is not computed"), "{error}");
}

#[test]
fn a_flood_is_dammed() {
    let mut engine = start("flood", Limits { lines_per_second: 3000, ..patient() }).unwrap();
    let error = ask(&mut engine).unwrap_err();
    assert!(matches!(*error.problem, EngineProblem::Flood { lines_per_second: 3000 }), "{error}");
    assert!(error.is_fatal());
}

#[test]
fn a_flood_that_nobody_reads_does_not_keep_us_from_killing() {
    let mut engine = start("flood", patient()).unwrap();
    engine.go(&GameHistory::default(), &Go::infinite()).unwrap();
    // Time for queue and pipe to fill; the test holds without it too.
    std::thread::sleep(BRIEF);
    let begun = Instant::now();
    drop(engine);
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn a_flood_does_not_stretch_a_wait() {
    let mut engine = start("flood", Limits { lines_per_second: u32::MAX, ..patient() }).unwrap();
    engine.go(&GameHistory::default(), &Go::infinite()).unwrap();
    let begun = Instant::now();
    assert_eq!(engine.wait(BRIEF, |_, _| {}).unwrap(), None);
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn a_line_without_end_is_cut_and_dammed() {
    let mut engine = start("no-newline-flood", patient()).unwrap();
    let found = problem(ask(&mut engine));
    assert!(matches!(found, EngineProblem::Flood { .. }), "{found}");
    assert!(complaints(&mut engine).contains(&Complaint::LineTooLong { limit: Limits::default().longest_line }));
}

#[test]
fn much_talk_on_standard_error_blocks_nobody() {
    let mut engine = start("stderr-flood", Limits { stderr_lines: 7, ..patient() }).unwrap();
    assert!(ask(&mut engine).is_ok());
    assert!(engine.process().stderr().len() <= 7);
}

#[test]
fn answers_that_are_no_legal_moves_are_told_apart() {
    let answer = |vice| problem(ask(&mut start(vice, patient()).unwrap()));
    let fen = Position::default().to_string();
    for (vice, expected) in [
        ("illegal-move", BestMoveProblem::Illegal { text: "a1a1".into(), fen: fen.clone() }),
        ("null-move", BestMoveProblem::NoMove { fen: fen.clone() }),
        ("empty-bestmove", BestMoveProblem::Unreadable { text: String::new(), fen: fen.clone() }),
        ("garbage", BestMoveProblem::Unreadable { text: "O-O!?".into(), fen: fen.clone() }),
    ] {
        let found = answer(vice);
        assert!(matches!(&found, EngineProblem::BestMove(problem) if *problem == expected), "{vice}: {found}");
    }
}

#[test]
fn an_illegal_answer_does_not_end_the_conversation() {
    let mut engine = start("illegal-move", patient()).unwrap();
    assert!(!ask(&mut engine).unwrap_err().is_fatal());
    assert!(engine.new_game().is_ok());
}

#[test]
fn garbage_is_reported_line_by_line() {
    let mut engine = start("garbage", patient()).unwrap();
    assert!(ask(&mut engine).is_err());
    let complaints = complaints(&mut engine);
    let unknown = complaints.iter().filter(|complaint| matches!(complaint, Complaint::UnknownMessage { .. })).count();
    assert_eq!(unknown, 2);
    assert!(complaints.contains(&Complaint::Missing { field: "depth" }));
    assert!(complaints.contains(&Complaint::NotAMove { field: "bestmove", token: "O-O!?".into() }));
}

#[test]
fn numbers_that_are_no_integers_are_reported() {
    let mut engine = start("non-integers", patient()).unwrap();
    let mut last = None;
    engine.search(&GameHistory::default(), &Go::depth(1), PATIENCE, |info, _| last = Some(info.clone())).unwrap();
    let info = last.unwrap();
    assert_eq!(
        (info.score, info.nodes, info.nodes_per_second, info.time_ms),
        (None, Some(20), Some(1_500_000), Some(12))
    );
    let fields: Vec<_> = complaints(&mut engine)
        .into_iter()
        .map(|complaint| match complaint {
            Complaint::NotAnInteger { field, token } => (field, token),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(fields, [("cp", "0.35".to_owned()), ("nps", "1.5e6".to_owned()), ("time", "12.5".to_owned())]);
}

#[test]
fn a_game_hears_of_the_last_report() {
    for (vice, depth, complained) in [("good", Some(1), 0), ("illegal-pv", Some(3), 0), ("invalid-utf8", None, 1)] {
        let mut engine = start(vice, patient()).unwrap();
        engine.take_incidents();
        engine.go(&GameHistory::default(), &Go::depth(1)).unwrap();
        let answer = engine.wait_for_answer(PATIENCE).unwrap().unwrap();
        assert_eq!((answer.infos, answer.info.and_then(|info| info.depth)), (1, depth), "{vice}");
        assert_eq!(complaints(&mut engine).len(), complained, "{vice}");
    }
    let mut engine = start("non-integers", patient()).unwrap();
    engine.go(&GameHistory::default(), &Go::depth(1)).unwrap();
    assert_eq!(engine.wait_for_answer(PATIENCE).unwrap().unwrap().info, None);
    assert_eq!(complaints(&mut engine).len(), 3);
}

#[test]
fn an_illegal_line_of_play_is_told_by_its_ply() {
    let mut engine = start("illegal-pv", patient()).unwrap();
    let info = ask(&mut engine).unwrap().info.unwrap();
    let error = resolve_line(&Position::default(), &info.pv).unwrap_err();
    assert_eq!((error.ply, error.legal.len()), (3, 2));
}

#[test]
fn an_illegal_ponder_move_is_dropped() {
    let mut engine = start("illegal-ponder", patient()).unwrap();
    assert_eq!(ask(&mut engine).unwrap().ponder, None);
    assert_eq!(engine.take_incidents().list, [Incident::IllegalPonder("a1a1".into())]);
}

#[test]
fn castling_in_the_wrong_form_is_understood_and_reported() {
    let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    for form in [CastlingForm::KingMove, CastlingForm::KingTakesRook] {
        let mut engine = start("wrong-castling", patient()).unwrap();
        engine.set_castling_form(form).unwrap();
        let answer = engine.search(&GameHistory::new(position.clone()), &Go::depth(1), PATIENCE, |_, _| {}).unwrap();
        assert!(answer.best.unwrap().castling().is_some());
        let incidents = engine.take_incidents().list;
        assert!(matches!(incidents.as_slice(), [Incident::CastlingForm(_)]), "{incidents:?}");
    }
}

#[test]
fn a_late_answer_is_not_taken_for_the_next_one() {
    let mut engine = start("late-bestmove", Limits { stop: BRIEF, ..patient() }).unwrap();
    let found = problem(engine.search(&GameHistory::default(), &Go::depth(1), BRIEF, |_, _| {}));
    assert!(matches!(found, EngineProblem::NoAnswer { awaited: Awaited::BestMove, .. }), "{found}");
    // The next search first waits for the answer to the last one.
    let mut game = GameHistory::default();
    game.play(game.position().parse_uci("e2e4").unwrap());
    engine.go(&game, &Go::depth(1)).unwrap();
    assert!(matches!(engine.take_incidents().list.as_slice(), [Incident::StaleBestMove(_)]));
    engine.stop().unwrap();
    let answer = engine.wait(PATIENCE, |_, _| {}).unwrap().unwrap();
    assert!(game.position().is_legal(answer.best.unwrap()));
    assert!(engine.take_incidents().is_empty());
}

#[test]
fn a_second_answer_is_not_taken_for_the_next_one() {
    // At once, or when the next position is told: only a pause between that and `go` tells them apart.
    for vice in ["two-bestmoves", "repeats-bestmove"] {
        let mut engine = start(vice, patient()).unwrap();
        let mut game = GameHistory::default();
        for _ in 0..4 {
            let answer = engine.search(&game, &Go::depth(1), PATIENCE, |_, _| {}).unwrap();
            game.play(answer.best.unwrap());
        }
        engine.synchronise().unwrap();
        let incidents = engine.take_incidents().list;
        assert_eq!(incidents.len(), 4, "{vice}: {incidents:?}");
        assert!(incidents.iter().all(|incident| matches!(incident, Incident::UnaskedBestMove(_))), "{incidents:?}");
    }
}

#[test]
fn an_unasked_answer_is_not_taken() {
    let mut engine = start("unasked-bestmove", patient()).unwrap();
    assert!(ask(&mut engine).is_ok());
    let incidents = engine.take_incidents().list;
    assert!(!incidents.is_empty() && incidents.iter().all(|found| matches!(found, Incident::UnaskedBestMove(_))));
}

#[test]
fn an_answer_before_stop_is_reported() {
    for go in [Go::infinite(), Go { ponder: true, ..Go::default() }] {
        let mut engine = start("premature-bestmove", patient()).unwrap();
        engine.go(&GameHistory::default(), &go).unwrap();
        assert!(engine.wait(PATIENCE, |_, _| {}).unwrap().is_some());
        let incidents = engine.take_incidents().list;
        assert!(matches!(incidents.as_slice(), [Incident::PrematureBestMove(_)]), "{incidents:?}");
    }
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let limits = Limits { ready: BRIEF, write: BRIEF, ..patient() };
    let found = problem(start("deaf", limits));
    assert!(matches!(found, EngineProblem::NoAnswer { awaited: Awaited::ReadyOk, .. }), "{found}");

    #[cfg(unix)]
    {
        let limits = Limits { write: BRIEF, ..patient() };
        let mut process = kiebitz_uci::EngineProcess::spawn(&mock("deaf"), &limits).unwrap();
        process.send("uci").unwrap();
        while let kiebitz_uci::Received::Line(line) = process.receive(Instant::now() + PATIENCE) {
            if line.text == "uciok" {
                break;
            }
        }
        let long = "x".repeat(1 << 20);
        assert_eq!(process.send(long).unwrap_err().kind(), std::io::ErrorKind::TimedOut);
    }
}

#[test]
fn an_engine_that_will_not_quit_is_killed() {
    let mut engine = start("ignores-quit", Limits { quit: BRIEF, ..patient() }).unwrap();
    let id = engine.process().id();
    let found = problem(engine.quit());
    assert!(matches!(found, EngineProblem::NoAnswer { awaited: Awaited::Exit, .. }), "{found}");
    assert_gone(id);
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_reported() {
    let mut engine = start("invalid-utf8", patient()).unwrap();
    assert_eq!(engine.name(), "M\u{fffd}ck");
    let mut strings = Vec::new();
    engine
        .search(&GameHistory::default(), &Go::depth(1), PATIENCE, |info, _| strings.extend(info.string.clone()))
        .unwrap();
    assert_eq!(strings, ["\u{fffd}("]);
    assert_eq!(complaints(&mut engine), [Complaint::NotUtf8, Complaint::NotUtf8]);
}

#[test]
fn no_zombie_stays_behind() {
    for vice in ["good", "ignores-stop", "flood", "ignores-quit"] {
        let mut engine = start(vice, patient()).unwrap();
        let id = engine.process().id();
        engine.go(&GameHistory::default(), &Go::infinite()).unwrap();
        drop(engine);
        assert_gone(id);
    }
}

/// Not even as a zombie. Only Linux lets us look.
fn assert_gone(id: u32) {
    #[cfg(target_os = "linux")]
    assert!(!std::path::Path::new(&format!("/proc/{id}")).exists(), "process {id} is still there");
    #[cfg(not(target_os = "linux"))]
    let _ = id;
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_behind_a_script_dies_with_it() {
    let mut command = kiebitz_uci::EngineCommand::new("sh").argument("-c").argument("\"$MOCK\" ignores-quit; true");
    command.environment.push(("MOCK".into(), env!("CARGO_BIN_EXE_uci-mock-engine").into()));
    let mut engine = Engine::start(command, patient()).unwrap();
    let inner: u32 = engine.author().unwrap().strip_prefix("process ").unwrap().parse().unwrap();
    assert_ne!(inner, engine.process().id());
    drop(engine);
    // It is not our child: whoever inherits it reaps it, if only as a zombie that holds nothing.
    let begun = Instant::now();
    while std::fs::read_to_string(format!("/proc/{inner}/stat")).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(begun.elapsed() < PATIENCE, "process {inner} lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}
