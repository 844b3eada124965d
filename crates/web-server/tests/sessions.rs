//! Pages over WebSockets: what they ask, how they leave, and how they misbehave.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod support;

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use kiebitz_messages::{AnalysisEnd, AnalysisLimit, Event, FaultCode, Listing, Request, Side, Topic};
use support::{Page, TestServer, analysis, line, settings, thought};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_grows_and_stops() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    let begun = Instant::now();
    page.send(&analysis(7)).await;
    let first = page.next().await;
    assert!(matches!(first, Event::Analysis { id: 7, .. }), "{first:?}");
    // The promise is 100 ms; a machine that builds something beside is given more.
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let deep = page.wait_for(|event| matches!(event, Event::Analysis { update, .. } if update.depth >= 6)).await;
    let Event::Analysis { update, .. } = deep else { unreachable!() };
    assert_eq!(update.lines.len(), 2);
    assert!(update.lines[0].moves[0].san.len() >= 2 && update.nodes > 0);
    assert_eq!(update.lines[0].chances.win + update.lines[0].chances.draw + update.lines[0].chances.loss, 1000);
    page.send(&Request::Stop { id: 7 }).await;
    let end = page.wait_for(|event| matches!(event, Event::AnalysisEnded { .. })).await;
    assert_eq!(end, Event::AnalysisEnded { id: 7, end: AnalysisEnd::Stopped });
    server.wait_until_idle(Duration::from_secs(5)).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_analysis_replaces_the_old_one_and_limits_end_it() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    page.send(&analysis(1)).await;
    page.wait_for(|event| matches!(event, Event::Analysis { id: 1, .. })).await;
    let Request::Analyse { line, opponent, .. } = analysis(2) else { unreachable!() };
    let limit = AnalysisLimit { depth: Some(5), ..AnalysisLimit::default() };
    let limited = Request::Analyse { id: 2, line, opponent, lines: 1, threads: 1, hash_mebibytes: 4, limit };
    page.send(&limited).await;
    let replaced = page.wait_for(|event| matches!(event, Event::AnalysisEnded { id: 1, .. })).await;
    assert_eq!(replaced, Event::AnalysisEnded { id: 1, end: AnalysisEnd::Replaced });
    let finished = page.wait_for(|event| matches!(event, Event::AnalysisEnded { id: 2, .. })).await;
    assert_eq!(finished, Event::AnalysisEnded { id: 2, end: AnalysisEnd::Finished });
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_page_frees_its_search_at_once() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    page.send(&analysis(1)).await;
    page.wait_for(|event| matches!(event, Event::Analysis { .. })).await;
    assert_eq!(server.status().await.running_searches, 1);
    drop(page);
    server.wait_until_idle(Duration::from_secs(3)).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_pages_do_not_keep_a_player_waiting() {
    let server = TestServer::start().await;
    let mut pages = Vec::new();
    for id in 0..50 {
        let mut page = Page::open(&server).await;
        page.send(&analysis(id)).await;
        pages.push(page);
    }
    let mut player = Page::open(&server).await;
    let begun = Instant::now();
    player.send(&thought(1, &["e2e4"])).await;
    let answer = player.wait_for(|event| matches!(event, Event::Thought { .. })).await;
    assert!(matches!(answer, Event::Thought { best: Some(_), .. }));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let status = server.status().await;
    assert_eq!((status.connections, status.running_searches), (51, 1));
    // Those who wait know it, and the first few get their turn in order.
    for page in &mut pages[..3] {
        page.wait_for(|event| matches!(event, Event::Analysis { .. })).await;
    }
    drop(pages);
    server.wait_until_idle(Duration::from_secs(5)).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_is_played_and_reviewed() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    let mut moves: Vec<String> = Vec::new();
    for id in 0..6 {
        let played: Vec<&str> = moves.iter().map(String::as_str).collect();
        page.send(&thought(id, &played)).await;
        let answer = page.wait_for(|event| matches!(event, Event::Thought { .. })).await;
        let Event::Thought { best: Some(best), .. } = answer else { panic!("{answer:?}") };
        moves.push(best.uci);
    }
    let played: Vec<&str> = moves.iter().map(String::as_str).collect();
    let opponent = || "handcrafted".to_owned();
    let pgn = None;
    page.send(&Request::Review { id: 100, line: line(&played), pgn, opponent: opponent(), nodes: 500 }).await;
    let last = page.wait_for(|event| matches!(event, Event::Review { .. } | Event::Fault { .. })).await;
    let Event::Review { review, .. } = last else { panic!("{last:?}") };
    assert_eq!(review.moves.len(), 6);
    page.send(&Request::OfferDraw { id: 101, line: line(&played), opponent: opponent(), opponent_side: Side::Black })
        .await;
    page.wait_for(|event| matches!(event, Event::DrawAnswer { id: 101, .. })).await;
    page.send(&Request::Inspect { id: 102, line: line(&played), opponent: opponent(), search_nodes: 1000 }).await;
    let seen = page.wait_for(|event| matches!(event, Event::Inspection { .. })).await;
    let Event::Inspection { inspection, .. } = seen else { unreachable!() };
    let terms: i32 = inspection.handcrafted.terms.iter().map(|term| term.share_tenths).sum();
    assert_eq!(terms + inspection.handcrafted.rounding_tenths, 10 * inspection.static_centipawns);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_frames_are_answered_and_survived() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    for text in
        ["", "{", "null", "[1,2]", "{\"kind\":\"fly\",\"id\":3}", "{\"kind\":\"think\",\"id\":-1}", "\u{0}\u{ffff}"]
    {
        page.send_text(text).await;
        let answer = page.next().await;
        let Event::Fault { fault, .. } = &answer else { panic!("{text:?}: {answer:?}") };
        assert_eq!(fault.code, FaultCode::Malformed, "{text:?}");
    }
    page.send_text("{\"kind\":\"fly\",\"id\":3}").await;
    assert!(matches!(page.next().await, Event::Fault { id: Some(3), .. }));
    page.socket.send(Message::Binary(vec![0, 159, 146, 150].into())).await.unwrap();
    assert!(matches!(page.next().await, Event::Fault { .. }));
    page.send(&thought(5, &["e2e5"])).await;
    assert!(
        matches!(page.next().await, Event::Fault { id: Some(5), fault } if fault.field.as_deref() == Some("moves"))
    );
    let Request::Think { line, .. } = thought(6, &[]) else { unreachable!() };
    page.send(&Request::Inspect { id: 6, line, opponent: "network:../../x".into(), search_nodes: 0 }).await;
    assert!(matches!(page.next().await, Event::Fault { id: Some(6), fault } if fault.code == FaultCode::Missing));
    page.send(&Request::Ping { id: 9 }).await;
    assert_eq!(page.next().await, Event::Pong { id: 9 });
    server.stop().await;
}

