//! What a player does with its options.

use super::*;

#[test]
fn every_option_takes_its_default() {
    let mut engine = Engine::new(Clock::system());
    for option in Engine::options() {
        let default = match &option.kind {
            crate::OptionKind::Check { default } => Some(default.to_string()),
            crate::OptionKind::Spin { default, range } => {
                assert!(range.contains(default), "{}", option.name);
                Some(default.to_string())
            }
            crate::OptionKind::Combo { default, .. } | crate::OptionKind::Text { default } => {
                Some((*default).to_string())
            }
            crate::OptionKind::Button => None,
        };
        assert_eq!(engine.set_option(option.name, default.as_deref()), Ok(None), "{}", option.name);
    }
    assert!(matches!(engine.set_option("Nonsense", None), Err(SetOptionError::Unknown(_))));
}

#[test]
fn weak_play_repeats_and_stays_legal() {
    let mut engine = Engine::new(Clock::system());
    engine.set_option("uci_limitstrength", Some("true")).unwrap();
    engine.set_option("UCI_Elo", Some("1000")).unwrap();
    let mut game = GameHistory::default();
    for _ in 0..30 {
        let mut search = || {
            engine.new_game();
            engine.search(&game, &SearchLimits::depth(20), &SearchSignal::new(), &mut |_| ())
        };
        let result = search();
        assert_eq!(result, search());
        let Some(mv) = result.best else { break };
        assert!(game.position().is_legal(mv));
        game.play(mv);
    }
}

#[test]
fn the_evaluation_that_was_chosen_outlasts_its_file() {
    const SMALL_NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/small.net.gz");
    let is_network = |engine: &Engine| matches!(engine.searcher.settings().evaluation, Evaluation::Network(_));
    for file in ["", SMALL_NETWORK] {
        for chosen in ["handcrafted", "material and tables"] {
            let mut engine = Engine::new(Clock::system());
            engine.set_option("Evaluation", Some(chosen)).unwrap();
            engine.set_option("EvalFile", Some(file)).unwrap();
            assert!(!is_network(&engine), "{chosen}, {file}");
            engine.set_option("Evaluation", Some("network")).unwrap();
            assert!(is_network(&engine), "{chosen}, {file}");
        }
    }
}
