//! Conversations with an engine that does nothing wrong.

mod support;

use std::time::Duration;

use kiebitz_chess::{CastlingForm, GameHistory, Position};
use kiebitz_uci::{Direction, Engine, EngineProblem, Exit, Go, OptionError, OptionKind, resolve_line};
use support::{BRIEF, PATIENCE, mock, patient, problem, start};

#[test]
fn a_good_engine_plays_a_game_without_incident() {
    let mut engine = Engine::start(mock("good").argument("7"), patient()).unwrap();
    assert_eq!(engine.name(), "Mock");
    assert!(engine.author().unwrap().starts_with("process "));
    engine.new_game().unwrap();
    let mut game = GameHistory::default();
    for _ in 0..40 {
        let mut infos = 0;
        let root = game.position().clone();
        let answer = engine
            .search(&game, &Go::depth(1), PATIENCE, |info, _| {
                infos += 1;
                assert!(resolve_line(&root, &info.pv).is_ok());
            })
            .unwrap();
        assert_eq!((infos, answer.infos), (1, 1));
        assert_eq!(answer.info.unwrap().depth, Some(1));
        let Some(best) = answer.best else { break };
        game.play(best);
        assert!(answer.ponder.is_none_or(|mv| game.position().is_legal(mv)));
    }
    assert!(engine.take_incidents().is_empty());
    assert_eq!(engine.forwarding().summary().unwrap().count, game.moves().len() as u64);
    assert!(engine.round_trips().summary().unwrap().count > 40);
    assert_eq!(engine.quit().unwrap(), Exit::Code(0));
}

#[test]
fn no_move_is_the_right_answer_when_there_is_none() {
    let mut engine = start("good", patient()).unwrap();
    let mated: Position = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse().unwrap();
    let answer = engine.search(&GameHistory::new(mated), &Go::depth(1), PATIENCE, |_, _| {}).unwrap();
    assert_eq!(answer.best, None);
}

#[test]
fn infinite_searches_are_stopped_and_ponder_searches_hit() {
    let mut engine = start("good", patient()).unwrap();
    engine.go(&GameHistory::default(), &Go::infinite()).unwrap();
    assert_eq!(engine.wait(BRIEF, |_, _| {}).unwrap(), None);
    // Ready also during a search, and nothing is lost meanwhile.
    engine.synchronise().unwrap();
    engine.stop().unwrap();
    assert!(engine.wait(PATIENCE, |_, _| {}).unwrap().unwrap().best.is_some());
    assert!(matches!(problem(engine.wait(BRIEF, |_, _| {})), EngineProblem::NotSearching));
    // Stopping what does not run is harmless.
    engine.stop().unwrap();

    engine.go(&GameHistory::default(), &Go { ponder: true, ..Go::default() }).unwrap();
    assert_eq!(engine.wait(Duration::ZERO, |_, _| {}).unwrap(), None);
    engine.synchronise().unwrap();
    engine.ponder_hit().unwrap();
    let answer = engine.wait(PATIENCE, |_, _| {}).unwrap().unwrap();
    assert!(answer.best.is_some());
    assert_eq!(answer.infos, 1);
    assert!(engine.take_incidents().is_empty());
}

