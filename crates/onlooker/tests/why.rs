//! Reasons for moves in positions where everybody knows them.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use kiebitz_chess::GameHistory;
use kiebitz_messages::{Evidence, MoveExplanation};
use kiebitz_onlooker::Desk;
use kiebitz_onlooker::why::explain_move;
use kiebitz_search::{Clock, SearchSignal};

fn game(start: Option<&str>, sans: &str) -> GameHistory {
    let mut history = start.map_or_else(GameHistory::default, |fen| GameHistory::new(fen.parse().unwrap()));
    for san in sans.split_whitespace() {
        history.play(history.position().parse_san(san).unwrap());
    }
    history
}

fn why(history: &GameHistory, san: &str) -> MoveExplanation {
    let played = history.position().parse_san(san).unwrap();
    let mut desk = Desk::new(Clock::system());
    explain_move(&mut desk, history, Some(played), &SearchSignal::new()).expect("an explanation")
}

fn told(explanation: &MoveExplanation, wanted: impl Fn(&Evidence) -> bool) -> String {
    let found = explanation.sentences.iter().find(|sentence| wanted(&sentence.evidence));
    found.unwrap_or_else(|| panic!("not told in {:#?}", explanation.sentences)).text.clone()
}

const SCHOLAR: &str = "e4 e5 Qh5 Nc6";

#[test]
fn mate_on_the_board_is_all_there_is_to_say() {
    let reason = why(&game(None, "e4 e5 Qh5 Nc6 Bc4 Nf6"), "Qxf7#");
    assert_eq!(reason.sentences[0].text, "Qxf7# ends the game: checkmate, white wins.");
    assert_eq!(reason.sentences.len(), 1);
}

#[test]
fn a_threat_is_named_and_so_is_its_defence() {
    let reason = why(&game(None, SCHOLAR), "Bc4");
    let text = told(&reason, |fact| matches!(fact, Evidence::Threat { mate: Some(1), .. }));
    assert_eq!(text, "It threatens Qxf7#: if Black passed, that would be mate in 1.");
    let reason = why(&game(None, &format!("{SCHOLAR} Bc4")), "g6");
    let text = told(&reason, |fact| matches!(fact, Evidence::Averted { mate: Some(1), .. }));
    assert_eq!(text, "It stops Qxf7#, with which White would mate in 1 if Black passed.");
}

#[test]
fn overlooking_the_threat_is_said() {
    let reason = why(&game(None, &format!("{SCHOLAR} Bc4")), "Nf6");
    assert_eq!(told(&reason, |fact| matches!(fact, Evidence::Mate { .. })), "After Nf6 Black is mated in 1.");
    told(&reason, |fact| matches!(fact, Evidence::Better { loss_permille: 300.., .. }));
    assert!(!reason.sentences.iter().any(|sentence| matches!(sentence.evidence, Evidence::Averted { .. })));
}

#[test]
fn a_fork_wins_the_queen_and_the_pawn_grab_does_not() {
    // Nc7+ forks king and queen; Nxb4 only takes a pawn.
    let fork = game(Some("q3k3/5ppp/8/3N4/1p6/8/5PPP/4K3 w - - 0 1"), "");
    let reason = why(&fork, "Nc7+");
    let text = told(&reason, |fact| matches!(fact, Evidence::Material { pawns: 5.., .. }));
    assert!(text.starts_with("Along this line White wins a queen"), "{text}");
    let text = told(
        &reason,
        |fact| matches!(fact, Evidence::Refutation { alternative, .. } if alternative.played.san == "Nxb4"),
    );
    assert!(text.starts_with("Nxb4, which takes, is worse"), "{text}");
}

#[test]
fn the_only_move_is_called_so() {
    // The queen checks from g2, unprotected, and covers every flight square.
    let reason = why(&game(Some("4k3/8/8/8/8/8/6q1/7K w - - 0 1"), ""), "Kxg2");
    assert_eq!(told(&reason, |fact| matches!(fact, Evidence::OnlyMove { .. })), "Kxg2 is the only legal move.");
}

