//! A conversation with a real engine, where one is installed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kiebitz_chess::{CastlingForm, GameHistory, Position};
use kiebitz_uci::{Engine, EngineCommand, Exit, Go, Limits, OptionKind, find_option, resolve_line};

/// What a small search may take on a machine that does ten other things.
const PATIENCE: Duration = Duration::from_secs(60);

fn stockfish() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).chain([PathBuf::from("/usr/games")]);
    places.find_map(|folder| Some(folder.join("stockfish")).filter(|path| Path::is_file(path)))
}

#[test]
fn stockfish_plays_by_the_rules() {
    let Some(program) = stockfish() else {
        println!("skipped: no stockfish is installed");
        return;
    };
    let command = EngineCommand::new(program).option("Threads", "1").option("hash", "16").option("UCI_ShowWDL", "true");
    let mut engine = Engine::start(command, Limits { start: PATIENCE, quit: PATIENCE, ..Limits::default() }).unwrap();
    assert!(engine.name().starts_with("Stockfish"), "{}", engine.name());
    assert!(engine.author().is_some());
    let hash = find_option(engine.options(), "Hash").unwrap();
    assert!(matches!(hash.kind, OptionKind::Spin { default: 16, .. }));
    assert!(engine.set_option("Hash", Some("0")).is_err());
    engine.new_game().unwrap();

    let mut game = GameHistory::default();
    for _ in 0..6 {
        let root = game.position().clone();
        let answer = engine
            .search(&game, &Go::nodes(1000), PATIENCE, |info, _| {
                resolve_line(&root, &info.pv).unwrap();
                assert!(info.score.is_none() || info.wdl.is_some());
            })
            .unwrap();
        let info = answer.info.unwrap();
        assert!(info.nodes.unwrap() < 10_000);
        assert_eq!(resolve_line(&root, &info.pv).unwrap().first().copied(), answer.best);
        game.play(answer.best.unwrap());
    }

    // Both kinds of chess, each with its own way to write castling.
    for (fen, form, castles) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", CastlingForm::KingMove, "e1g1"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", CastlingForm::KingTakesRook, "f1g1"),
    ] {
        let position: Position = fen.parse().unwrap();
        engine.set_castling_form(form).unwrap();
        let only = vec![castles.into()];
        let order = Go { nodes: Some(1000), search_moves: only, ..Go::default() };
        let answer = engine.search(&GameHistory::new(position.clone()), &order, PATIENCE, |_, _| {});
        let best = answer.unwrap().best.unwrap();
        assert_eq!(position.uci(best, form), castles);
        assert!(best.castling().is_some());
    }

    engine.go(&game, &Go::infinite()).unwrap();
    engine.synchronise().unwrap();
    engine.stop().unwrap();
    assert!(engine.wait(PATIENCE, |_, _| {}).unwrap().unwrap().best.is_some());
    let incidents = engine.take_incidents();
    assert!(incidents.is_empty(), "{:?}", incidents.list);
    assert_eq!(engine.quit().unwrap(), Exit::Code(0));
}