#[test]
fn options_are_checked_against_what_is_offered() {
    let mut engine = start("options-of-all-types", patient()).unwrap();
    assert_eq!(engine.options().len(), 7);
    for (name, value) in [
        ("playing  style", Some("very risky")),
        ("CLEAR HASH", None),
        ("Book File", Some("C:\\my  books\\x.bin")),
        ("own book", Some("FALSE")),
        ("Contempt", Some("-100")),
    ] {
        engine.set_option(name, value).unwrap();
    }
    let mut refuse = |name: &str, value| match problem(engine.set_option(name, value)) {
        EngineProblem::Option(error) => error,
        other => panic!("{other}"),
    };
    let unknown = refuse("Hsah", Some("1"));
    assert!(matches!(&unknown, OptionError::Unknown { offered, .. } if offered.contains(&"Hash".to_owned())));
    assert!(unknown.to_string().contains("Hash, UCI_Chess960, Playing Style"), "{unknown}");
    assert_eq!(refuse("Hash", Some("0")).to_string(), "option 'Hash': 0 is not within 1..=1024");
    assert!(matches!(refuse("Hash", Some("1.5")), OptionError::NotAnInteger { .. }));
    let style = refuse("Playing Style", Some("Risky"));
    assert_eq!(style.to_string(), "option 'Playing Style': 'Risky' is not one of Solid, Normal, Very Risky");
    assert!(matches!(refuse("Own Book", Some("maybe")), OptionError::NotOffered { .. }));
    assert!(matches!(refuse("Clear Hash", Some("now")), OptionError::Value { button: true, .. }));
    assert!(matches!(refuse("Own Book", None), OptionError::Value { button: false, .. }));
    assert!(engine.synchronise().is_ok());
}

#[test]
fn wrong_options_are_told_at_the_start() {
    let found = problem(Engine::start(mock("good").option("Threads", "2"), patient()));
    assert!(matches!(found, EngineProblem::Option(OptionError::Unknown { .. })), "{found}");
}

#[test]
fn settings_survive_a_restart() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let observer = move |direction, _, line: &str| {
        if direction == Direction::ToEngine {
            sender.send(line.to_owned()).unwrap();
        }
    };
    let mut engine = Engine::start_observed(mock("good").option("hash", "32"), patient(), observer).unwrap();
    engine.set_castling_form(CastlingForm::KingTakesRook).unwrap();
    engine.set_option("Hash", Some("64")).unwrap();
    let first: Vec<_> = receiver.try_iter().collect();
    let chess960 = "setoption name UCI_Chess960 value true";
    assert_eq!(first, ["uci", "setoption name Hash value 32", "isready", chess960, "setoption name Hash value 64"]);
    engine.restart().unwrap();
    let second: Vec<_> = receiver.try_iter().collect();
    assert_eq!(second, ["uci", "setoption name Hash value 64", chess960, "isready"]);
    assert_eq!(engine.castling_form(), CastlingForm::KingTakesRook);
    assert!(matches!(engine.options()[0].kind, OptionKind::Spin { default: 16, .. }));

    let position: Position = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
    engine.search(&GameHistory::new(position), &Go::depth(1), PATIENCE, |_, _| {}).unwrap();
    let third: Vec<_> = receiver.try_iter().collect();
    assert_eq!(third, ["position fen 4k3/8/8/8/8/8/8/5K1R w H - 0 1", "isready", "go depth 1"]);
}

#[test]
fn a_game_of_chess960_switches_the_engine() {
    let mut engine = start("good", patient()).unwrap();
    let position: Position = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
    engine.search(&GameHistory::new(position), &Go::depth(1), PATIENCE, |_, _| {}).unwrap();
    assert_eq!(engine.castling_form(), CastlingForm::KingTakesRook);
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_runs_on_its_processors() {
    use kiebitz_uci::{Pinning, available_cpus};

    let cpu = *available_cpus().unwrap().last().unwrap();
    let mut command = mock("good");
    command.cpus = vec![cpu];
    let mut engine = Engine::start(command, patient()).unwrap();
    let allowed = |engine: &mut Engine| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.process().id())).unwrap();
        status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim().to_owned()
    };
    assert_eq!(engine.process().pinning(), Some(Pinning::Done));
    assert_eq!(allowed(&mut engine), cpu.to_string());
    engine.pin(&available_cpus().unwrap()).unwrap();
    engine.pin(&[cpu]).unwrap();
    assert_eq!(allowed(&mut engine), cpu.to_string());
    let found = problem(engine.pin(&[100_000]));
    assert!(matches!(found, EngineProblem::Affinity(_)), "{found}");
}

#[test]
fn engines_travel_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<Engine>();
}
