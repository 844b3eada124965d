//! What is written can be read again, and nothing that is read makes anybody panic.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use kiebitz_chess::{Color, Score, Wdl};
use kiebitz_messages::{
    AnalysisLimit, Chances, Event, Fault, FaultCode, GameClock, Line, Request, ScoreView, Side, Topic,
};
use proptest::prelude::*;

fn line() -> impl Strategy<Value = Line> {
    (".{0,80}", prop::collection::vec("[a-h][1-8][a-h][1-8][qrbn]?", 0..8))
        .prop_map(|(start, moves)| Line { start, moves })
}

fn request() -> impl Strategy<Value = Request> {
    let limit = any::<(Option<u32>, Option<u32>, Option<u32>)>().prop_map(|(depth, nodes, time_ms)| AnalysisLimit {
        depth,
        nodes: nodes.map(u64::from),
        time_ms,
    });
    let clock = any::<(u32, u32, u32)>().prop_map(|(white_ms, black_ms, increment_ms)| GameClock {
        white_ms,
        black_ms,
        increment_ms,
    });
    prop_oneof![
        any::<u32>().prop_map(|id| Request::Stop { id }),
        (any::<[u32; 4]>(), line(), ".{0,20}", limit).prop_map(
            |([id, lines, threads, hash_mebibytes], line, opponent, limit)| Request::Analyse {
                id,
                line,
                opponent,
                lines,
                threads,
                hash_mebibytes,
                limit
            }
        ),
        (any::<(u32, Option<u32>, Option<u32>)>(), line(), ".{0,20}", prop::option::of(clock)).prop_map(
            |((id, elo, time_ms), line, opponent, clock)| Request::Think { id, line, opponent, elo, clock, time_ms }
        ),
        (any::<u32>(), line(), ".{0,20}").prop_map(|(id, line, opponent)| Request::OfferDraw {
            id,
            line,
            opponent,
            opponent_side: Side::Black
        }),
        (any::<u32>(), line(), ".{0,20}", prop::option::of("[a-h][1-8]{2}"))
            .prop_map(|(id, line, opponent, played)| Request::Why { id, line, played, opponent }),
        (any::<u32>(), ".{0,40}").prop_map(|(id, name)| Request::Watch { id, topic: Topic::Run { name } }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn requests_come_back(request in request()) {
        let text = serde_json::to_string(&request).unwrap();
        prop_assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = serde_json::from_str::<Request>(&text);
    }

    #[test]
    fn a_damaged_request_is_read_or_refused(request in request(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = serde_json::to_vec(&request).unwrap();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        let _ = serde_json::from_slice::<Request>(&bytes);
    }
}

#[test]
fn what_may_be_left_out_may_be_left_out() {
    let text = r#"{"kind":"think","id":3,"line":{"start":"","moves":[]},"opponent":"handcrafted"}"#;
    assert!(matches!(
        serde_json::from_str(text),
        Ok(Request::Think { id: 3, elo: None, clock: None, time_ms: None, .. })
    ));
    let text = r#"{"kind":"analyse","id":1,"line":{"start":"","moves":[]},"opponent":"x","lines":1,"threads":1,"hash_mebibytes":1,"limit":{}}"#;
    assert!(matches!(
        serde_json::from_str(text),
        Ok(Request::Analyse { limit: AnalysisLimit { depth: None, .. }, .. })
    ));
}

#[test]
fn events_have_the_shape_that_the_page_expects() {
    let fault = Event::Fault { id: None, fault: Fault::new(FaultCode::Chess, "no king").at("start") };
    let text = serde_json::to_string(&fault).unwrap();
    assert_eq!(text, r#"{"kind":"fault","id":null,"fault":{"code":"chess","message":"no king","field":"start"}}"#);
    assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), fault);
}

#[test]
fn scores_and_chances_are_as_white_sees_them() {
    assert_eq!(ScoreView::of(Score::centipawns(35), Color::Black), ScoreView::Centipawns(-35));
    assert_eq!(ScoreView::of(Score::mate_in(5), Color::White), ScoreView::Mate(3));
    assert_eq!(ScoreView::of(Score::mate_in(5), Color::Black), ScoreView::Mate(-3));
    assert_eq!(serde_json::to_string(&ScoreView::Mate(-3)).unwrap(), r#"{"kind":"mate","value":-3}"#);
    let chances = Chances::of(Wdl::new(600, 100).unwrap(), Color::Black);
    assert_eq!((chances.win, chances.draw, chances.loss), (100, 300, 600));
}