/// Requests with some bytes changed by chance (always the same): each is followed by a ping, and every ping is answered.
#[tokio::test(flavor = "multi_thread")]
async fn damaged_requests_never_end_the_connection() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    let whole: Vec<String> = [thought(1, &["e2e4"]), Request::Watch { id: 1, topic: Topic::Networks }, analysis(1)]
        .iter()
        .map(|request| serde_json::to_string(request).unwrap())
        .collect();
    let mut chance = 20_u64;
    let mut next = |below: usize| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as usize % below
    };
    for round in 0..90 {
        let mut bytes = whole[round % whole.len()].clone().into_bytes();
        for _ in 0..=next(3) {
            let place = next(bytes.len());
            match next(3) {
                0 => bytes[place] = b"{}[]\",:0e-+x"[next(12)],
                1 => bytes.truncate(place.max(1)),
                _ => bytes.insert(place, b' ' + next(94) as u8),
            }
        }
        page.send_text(&String::from_utf8_lossy(&bytes)).await;
        let id = 1_000_000 + round as u32;
        page.send(&Request::Ping { id }).await;
        page.wait_for(|event| *event == Event::Pong { id }).await;
    }
    drop(page);
    server.wait_until_idle(Duration::from_secs(5)).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_and_giants_end_the_connection_but_not_the_server() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    let giant = format!("\"{}\"", "x".repeat(5 << 20));
    let _ = page.socket.send(Message::Text(giant.into())).await;
    let ended = tokio::time::timeout(Duration::from_secs(20), async {
        while let Some(Ok(message)) = page.socket.next().await {
            if message.is_close() {
                break;
            }
        }
    });
    ended.await.expect("the connection ends");
    let mut flood = Page::open(&server).await;
    for id in 0..2000 {
        let ping = serde_json::to_string(&Request::Ping { id }).unwrap();
        if flood.socket.send(Message::Text(ping.into())).await.is_err() {
            break;
        }
    }
    let mut pongs = 0;
    while let Ok(Some(Ok(Message::Text(_)))) = tokio::time::timeout(Duration::from_secs(5), flood.socket.next()).await {
        pongs += 1;
    }
    assert!(pongs < 1000, "{pongs}");
    let mut page = Page::open(&server).await;
    page.send(&Request::Ping { id: 1 }).await;
    assert_eq!(page.next().await, Event::Pong { id: 1 });
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_and_too_many_pages_are_refused() {
    let mut few = settings(support::new_folder());
    few.max_connections = 2;
    let server = TestServer::with(few).await;
    assert!(Page::open_with(&server, Some("http://evil.example")).await.is_err());
    let origin = format!("http://{}", server.address);
    let one = Page::open_with(&server, Some(&origin)).await.unwrap();
    let _two = Page::open(&server).await;
    assert!(Page::open_with(&server, None).await.is_err());
    drop(one);
    let until = Instant::now() + Duration::from_secs(5);
    while Page::open_with(&server, None).await.is_err() {
        assert!(Instant::now() < until, "the place is not given back");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_watched_is_told_again_when_it_changes() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    page.send(&Request::Watch { id: 1, topic: Topic::Runs }).await;
    assert_eq!(page.next().await, Event::Listing { id: 1, listing: Listing::Runs { runs: Vec::new() } });
    let folder = server.folder.join("runs/first");
    std::fs::create_dir_all(&folder).unwrap();
    let start = "{\"event\":\"start\",\"name\":\"first\",\"network\":\"n\",\"device\":\"cpu\",\"parameters\":10,\
                 \"samples\":100,\"step\":0,\"steps\":50,\"batch\":16}\n";
    let steps = "{\"event\":\"steps\",\"step\":5,\"positions\":80,\"loss\":0.25,\"rate\":0.001,\"result_share\":0.0,\
                 \"speed\":1000.0}\n";
    std::fs::write(folder.join("log.jsonl"), format!("{start}{steps}")).unwrap();
    let told = page.next().await;
    let Event::Listing { listing: Listing::Runs { runs }, .. } = told else { panic!("{told:?}") };
    assert_eq!((runs[0].id.as_str(), runs[0].step, runs[0].loss), ("runs/first", 5, Some(0.25)));
    page.send(&Request::Watch { id: 2, topic: Topic::Run { name: "runs/first".into() } }).await;
    let told = page.wait_for(|event| matches!(event, Event::Listing { id: 2, .. })).await;
    let Event::Listing { listing: Listing::Run { run }, .. } = told else { panic!("{told:?}") };
    assert_eq!((run.training.len(), run.batch), (1, 16));
    page.send(&Request::Watch { id: 3, topic: Topic::Match { name: "../etc".into() } }).await;
    page.wait_for(|event| matches!(event, Event::Fault { id: Some(3), .. })).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_says_goodbye_quickly() {
    let server = TestServer::start().await;
    let mut page = Page::open(&server).await;
    page.send(&analysis(1)).await;
    page.wait_for(|event| matches!(event, Event::Analysis { .. })).await;
    let begun = Instant::now();
    server.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}
