//! A server for tests, and the simplest clients that can misbehave.
#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]
#![allow(dead_code, reason = "every test file uses a part")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use kiebitz_messages::{AnalysisLimit, Event, Line, Request};
use kiebitz_web_server::{ServerError, ServerSettings, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A running server with a folder of its own.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) folder: PathBuf,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Result<(), ServerError>>,
}

pub(crate) fn settings(folder: PathBuf) -> ServerSettings {
    ServerSettings {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        token: None,
        folder,
        network_folders: Vec::new(),
        search_threads: 1,
        max_hash_mebibytes: 16,
        max_connections: 100,
        longest_request: Duration::from_secs(30),
        version: "test".into(),
    }
}

pub(crate) fn new_folder() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("kiebitz-server-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::with(settings(new_folder())).await
    }

    pub(crate) async fn with(settings: ServerSettings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let folder = settings.folder.clone();
        let (stop, stopped) = oneshot::channel();
        let ended = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(serve(settings, listener, ended));
        Self { address, folder, stop: Some(stop), task }
    }

    /// Stops the server and waits for its end.
    pub(crate) async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.task.await.unwrap().unwrap();
    }

    /// A plain request with the usual headers; gives status and body.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let host = format!("Host: {}\r\n", self.address);
        self.ask_with(method, path, &host, body).await
    }

    /// A request with exactly these headers.
    pub(crate) async fn ask_with(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}");
        let answer = self.raw(request.as_bytes()).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, body.to_owned())
    }

    /// Sends bytes and reads everything that comes back.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) async fn status(&self) -> kiebitz_messages::ServerStatus {
        let (status, body) = self.ask("GET", "/api/status", "").await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Waits until nobody searches and nobody waits.
    pub(crate) async fn wait_until_idle(&self, within: Duration) {
        let until = tokio::time::Instant::now() + within;
        loop {
            let status = self.status().await;
            if status.running_searches + status.waiting_searches == 0 {
                return;
            }
            assert!(tokio::time::Instant::now() < until, "still busy: {status:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// A page.
pub(crate) struct Page {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Page {
    pub(crate) async fn open(server: &TestServer) -> Self {
        let mut page = Self::open_with(server, None).await.unwrap();
        assert!(matches!(page.next().await, Event::Hello { .. }));
        page
    }

    pub(crate) async fn open_with(server: &TestServer, origin: Option<&str>) -> Result<Self, Box<Error>> {
        let mut request = format!("ws://{}/api/session", server.address).into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", HeaderValue::from_str(origin).unwrap());
        }
        let (socket, _) = connect_async(request).await.map_err(Box::new)?;
        Ok(Self { socket })
    }

    pub(crate) async fn send(&mut self, request: &Request) {
        self.send_text(&serde_json::to_string(request).unwrap()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }

    /// The next event, within a time that is long even on a busy machine.
    pub(crate) async fn next(&mut self) -> Event {
        let next = async {
            loop {
                match self.socket.next().await.expect("an open connection").expect("a message") {
                    Message::Text(text) => return serde_json::from_str(text.as_str()).expect("an event"),
                    Message::Close(frame) => panic!("closed: {frame:?}"),
                    _ => {}
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), next).await.expect("an event in time")
    }

    pub(crate) async fn wait_for(&mut self, wanted: impl Fn(&Event) -> bool) -> Event {
        loop {
            let event = self.next().await;
            if wanted(&event) {
                return event;
            }
        }
    }
}

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn line(moves: &[&str]) -> Line {
    Line { start: START.into(), moves: moves.iter().map(ToString::to_string).collect() }
}

pub(crate) fn analysis(id: u32) -> Request {
    Request::Analyse {
        id,
        line: line(&[]),
        opponent: "handcrafted".into(),
        lines: 2,
        threads: 1,
        hash_mebibytes: 4,
        limit: AnalysisLimit::default(),
    }
}

pub(crate) fn thought(id: u32, moves: &[&str]) -> Request {
    let opponent = "handcrafted".into();
    Request::Think { id, line: line(moves), opponent, elo: Some(1200), clock: None, time_ms: Some(50) }
}
