//! Connections, accepted one by one until the server ends.
//!
//! **Invariants:** there are never more than [`MOST_CONNECTIONS`] that still have something to ask (sessions are counted for
//! themselves); one that does not say what it wants in time is closed, so that nobody keeps a place by being slow.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// Open connections; more wait in the system's queue.
const MOST_CONNECTIONS: usize = 1024;
/// After a failed accept, when the system is out of something, it is tried again.
const BREATH: Duration = Duration::from_millis(100);

/// Serves until `closing` becomes true, then gives everybody `farewell` to finish.
pub(crate) async fn accept(
    listener: TcpListener,
    router: Router,
    longest_request: Duration,
    mut closing: watch::Receiver<bool>,
    farewell: Duration,
) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut open = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = async {
                // The semaphore is never closed.
                let place = Arc::clone(&places).acquire_owned().await.ok()?;
                listener.accept().await.ok().map(|(stream, client)| (place, stream, client))
            } => accepted,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        let Some((place, stream, client)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let (router, closing) = (router.clone().layer(Extension(ConnectInfo(client))), closing.clone());
        open.spawn(async move {
            converse(stream, router, longest_request, closing).await;
            drop(place);
        });
        while open.try_join_next().is_some() {}
    }
    drop(listener);
    // A client that does not read must not keep the server alive.
    let _ = tokio::time::timeout(farewell, async { while open.join_next().await.is_some() {} }).await;
}

/// Answers the requests of one connection, or hands it over to a session.
async fn converse(stream: TcpStream, router: Router, longest_request: Duration, mut closing: watch::Receiver<bool>) {
    // Updates are small and must not wait for the acknowledgement of the one before; without it they only come later.
    let _ = stream.set_nodelay(true);
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(longest_request);
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    tokio::select! {
        // How a connection ends is the client's affair.
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
