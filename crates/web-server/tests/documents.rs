//! Games, lists and refusals over HTTP.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod support;

use std::time::{Duration, Instant};

use kiebitz_messages::{Fault, FaultCode, GameDocument, GameSummary, ImportedGames, Opponent, PgnText};
use serde_json::json;
use support::{START, TestServer, new_folder, settings};

fn game(moves: &[&str]) -> serde_json::Value {
    let nodes: Vec<_> = (moves.iter().enumerate())
        .map(|(index, uci)| {
            let parent = index.checked_sub(1);
            json!({"parent": parent, "uci": uci, "san": "", "nags": [], "comment": "", "score": null, "clock_ms": null})
        })
        .collect();
    json!({
        "id": "", "revision": 0, "created_ms": 0, "changed_ms": 0, "clock": null, "start": START, "nodes": nodes,
        "white": {"kind": "human", "name": "Anna"}, "black": {"kind": "engine", "opponent": "handcrafted", "elo": 1500},
        "current": null, "result": null, "tags": [],
    })
}

fn fault(body: &str) -> Fault {
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

#[tokio::test]
async fn a_game_lives_through_changes_and_a_restart() {
    let server = TestServer::start().await;
    let (status, body) = server.ask("POST", "/api/games", &game(&["e2e4", "e7e5"]).to_string()).await;
    assert_eq!(status, 201, "{body}");
    let mut document: GameDocument = serde_json::from_str(&body).unwrap();
    assert_eq!((document.revision, document.nodes[1].san.as_str()), (1, "e5"));
    let path = format!("/api/games/{}", document.id);
    document.nodes[0].comment = "best by test".into();
    let changed = serde_json::to_string(&document).unwrap();
    let (status, body) = server.ask("PUT", &path, &changed).await;
    assert_eq!(status, 200, "{body}");
    let (status, body) = server.ask("PUT", &path, &changed).await;
    assert_eq!((status, fault(&body).code), (409, FaultCode::Conflict));

    let again = settings(server.folder.clone());
    server.stop().await;
    let server = TestServer::with(again).await;
    let (_, body) = server.ask("GET", &path, "").await;
    let kept: GameDocument = serde_json::from_str(&body).unwrap();
    assert_eq!((kept.revision, kept.nodes[0].comment.as_str()), (2, "best by test"));
    let (_, body) = server.ask("GET", "/api/games", "").await;
    let list: Vec<GameSummary> = serde_json::from_str(&body).unwrap();
    assert_eq!((list.len(), list[0].plies), (1, 2));
    let (status, pgn) = server.ask("GET", &format!("{path}/pgn"), "").await;
    assert!(status == 200 && pgn.contains("1. e4 {best by test}") && pgn.contains("[White \"Anna\"]"), "{pgn}");
    assert_eq!(server.ask("DELETE", &path, "").await.0, 204);
    assert_eq!(server.ask("GET", &path, "").await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn pgn_comes_in_and_goes_out() {
    let server = TestServer::start().await;
    let import = json!({"pgn": "1. e4 e5 (1... c5) 2. Nf3 *\n\n1. e5 *\n"}).to_string();
    let (status, body) = server.ask("POST", "/api/games/import", &import).await;
    assert_eq!(status, 200, "{body}");
    let imported: ImportedGames = serde_json::from_str(&body).unwrap();
    assert_eq!((imported.games.len(), imported.broken.len(), imported.games[0].nodes.len()), (1, 1, 4));
    let (status, body) = server.ask("POST", "/api/games/import", &json!({"pgn": "1. Ke8"}).to_string()).await;
    let refused = fault(&body);
    assert_eq!((status, refused.code, refused.field.as_deref()), (400, FaultCode::Chess, Some("pgn")));
    let (status, body) = server.ask("POST", "/api/pgn", &game(&["d2d4"]).to_string()).await;
    let text: PgnText = serde_json::from_str(&body).unwrap();
    assert!(status == 200 && text.pgn.contains("1. d4"), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn nonsense_is_refused_with_a_sentence() {
    let server = TestServer::start().await;
    let mut illegal = game(&["e2e5"]);
    for (method, path, body, status, code) in [
        ("POST", "/api/games", illegal.to_string(), 400, FaultCode::Chess),
        ("POST", "/api/games", "{".to_owned(), 400, FaultCode::Malformed),
        ("POST", "/api/games", "[]".to_owned(), 400, FaultCode::Malformed),
        ("POST", "/api/games", "\u{0}".to_owned(), 400, FaultCode::Malformed),
        ("GET", "/api/games/nothing", String::new(), 404, FaultCode::Missing),
        ("GET", "/api/nothing", String::new(), 404, FaultCode::Missing),
        ("PATCH", "/api/games", String::new(), 404, FaultCode::Missing),
        ("GET", "/api/runs/no/such/run", String::new(), 404, FaultCode::Missing),
        ("GET", "/api/matches/nothing", String::new(), 404, FaultCode::Missing),
    ] {
        let (found, answer) = server.ask(method, path, &body).await;
        assert_eq!((found, fault(&answer).code), (status, code), "{method} {path} {answer}");
    }
    illegal["start"] = json!("8/8/8/8/8/8/8/8 w - - 0 1");
    let (_, answer) = server.ask("POST", "/api/games", &illegal.to_string()).await;
    assert_eq!(fault(&answer).field.as_deref(), Some("start"));
    assert_eq!(server.status().await.connections, 0);
    server.stop().await;
}

#[tokio::test]
async fn no_address_leads_out_of_the_folder() {
    let folder = new_folder();
    let workspace = folder.join("workspace");
    std::fs::create_dir_all(workspace.join("runs")).unwrap();
    std::fs::create_dir_all(folder.join("secret")).unwrap();
    for file in ["secret.json", "secret/log.jsonl", "secret/games.jsonl"] {
        std::fs::write(folder.join(file), "{\"id\":\"x\"}").unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("secret"), workspace.join("link")).unwrap();
    let server = TestServer::with(settings(workspace)).await;
    for path in [
        "/api/games/../secret",
        "/api/games/..%2f..%2fsecret",
        "/api/games/%2e%2e%2fsecret",
        "/api/games/..%5csecret",
        "/api/games/%00",
        "/api/runs/../secret",
        "/api/runs/..%2fsecret",
        "/api/runs/link",
        "/api/matches/link",
        "/api/matches/%2e%2e/secret",
        "/../secret.json",
        "/assets/..%2f..%2fCargo.toml",
        "/..%2f..%2f..%2f..%2fetc/passwd",
    ] {
        let (status, body) = server.ask("GET", path, "").await;
        assert!(status == 404 || status == 400 || !body.contains("\"x\""), "{path}: {status} {body}");
        assert!(!body.contains("root:") && !body.contains("[package]"), "{path}: {body}");
    }
    let (_, body) = server.ask("GET", "/api/runs", "").await;
    assert_eq!(body, "[]");
    server.stop().await;
}

#[tokio::test]
async fn other_sites_are_refused() {
    let server = TestServer::start().await;
    let port = server.address.port();
    for (headers, expected) in [
        (format!("Host: 127.0.0.1:{port}\r\n"), 200),
        (format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n"), 200),
        (format!("Host: evil.example:{port}\r\n"), 403),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"), 403),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"), 403),
        ("Host: 127.0.0.1:1\r\n".to_owned(), 403),
    ] {
        for path in ["/api/status", "/"] {
            let (status, body) = server.ask_with("GET", path, &headers, "").await;
            assert_eq!(status, expected, "{headers} {path} {body}");
        }
    }
    let (status, _) = server.ask_with("GET", "/api/status", "", "").await;
    assert!(status == 400 || status == 403, "{status}");
    server.stop().await;
}

#[tokio::test]
async fn beyond_loopback_a_token_is_required() {
    let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = kiebitz_web_server::serve(settings(new_folder()), listener, std::future::pending()).await;
    assert!(refused.unwrap_err().to_string().contains("token"));

    let mut with_token = settings(new_folder());
    with_token.token = Some("a-long-secret-word".into());
    let server = TestServer::with(with_token).await;
    let host = format!("Host: {}\r\n", server.address);
    assert_eq!(server.ask("GET", "/api/status", "").await.0, 401);
    assert_eq!(server.ask("GET", "/", "").await.0, 401);
    assert_eq!(server.ask("GET", "/?token=another-secret-word", "").await.0, 401);
    let answer = server
        .raw(format!("GET /?token=a-long-secret-word HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes())
        .await;
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let (status, _) = server.ask_with("GET", "/api/status", &format!("{host}Cookie: other=1; {cookie}\r\n"), "").await;
    assert_eq!(status, 200);
    let bearer = format!("{host}Authorization: Bearer a-long-secret-word\r\n");
    assert_eq!(server.ask_with("GET", "/api/status", &bearer, "").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn what_is_too_large_or_broken_is_refused_and_survived() {
    let server = TestServer::start().await;
    let (status, _) = server.ask("POST", "/api/games/import", &"x".repeat(5 << 20)).await;
    assert!(status == 429 || status == 413 || status == 0, "{status}");
    let (status, _) = server.ask("GET", &format!("/api/games/{}", "a".repeat(5000)), "").await;
    assert_eq!(status, 414);
    let mut many = game(&[]);
    many["tags"] = json!(vec![json!({"name": "A", "value": "b"}); 100]);
    assert_eq!(server.ask("POST", "/api/games", &many.to_string()).await.0, 429);
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/games HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ] {
        let _ = server.raw(bytes).await;
    }
    let (status, body) = server.ask("GET", "/api/opponents", "").await;
    let opponents: Vec<Opponent> = serde_json::from_str(&body).unwrap();
    let ids: Vec<&str> = opponents.iter().map(|opponent| opponent.id.as_str()).collect();
    assert_eq!((status, ids.as_slice()), (200, &["network:kiebitz", "handcrafted"][..]));
    server.stop().await;
}

/// Half a head is hung up on; half a body is answered. Nobody keeps a place by being slow.
#[tokio::test]
async fn who_does_not_say_what_they_want_is_given_up() {
    let mut hasty = settings(new_folder());
    hasty.longest_request = Duration::from_millis(300);
    let server = TestServer::with(hasty).await;
    let begun = Instant::now();
    let host = format!("Host: {}\r\n", server.address);
    let silent = server.raw(b"");
    let half_head = server.raw(b"GET /api/status HTTP/1.1\r\nHost:");
    let body = format!("POST /api/games HTTP/1.1\r\n{host}Content-Length: 1000\r\n\r\n{{");
    let half_body = server.raw(body.as_bytes());
    let (silent, half_head, half_body) = tokio::join!(silent, half_head, half_body);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(!silent.contains(" 200 ") && !half_head.contains(" 200 "), "{silent} {half_head}");
    assert!(half_body.starts_with("HTTP/1.1 408") && half_body.contains("took too long"), "{half_body}");
    assert_eq!(server.ask("GET", "/api/status", "").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn the_page_or_a_sentence_is_served_everywhere_else() {
    let server = TestServer::start().await;
    for path in ["/", "/analyse", "/play/some-game"] {
        let (status, body) = server.ask("GET", path, "").await;
        assert!(status == 200 && body.to_lowercase().contains("<!doctype html"), "{path} {status} {body}");
    }
    assert_eq!(server.ask("GET", "/assets/none.js", "").await.0, 404);
    server.stop().await;
}

/// Two games of a pair, with colors changed: whoever has Black mates.
#[tokio::test]
async fn a_match_is_read_on_where_it_was_read_before() {
    let folder = new_folder();
    let games = folder.join("matches/first");
    std::fs::create_dir_all(&games).unwrap();
    let settings_text = json!({"player 1": "new = somewhere/new", "player 2": "old = somewhere/old", "legs": "2"});
    std::fs::write(games.join("match.json"), settings_text.to_string()).unwrap();
    let game = |leg: u32| {
        let moves: Vec<_> = ["f2f3", "e7e5", "g2g4", "d8h4"]
            .iter()
            .map(|uci| json!({"m": uci, "s": 15, "d": 3, "n": 100, "t": 0.1}))
            .collect();
        let line = json!({
            "encounter": 0, "turn": 0, "leg": leg, "round": 0, "white": leg, "black": 1 - leg, "opening": 0, "begun": 1.0,
            "seconds": 1.0, "start": START, "moves": moves, "result": "0-1", "end": {"kind": "checkmate"},
        });
        format!("{line}\n")
    };
    // The second game is only half written yet.
    std::fs::write(games.join("games.jsonl"), format!("{}{}", game(0), &game(1)[..20])).unwrap();
    let server = TestServer::with(settings(folder)).await;
    let detail = async || {
        let (status, body) = server.ask("GET", "/api/matches/matches/first", "").await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str::<kiebitz_messages::MatchDetail>(&body).unwrap()
    };
    let first = detail().await;
    assert_eq!((first.summary.games, first.summary.players[0].losses), (1, 1));
    assert_eq!(first.latest[0].scores, [Some(15), Some(-15), Some(15), Some(-15)]);
    assert!(first.settings.contains(&"legs: 2".to_owned()) && !format!("{first:?}").contains("somewhere"));
    std::fs::write(games.join("games.jsonl"), format!("{}{}", game(0), game(1))).unwrap();
    let both = detail().await;
    assert_eq!((both.summary.games, both.test.unwrap().pentanomial), (2, [0, 0, 1, 0, 0]));
    assert_eq!(both.latest[0].white, "old");
    // A game in progress is shown, one that is none is not, and a file that nobody renews is that of a match that was killed.
    let live =
        |moves: &[&str]| json!({"white": "new", "black": "old", "start": START, "moves": moves, "scores": [null]});
    let file = games.join("live.json");
    std::fs::write(&file, json!([live(&["e2e4"]), live(&["e2e5"])]).to_string()).unwrap();
    let playing = detail().await;
    assert_eq!((playing.live.len(), playing.live[0].line.moves.len(), playing.summary.running), (1, 1, true));
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(60);
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    let killed = detail().await;
    assert_eq!((killed.live.len(), killed.summary.running), (0, false));
    std::fs::write(&file, "rubbish").unwrap();
    assert_eq!(detail().await.live.len(), 0);
    server.stop().await;
}