#[test]
fn what_changed_most_sums_to_nothing_invented() {
    let reason = why(&game(None, ""), "e4");
    let fact = reason.sentences.iter().find_map(|sentence| match &sentence.evidence {
        Evidence::Contribution { changes, before_centipawns, after_centipawns, .. } => {
            Some((changes.clone(), *before_centipawns, *after_centipawns))
        }
        _ => None,
    });
    let (changes, before, after) = fact.expect("a contribution");
    let start = game(None, "");
    let moved = game(None, "e4");
    assert_eq!(before, kiebitz_handcrafted::explain(start.position()).white_value);
    assert_eq!(after, kiebitz_handcrafted::explain(moved.position()).white_value);
    let size = |change: &kiebitz_messages::TermChange| (change.after_tenths - change.before_tenths).abs();
    assert!(changes.windows(2).all(|pair| size(&pair[0]) >= size(&pair[1])));
}

#[test]
fn lines_in_the_evidence_are_legal() {
    for (sans, played) in [("", "d4"), (SCHOLAR, "Nf3"), ("e4 c5 Nf3 d6 d4", "cxd4")] {
        let history = game(None, sans);
        let reason = why(&history, played);
        for sentence in &reason.sentences {
            if let Evidence::MainLine { searched } | Evidence::Refutation { alternative: searched, .. } =
                &sentence.evidence
            {
                let mut position = history.position().clone();
                for mv in &searched.line {
                    let legal = position.parse_uci(&mv.uci).expect("a legal move");
                    assert_eq!(position.san(legal).to_string(), mv.san);
                    position.play(legal);
                }
            }
        }
        assert!(reason.sentences.len() >= 2, "{reason:#?}");
    }
}

#[test]
fn what_a_blunder_loses_is_no_threat() {
    // A pawn takes the queen on g6. If Black passed she would be saved, which gains nothing over what there was.
    let hangs = why(&game(None, "e4 e5 Qh5 Nc6"), "Qg6");
    let threatens = |sentence: &kiebitz_messages::Sentence| matches!(sentence.evidence, Evidence::Threat { .. });
    assert!(!hangs.sentences.iter().any(threatens), "{:#?}", hangs.sentences);
}

#[test]
fn a_threat_says_what_it_would_win() {
    // The pawn attacks a knight that nothing protects and that has somewhere to go.
    let reason = why(&game(Some("6k1/5ppp/8/3n4/8/8/2P2PPP/6K1 w - - 0 1"), ""), "c4");
    let text = told(&reason, |fact| matches!(fact, Evidence::Threat { .. }));
    assert_eq!(text, "It threatens cxd5: if Black passed, that would win a knight.");
}

#[test]
fn shares_follow_pieces_that_castle_and_promote() {
    use kiebitz_onlooker::{LoadedNetwork, Mind, Setup};
    let loaded = LoadedNetwork::built_in().expect("a network that is built in");
    let mut desk = Desk::new(Clock::system());
    desk.prepare(&Setup::plain(Mind::Network(std::sync::Arc::new(loaded)))).unwrap();
    let mut names = |fen: &str, san: &str| -> Vec<String> {
        let history = game(Some(fen), "");
        let played = history.position().parse_san(san).unwrap();
        let reason = explain_move(&mut desk, &history, Some(played), &SearchSignal::new()).unwrap();
        let changes = reason.sentences.into_iter().find_map(|sentence| match sentence.evidence {
            Evidence::Contribution { changes, .. } => Some(changes),
            _ => None,
        });
        changes.unwrap_or_default().into_iter().map(|change| change.name).collect()
    };
    let castled = names("4k3/pppp4/8/8/8/8/4PPPP/4K2R w K - 0 1", "O-O");
    assert!(castled.iter().all(|name| !["K e1", "R h1"].contains(&name.as_str())), "{castled:?}");
    let promoted = names("8/P7/8/4k3/8/8/8/4K3 w - - 0 1", "a8=Q");
    assert!(promoted.contains(&"Q a8".to_owned()), "{promoted:?}");
    let taken = names("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5");
    assert!(taken.contains(&"p d5 taken".to_owned()) && !taken.contains(&"P e4".to_owned()), "{taken:?}");
}
